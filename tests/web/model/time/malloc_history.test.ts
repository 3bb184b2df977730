// What the cache did over time, against the states of all moments and a list of all events.

import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../../../web/src/base/random.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { detailOf } from '../../../../web/src/trace/trace.ts';
import { begin, cache, done, end, kSixChunks, kSize, release } from '../cached_events.ts';
import { Drive } from '../drive.ts';
import { type Line, traceOf } from '../small_events.ts';

let drive: Drive;
let occupied: number[]; // by sequence number: bytes in use and cached
beforeAll(async () => {
  drive = await Drive.start(21);
  drive.run(100, 80); // at first malloc has cached nothing
  drive.runMalloc(400, 60, 2);
  expect(drive.compare()).toBeUndefined();
  const slow = new History(drive.trace);
  occupied = [0];
  while (slow.head.seq < drive.trace.count) {
    slow.fold(1);
    occupied.push(slow.head.inUse + slow.head.cached);
  }
});

test('the greatest number of bytes in use and cached is that of the moments of a range', () => {
  const { malloc, inUse, head } = drive.history;
  const random = createRandom(4);
  const firstCached = occupied.findIndex((bytes, seq) => bytes !== inUse.at(seq));
  expect(firstCached).toBeGreaterThan(100);
  const ranges = [
    [0, head.seq],
    [0, firstCached - 1],
    [0, firstCached],
    [firstCached - 1, firstCached],
    [firstCached, firstCached],
    [firstCached, firstCached + 1],
  ];
  for (let i = 0; i < 300; ++i) {
    const from = random.below(head.seq);
    ranges.push([from, from + random.below(Math.min(head.seq - from, 1 << random.below(14)) + 1)]);
  }
  for (const [from = 0, to = 0] of ranges)
    expect(malloc.occupiedMax(inUse, from, to), `${from} to ${to}`).toBe(Math.max(...occupied.slice(from, to + 1)));
});

test('moves and sizes of the lists are those of the events', () => {
  const { trace, history } = drive;
  const moves: number[] = [];
  const sizes = new Map<number, { low: number; high: number }>();
  for (let event = 0; event < trace.count; ++event) {
    const [kind, size] = [trace.kind(event), trace.b(event)];
    if (kind === EventKind.cachedMoved) moves.push(event);
    if (kind !== EventKind.chunkCached && kind !== EventKind.chunkReused && kind !== EventKind.cachedEnded) continue;
    const list = detailOf(trace.head(event));
    const { low, high } = sizes.get(list) ?? { low: size, high: size };
    sizes.set(list, { low: Math.min(low, size), high: Math.max(high, size) });
  }
  expect(sizes.size).toBeGreaterThan(3);
  expect(Array.from({ length: history.malloc.moves.count }, (_, nth) => history.malloc.moves.at(nth))).toEqual(moves);
  expect(new Map(history.malloc.sizes)).toEqual(sizes);
});

test('a flush counts when chunks went back, at its end and with its beginning; an empty one does not', () => {
  const flush = (...chunks: readonly number[]): Line[] => [
    begin(Op.mallocFlush),
    ...chunks.flatMap((n) => [end(n, 1), release(n)]),
    done(Op.mallocFlush, 0, chunks.length * kSize),
  ];
  const lines = [...kSixChunks, ...flush(), cache(0), cache(2), ...flush(0, 2), ...flush(), cache(4), ...flush(4)];
  const history = new History(traceOf(lines));
  history.fold();
  expect(history.broken).toBeUndefined();
  const { flushBegins, flushEnds, flushChunks } = history.malloc;
  const found = Array.from({ length: flushEnds.count }, (_, n) => [
    flushBegins.at(n),
    flushEnds.at(n),
    flushChunks.at(n),
  ]);
  const first = kSixChunks.length + 4;
  const second = first + 6 + 3;
  expect(found).toEqual([
    [first, first + 5, 2],
    [second, second + 3, 1],
  ]);
});
