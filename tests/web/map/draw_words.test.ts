// The header of a chunk, where its word is wide enough to read: its texts, and its bits as in a ruler.

import { expect, test } from 'vitest';
import { kDarkTheme } from '../../../web/src/dom/palette.ts';
import { drawWords } from '../../../web/src/map/draw_words.ts';
import { layoutFor, pointOf, transformOf } from '../../../web/src/map/map_geometry.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { fakeCanvas } from './fake_canvas.ts';
import { frameOf } from './map_frames.ts';

const layout = layoutFor({ width: 800, height: 320 });

function drawn(size: number, bytesPerRow: number) {
  const view = { layout, transform: transformOf(0x1000, bytesPerRow), ratio: 1 };
  const frame = frameOf({ chunks: [{ at: 0x1000, size, state: ChunkState.inUse }], bytesPerRow });
  const canvas = fakeCanvas(layout.width, layout.height);
  drawWords(canvas.context, frame, view, kDarkTheme);
  return { ...canvas, ...pointOf(layout, view.transform, 0x1000) };
}

test.each([48, 0x5a8, 0xff8])(
  'the bits of a header are those of its word, the highest at the left: a chunk of %i bytes',
  (size) => {
    const { fills, x } = drawn(size, 8);
    expect(fills).toHaveLength(32);
    expect([...fills].sort((one, other) => one.x - other.x)).toEqual(fills);
    const word = fills.reduce((sum, { style }) => sum * 2 + (style === kDarkTheme.css.header ? 1 : 0), 0);
    expect(word - (word % 8)).toBe(size);
    expect(word % 8).toBeGreaterThan(0); // flags: it is in use
    expect(fills[0]?.x).toBeCloseTo(x + 0.5, 5);
  },
);

test('a text stands in the middle of its row, and a word too narrow for its bits has none', () => {
  const { texts, fills, y } = drawn(48, 32);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts[0]?.text).toMatch(/^0x30 /);
  expect(texts[0]?.y).toBe(y + layout.rowHeight / 2 + 0.5);
  expect(fills).toEqual([]);
});
