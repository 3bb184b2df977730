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

it('small blocks among many others have the answer’s colour, where the place has those of the others', () => {
  const view = { layout, transform: transformOf(0, 0x10000), ratio: 1 };
  const perPixel = 0x10000 / layout.textWidth;
  const large = { address: 0, size: Math.ceil(40 * perPixel) };
  const every = (share: number) => {
    const small = { size: Math.round(0.5 * perPixel * share), count: 100 };
    const at = Array.from({ length: small.count }, (_, n) => Math.round(large.size + n * 0.5 * perPixel));
    const address = Uint32Array.of(large.address, ...at);
    const size = Uint32Array.of(large.size, ...at.map(() => small.size));
    const drawn = fakeCanvas(layout.width, layout.height);
    drawLit(drawn.context, { blocks: { address, size }, outlined: false, holes: kNothing }, 0x10000, view, theme);
    return drawn.fills.filter(({ style }) => style === theme.css.accent);
  };
  const [few] = every(0.3);
  expect(few?.x).toBeCloseTo(layout.left + 40, 0); // behind the large block, which is as it is
  expect(few?.width).toBeCloseTo(50, 0);
  expect(every(0.3)).toHaveLength(1);
  expect(every(0.9)).toEqual([]); // the place is theirs
});
