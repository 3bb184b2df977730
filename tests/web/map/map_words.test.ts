import { expect, it } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import { findAt } from '../../../web/src/map/map_marks.ts';
import { describe, spoken } from '../../../web/src/map/map_words.ts';
import { ChunkState, EmptyKind, NodeState } from '../../../web/src/protocol/map_frames.ts';
import { emptyRuns, frameOf } from './map_frames.ts';

const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u202f', ' ');

const frame = frameOf({
  chunks: [
    { at: 0x1004, size: 0x160, state: ChunkState.free },
    { at: 0x1164, size: 0x80, state: ChunkState.poolBlock },
  ],
  blocks: [{ at: 0x1168, size: 0x7c, pool: 2, freeNodes: 1, nodes: 3 }],
  nodes: [{ at: 0x1180, size: 24, state: NodeState.lastTouched }],
});

it('a chunk is its address, state and size', () => {
  expect(plain(spoken(frame, findAt(frame, 0x1010), 0x1010))).toBe('0x0000_1004, free, 352 B');
});

it('a node names its block and pool', () => {
  expect(plain(spoken(frame, findAt(frame, 0x1180), 0x1180))).toBe(
    '0x0000_1180, node, in use, just touched, 24 B, pool #2: 2 of 3 nodes in use',
  );
});

it('the words of a segment, memory outside of the heap, and no memory are told apart', () => {
  expect(describe(frame, findAt(frame, 0x1000), 0x1000)?.lines).toEqual(["the segment's own words"]);
  expect(describe(frame, findAt(frame, 0x3000), 0x3000)?.lines).toEqual(['outside of the heap']);
  expect(describe(frame, findAt(frame, 0x20000), 0x20000)).toBeUndefined();
});

it('between the blocks of a foreign heap nothing was recorded, and a long stretch says how much', () => {
  const foreign = { ...frame, wordSize: 0 as const };
  expect(describe(foreign, findAt(foreign, 0x1000), 0x1000)?.lines).toEqual(['no block was recorded here']);
  const long = { ...foreign, empty: emptyRuns([{ at: 0x1000, size: 0x4000, kind: EmptyKind.unrecorded }]) };
  expect(describe(long, findAt(long, 0x1000), 0x1000)?.lines.map(plain)).toEqual(['without a recorded block, 16 KiB']);
});

it('from far the shares of a cell are told', () => {
  const far = frameOf({
    chunks: undefined,
    bytesPerRow: 0x1000,
    rows: 2,
    cells: {
      cellsPerRow: 2,
      inUse: Uint8Array.of(0, 0, 128, 0),
      cached: Uint8Array.of(0, 0, 64, 0),
      pool: new Uint8Array(4),
      free: Uint8Array.of(0, 0, 51, 0),
      top: Uint8Array.of(0, 0, 0, 255),
      age: new Uint8Array(4),
    },
  });
  expect(describe(far, findAt(far, 0x1200), 0x1200)?.lines.map(plain)).toEqual([
    '2 KiB here: 50 % in use',
    '25 % cached',
    '20 % free',
  ]);
  expect(describe(far, findAt(far, 0x1a00), 0x1a00)?.lines.map(plain)).toEqual(['2 KiB here: 0 % in use', '100 % top']);
});

it('of several heaps the chunk names its own', () => {
  const other = { base: addr(0x5000), size: bytes(0x1000), heap: 2, firstChunk: addr(0x5000), tail: addr(0x5000) };
  const two = { ...frame, segments: [...frame.segments, other] };
  expect(plain(spoken(two, findAt(two, 0x1010), 0x1010))).toBe('0x0000_1004, free, 352 B, heap #1');
});

it('what of a slab is no block says so, and a block that it lies in one', () => {
  const slab = frameOf({
    chunks: [
      { at: 0x1004, size: 20, state: ChunkState.cached },
      { at: 0x1018, size: 24, state: ChunkState.inUse },
      { at: 0x1030, size: 24, state: ChunkState.cached },
      { at: 0x1048, size: 44, state: ChunkState.cached },
      { at: 0x1074, size: 80, state: ChunkState.cached },
      { at: 0x10c4, size: 40, state: ChunkState.cached },
    ],
  });
  const { chunks } = slab;
  if (chunks === undefined) throw new Error('no chunks');
  const parts = { ...slab, chunks: { ...chunks, slab: Uint8Array.of(2, 1, 1, 3, 4, 0) } };
  const said = [...chunks.address].map((at) => describe(parts, findAt(parts, at), at)?.lines.map(plain));
  expect(said).toEqual([
    ['a slab’s own words, 20 B'],
    ['in use, 24 B', 'in a slab'],
    ['cached, 24 B', 'in a slab'],
    ['the rest of a slab, 44 B'],
    ['where malloc notes slabs, 80 B'],
    ['cached, 40 B'],
  ]);
});
