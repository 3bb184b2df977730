// Slabs of malloc come and go (event.P8): which parts a chunk is cut into, which chunks the blocks in use become when their slab ends, and
// what of it cannot be.

import { describe, expect, test } from 'vitest';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind, kSlabLists, kSlabWords } from '../../../../web/src/protocol/event_layout.ts';
import { type Line, traceOf } from '../small_events.ts';

const kBase = 0x10000;
const kChunk = kBase + 12;
const kFree = 65_536 - 16;
const kOwn = 16;
const kList = kSlabLists + 2;

/** A heap with one chunk in use, of so many bytes. */
const chunkOf = (size: number): readonly Line[] => [
  [EventKind.heapCreated, 4, kChunk, 8, 0],
  [EventKind.segmentAdded, 0, kBase, 65_536, kChunk],
  [EventKind.chunkSplit, 0, kChunk, size, kFree - size],
  [EventKind.chunkTaken, 0, kChunk, size, size],
  [EventKind.topChanged, 0, kChunk + size, 0, 0],
];

/** A slab of blocks in a chunk that has so many bytes behind the last. */
class Slab {
  readonly size: number;
  readonly made: Line;
  readonly ended: Line;
  readonly #bytes: number;

  constructor(bytes: number, count: number, rest = 16) {
    this.size = kOwn + bytes * count + rest;
    this.made = [EventKind.slabMade, kList, kChunk, bytes, count];
    this.ended = [EventKind.slabEnded, kList, kChunk, bytes, count];
    this.#bytes = bytes;
  }

  lines(...used: readonly number[]): readonly Line[] {
    return [...chunkOf(this.size), this.made, ...used.map((block) => this.take(block))];
  }

  take(block: number): Line {
    return [EventKind.chunkReused, kList, kChunk + kOwn + block * this.#bytes, this.#bytes, this.#bytes];
  }
}

function told(lines: readonly Line[]): History {
  const history = new History(traceOf(lines));
  history.fold();
  return history;
}
function fits(lines: readonly Line[]): History {
  const history = told(lines);
  expect(history.broken).toBeUndefined();
  return history;
}

/** Where each chunk begins behind the first, its bytes and its birth; top is left out. */
function chunksOf({ head }: History): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (const segment of head.segments)
    forEachChunk(head, segment, (at, granule) =>
      found.push([at - kChunk, head.sizeOf(granule), head.born[granule] ?? 0]),
    );
  return found.slice(0, -1);
}

/** Taking back every event gives what the events before it alone make. */
function expectUndone(lines: readonly Line[]): void {
  const history = fits(lines);
  history.keyframes.splice(0); // only events lead the way
  const travel = new TimeTravel(history);
  for (const at of [
    history.head.seq,
    ...Array.from({ length: history.head.seq + 1 }, (_, n) => history.head.seq - n),
  ]) {
    travel.seek(at);
    expect(captureKeyframe(travel.state), `at ${at}`).toEqual(captureKeyframe(told(lines.slice(0, at)).head));
  }
}

const kMade = chunkOf(0).length; // the event that makes the slab

test('a slab is its own words, its blocks and a rest, none of them in use for anybody', () => {
  const slab = new Slab(32, 6, 24);
  const history = fits(slab.lines());
  const blocks = [0, 1, 2, 3, 4, 5].map((block) => [kOwn + 32 * block, 32, kMade]);
  expect(chunksOf(history)).toEqual([[0, kOwn, kMade], ...blocks, [208, 24, kMade]]);
  expect(history.head.heap(1)).toMatchObject({ chunksInUse: 0, chunksCached: 6, cached: slab.size, inUse: 0 });
});

test('a slab without blocks is one chunk that nobody has, and is in use again when it ends', () => {
  const lines: readonly Line[] = [...chunkOf(64), [EventKind.slabMade, kSlabWords, kChunk, 0, 0]];
  expect(fits(lines).head.heap(1)).toMatchObject({ chunksInUse: 0, chunksCached: 0, cached: 64 });
  const ended = [...lines, [EventKind.slabEnded, kSlabWords, kChunk, 0, 0] as Line];
  const history = fits(ended);
  expect(history.head.heap(1)).toMatchObject({ chunksInUse: 1, chunksCached: 0, inUse: 64 });
  expect(chunksOf(history)).toEqual([[0, 64, kMade]]);
  expectUndone(ended);
});

describe('when a slab ends', () => {
  test.each<[string, Slab, readonly number[], readonly (readonly number[])[]]>([
    ['with no block in use, it is one chunk', new Slab(32, 6), [], [[0, 224]]],
    [
      'each block in use is a chunk with two words more, and so is what lies between',
      new Slab(32, 6),
      [1, 4],
      [
        [0, 48], // its own words and block 0
        [48, 40],
        [88, 56], // blocks 2 and 3
        [144, 40],
        [184, 40], // block 5 and the rest
      ],
    ],
    [
      'what is too short for a chunk belongs to the block before it',
      new Slab(16, 4),
      [0, 2],
      [
        [0, 16],
        [16, 32],
        [48, 24],
        [72, 24],
      ],
    ],
    [
      'four words between are a chunk',
      new Slab(24, 3),
      [0, 2],
      [
        [0, 16],
        [16, 32],
        [48, 16],
        [64, 40],
      ],
    ],
    [
      'four words behind the last are one too',
      new Slab(24, 1, 24),
      [0],
      [
        [0, 16],
        [16, 32],
        [48, 16],
      ],
    ],
  ])('%s', (_, slab, used, expected) => {
    const lines = [...slab.lines(...used), slab.ended];
    const history = fits(lines);
    const chunks = chunksOf(history);
    expect(chunks.map(([at, size]) => [at, size])).toEqual(expected);
    expect(history.head.heap(1)).toMatchObject({
      chunksInUse: expected.length,
      chunksCached: 0,
      cached: 0,
      inUse: slab.size,
    });
    const isBlock = (at: number) => used.some((block) => slab.take(block)[2] === kChunk + at);
    const births = chunks.filter(([at = 0]) => isBlock(at)).map(([, , born]) => born);
    expect(births, 'a block keeps its birth').toEqual(used.map((_block, nth) => kMade + 1 + nth));
    const others = chunks.slice(1).filter(([at = 0]) => !isBlock(at));
    for (const [, , born] of others) expect(born).toBe(lines.length - 1);
    expect(chunks[0]?.[2]).toBe(kMade);
    expectUndone(lines);
  });
});

const slab = new Slab(32, 6);
const impossible = (size: number, ...made: [list: number, bytes: number, count: number]): [readonly Line[], Line] => {
  const [list, bytes, count] = made;
  return [chunkOf(size), [EventKind.slabMade, list, kChunk, bytes, count]];
};
const ends = (list: number, bytes: number, count: number): Line => [EventKind.slabEnded, list, kChunk, bytes, count];
const tableOnly: readonly Line[] = [...chunkOf(64), [EventKind.slabMade, kSlabWords, kChunk, 0, 0]];
const kWrong: readonly (readonly [string, readonly [readonly Line[], Line], RegExp])[] = [
  ['made with a rest of eight bytes', impossible(216, kList, 32, 6), /6 blocks of 32 bytes in a chunk of 216 bytes is/],
  ['made on a list of no slab', impossible(224, 9, 32, 6), /is impossible/],
  ['made of no blocks on a list of blocks', impossible(224, kList, 0, 0), /without blocks is impossible/],
  ['made of no blocks of some bytes', impossible(224, kSlabWords, 32, 0), /without blocks is impossible/],
  ['made of a slab', [slab.lines(), slab.made], /is cached/],
  ['ended with two neighbours in use', [slab.lines(2, 3), slab.ended], /two neighbours .* are in use/],
  ['ended with the first two in use', [slab.lines(0, 1), slab.ended], /two neighbours .* are in use/],
  ['ended with the last two in use', [slab.lines(1, 4, 5), slab.ended], /two neighbours .* are in use/],
  ['ended with one block less', [slab.lines(), ends(kList, 32, 5)], /is not cached|cache list|is cached/],
  ['ended with one block more', [slab.lines(), ends(kList, 32, 7)], /has no block of 32 bytes behind/],
  ['ended with blocks of other bytes', [slab.lines(), ends(kList, 16, 6)], /has no block of 16 bytes behind/],
  ['ended on another list', [slab.lines(), ends(kList + 1, 32, 6)], /has no block of 32 bytes behind/],
  ['ended without blocks, on a list of blocks', [tableOnly, ends(kList, 0, 0)], /without blocks is impossible/],
  ['ended without blocks, of some bytes', [tableOnly, ends(kSlabWords, 8, 0)], /without blocks is impossible/],
  ['ended though it is none', [chunkOf(224), slab.ended], /is not cached/],
];

test.each(kWrong)('a slab that is %s is refused, and nothing has changed', (_, [before, line], text) => {
  const history = told([...before, line]);
  expect(history.broken).toMatchObject({ seq: before.length, text: expect.stringMatching(text) });
  expect(captureKeyframe(history.head)).toEqual(captureKeyframe(fits(before).head));
});
