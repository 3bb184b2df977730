import { describe, expect, it } from 'vitest';
import { addr, bytes, seq } from '../../../../web/src/base/brand.ts';
import {
  bytesLines,
  headerParts,
  kindText,
  poolRows,
  rowsOf,
  stateLine,
} from '../../../../web/src/panels/chunk/inspector_words.ts';
import type { InspectFrame } from '../../../../web/src/panels/chunk/part.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';

const free: InspectFrame = {
  asked: addr(0x41a30),
  what: 'chunk',
  heap: 1,
  chunk: addr(0x41a30),
  size: bytes(352),
  usable: bytes(348),
  state: ChunkState.free,
  bornAt: seq(12),
  request: undefined,
  headerWord: 352 | 2,
  headerFrom: 'memory',
  previousInUse: true,
  inUse: false,
  holdsBlock: false,
  bin: { bin: 14, low: bytes(352), high: bytes(352), count: 3, bytes: bytes(1056) },
  nextFree: addr(0x46e10),
  prevFree: addr(0x39040),
  previous: { address: addr(0x419d0), size: bytes(96), state: ChunkState.inUse },
  next: { address: addr(0x41b90), size: bytes(48), state: ChunkState.poolBlock },
  pool: undefined,
  block: undefined,
  node: undefined,
  life: [],
  bytes: undefined,
};
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

describe('the inspector', () => {
  it('says state, bin and links in one line', () => {
    expect(stateLine(free)).toBe('free · bin 14 · 2 links');
    expect(stateLine({ ...free, prevFree: undefined })).toBe('free · bin 14 · 1 link');
    expect(
      stateLine({ ...free, bin: undefined, nextFree: undefined, prevFree: undefined, state: ChunkState.top }),
    ).toBe('top');
    expect(stateLine({ ...free, what: 'outside' })).toBe('outside of every heap');
  });

  it('decodes the header word as it stands, whatever the state says', () => {
    const texts = (word: number) => headerParts({ ...free, headerWord: word }).map((part) => part.text);
    expect(texts(0x160 | 2)).toEqual(['size 0x0160', 'B 0', 'P 1', 'C 0']);
    expect(texts(0x1008 | 7)).toEqual(['size 0x1008', 'B 1', 'P 1', 'C 1']);
    expect(texts(-8 | 1)).toEqual(['size 0xfffffff8', 'B 0', 'P 0', 'C 1']);
  });

  it('lists neighbours and links, each leading to its chunk', () => {
    const rows = rowsOf(free).map(({ name, text, link }) => [name, plain(text), link]);
    expect(rows).toContainEqual(['previous', '0x0004_19d0 in use 96 B', 0x419d0]);
    expect(rows).toContainEqual(['next', '0x0004_1b90 pool 48 B', 0x41b90]);
    expect(rows).toContainEqual(['next free', '0x0004_6e10 →', 0x46e10]);
    expect(rows.some(([name]) => name === 'request')).toBe(false);
  });

  it('of a node shows the node, its block and the chunk around them', () => {
    const node: InspectFrame = {
      ...free,
      what: 'node',
      bin: undefined,
      state: ChunkState.poolBlock,
      pool: 2,
      block: { address: addr(0x41a34), size: bytes(348), freeNodes: 1200 },
      node: { address: addr(0x41a50), size: bytes(24), inUse: true },
    };
    expect(kindText(node)).toBe('Node');
    expect(plain(stateLine(node))).toBe('in use · 24 B · pool #2');
    expect(plain(stateLine(node, new Map([[2, 'span of class 24']])))).toBe('in use · 24 B · span of class 24');
    expect(poolRows(node).map(({ name, text, link }) => [name, plain(text), link])).toEqual([
      ['block', '0x0004_1a34', 0x41a34],
      ['block size', '348 B', undefined],
      ['free nodes', '1,200', undefined],
      ['chunk', '0x0004_1a30', 0x41a30],
    ]);
    expect(poolRows(free)).toEqual([]);
  });

  it('of a block of a size class shows where the blocks of its class are', () => {
    const row = {
      pool: 2,
      nodeSize: bytes(24),
      spans: 1,
      nodes: 2000,
      central: 1500,
      inUse: 400,
      cached: Uint32Array.of(100, 0),
    };
    const small = { row, threads: Uint32Array.of(1, 2), lastThread: 2 };
    expect(poolRows({ ...free, small }).map(({ name, text }) => [name, text])).toEqual([
      ['last thread', '2'],
      ['class in use', '400'],
      ['central list', '1,500'],
      ['cache of thread 1', '100'],
    ]);
  });

  it('writes bytes eight to a line, the unprintable as dots', () => {
    const lines = bytesLines(0x41a30, Uint8Array.of(0x62, 1, 0, 0, 0x41, 0x42, 0x20, 0xff, 0x7a));
    expect(lines).toEqual([
      { address: '1a30', hex: '62 01 00 00 41 42 20 ff', text: 'b...AB..' },
      { address: '1a38', hex: '7a', text: 'z' },
    ]);
  });
});

it('a chunk that malloc caches says on which list it is, and whose that is', () => {
  const cached = { list: 9, low: bytes(72), high: bytes(72), holder: 2 };
  const { bin: _, ...chunk } = free;
  const line = (part: typeof cached | (Omit<typeof cached, 'list'> & { readonly list: undefined })) =>
    plain(stateLine({ ...chunk, bin: undefined, state: ChunkState.cached, cached: part }));
  expect(line(cached)).toBe('cached · on list 9 (chunks of 72 B) of thread 2');
  expect(line({ ...cached, high: bytes(80), holder: 0 })).toBe(
    'cached · on list 9 (chunks of 72 B to 80 B) at the centre, for every thread',
  );
  expect(line({ ...cached, list: undefined })).toBe('cached · on a list of thread 2');
  const neighbour = { address: addr(0x41b90), size: bytes(48), state: ChunkState.cached };
  const next = rowsOf({ ...free, next: neighbour }).find((row) => row.name === 'next');
  expect(plain(next?.text ?? '')).toBe('0x0004_1b90 cached 48 B');
});
