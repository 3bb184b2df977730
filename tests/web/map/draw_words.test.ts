// The header of a chunk, where its word is wide enough to read: its texts, and its bits as in a ruler.

import { expect, test } from 'vitest';
import { kDarkTheme } from '../../../web/src/dom/palette.ts';
import { drawWords } from '../../../web/src/map/draw_words.ts';
import { layoutFor, pointOf, transformOf } from '../../../web/src/map/map_geometry.ts';
import { ChunkState, kOwnWords, kSlabTable } from '../../../web/src/protocol/map_frames.ts';
import { fakeCanvas } from './fake_canvas.ts';
import { frameOf } from './map_frames.ts';

const layout = layoutFor({ width: 800, height: 320 });

function drawn(size: number, bytesPerRow: number, state: ChunkState = ChunkState.inUse, slab?: number) {
  const view = { layout, transform: transformOf(0x1000, bytesPerRow), ratio: 1 };
  const plain = frameOf({ chunks: [{ at: 0x1000, size, state }], bytesPerRow });
  const { chunks } = plain;
  const frame =
    chunks === undefined || slab === undefined ? plain : { ...plain, chunks: { ...chunks, slab: Uint8Array.of(slab) } };
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

test.each([ChunkState.cached, ChunkState.free])(
  'the header of a hatched chunk is read on a field of its own, state %i',
  (state) => {
    const { texts, fills, x, y } = drawn(48, 32, state);
    expect(texts[0]?.text).toMatch(/^0x30 /);
    expect(fills[0]).toMatchObject({ x, y, style: kDarkTheme.css.free, width: layout.textWidth / 8 });
  },
);

test('what a slab has before its first block has the size of the whole slab in its header: it is not read off this part', () => {
  expect(drawn(20, 32, ChunkState.cached, kOwnWords).texts).toEqual([]);
  expect(drawn(80, 32, ChunkState.cached, kSlabTable).texts.map(({ text }) => text)).toEqual(['0x50 B0P1C1']);
});
