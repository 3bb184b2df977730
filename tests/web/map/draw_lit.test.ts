import { expect, it } from 'vitest';
import { kDarkTheme as theme } from '../../../web/src/dom/palette.ts';
import { drawEnd } from '../../../web/src/map/draw_end.ts';
import { drawLit } from '../../../web/src/map/draw_lit.ts';
import { layoutFor, transformOf } from '../../../web/src/map/map_geometry.ts';
import { fakeCanvas } from './fake_canvas.ts';
import { frameOf } from './map_frames.ts';

const layout = layoutFor({ width: 622, height: 320 });
const kNothing = { address: new Uint32Array(), size: new Uint32Array() };
const kMemory = 0x3000;

it('while an answer is shown memory fades, and the words below its end do not', () => {
  const view = { layout, transform: transformOf(0, 0x1000), ratio: 1 };
  const drawn = fakeCanvas(layout.width, layout.height);
  const frame = frameOf({ chunks: [] });
  drawEnd(drawn.context, { ...frame, memoryBytes: kMemory as typeof frame.memoryBytes }, view, theme);
  const words = drawn.texts.find(({ text }) => text.startsWith('memory ends here'));
  drawLit(drawn.context, { blocks: kNothing, outlined: false, holes: kNothing }, kMemory, view, theme);
  const veil = drawn.fills.find(({ style, x }) => style === theme.css.bg && x === layout.left);
  expect(veil?.y).toBe(0);
  expect(veil?.height).toBeGreaterThanOrEqual(layout.top + 3 * layout.pitch - (layout.pitch - layout.rowHeight));
  expect((veil?.y ?? 0) + (veil?.height ?? 0)).toBeLessThan(words?.y ?? 0);
});
