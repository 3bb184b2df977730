// What malloc does, as prose.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import {
  begin,
  cache,
  chunkNumber,
  done,
  end,
  kFree,
  kSixChunks,
  kSize,
  kTour,
  move,
  release,
  reuse,
} from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

function explanationOf(lines: readonly Line[]): string {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const explain = explainOperation(history, history.head.seq);
  return `${explain?.title}. ${explain?.prose.map((part) => part.text).join('')}`.replaceAll('\u202f', ' ');
}

const mem = chunkNumber(0) + 4;

test('a freed block goes to a cache list, and the next request takes it from there', () => {
  const freed = [begin(Op.deallocate, mem), cache(0), done(Op.deallocate)];
  expect(explanationOf(freed)).toMatch(
    /was given back\. The chunk at 0x0001_000c, 72 B, goes to cache list 9 of thread 1\. .*nothing is joined\.$/,
  );
  const taken = [...freed, begin(Op.allocate, 0, 60), reuse(0), done(Op.allocate, mem, 68)];
  expect(explanationOf(taken)).toMatch(
    /^allocate 60 B: 0x0001_0010\. 60 B were requested\. Cache list 9 had the chunk at .*, 72 B: it is given out again/,
  );
});

test('a cached chunk that makes room is not the block, which is given back when it is cached itself', () => {
  const before = [cache(0), begin(Op.deallocate, chunkNumber(1) + 4), end(0, 1), release(0)];
  const story = explanationOf(before);
  expect(story).toContain('is to be given back.');
  expect(story).toMatch(/malloc frees the chunk at 0x0001_000c, 72 B\./);
  expect(explanationOf([...before, cache(1)])).toContain('was given back.');
});

test.each([
  [0, 16, 'With its header that is a chunk of 16 B'],
  [16, 1024, 'A slab is to be made, which needs 1 KiB in one piece'],
  [256, 4096, 'A slab is to be made, which needs 4 KiB in one piece'], // with threads
  [1000, 1024, 'With its header that is a chunk of 1 KiB'],
  [4000, 4240, 'With its header that is a chunk of 4.14 KiB'],
])('for %i bytes the heap is asked for %i: a chunk of the block, or a slab', (request, searched, sentence) => {
  const lines: Line[] = [begin(Op.allocate, 0, request), [EventKind.binSearched, 1, searched, 0, 0]];
  expect(explanationOf(lines)).toContain(sentence);
});

test('a flush is told as a whole, inside an allocation too', () => {
  expect(explanationOf(kTour)).toMatch(
    /^flush the cache into the heap\. The cache was flushed: 2 chunks, 144 B, went back to the heap, which joined neighbours once\.$/,
  );
  const inside = [
    cache(0),
    begin(Op.allocate, 0, 5000),
    begin(Op.mallocFlush),
    end(0, 1),
    release(0),
    done(Op.mallocFlush, 0, kSize),
    [EventKind.opEnded, Op.allocate, 0, 0, 1] as Line,
  ];
  expect(explanationOf(inside)).toMatch(/No cached chunk fitted, and malloc flushed its cache first: 1 chunk, 72 B,/);
  // What comes behind a flush is told, too: here another one, at once.
  const [ended] = inside.slice(-1);
  const twice = [
    ...inside.slice(0, -1),
    begin(Op.mallocFlush),
    done(Op.mallocFlush),
    ...(ended === undefined ? [] : [ended]),
  ];
  expect(explanationOf(twice).match(/flushed its cache first/g)).toHaveLength(2);
  const nothing = [begin(Op.mallocFlush), done(Op.mallocFlush)];
  expect(explanationOf(nothing)).toMatch(/: it was empty\.$/);
});

test('chunks that change their holder are told as one batch', () => {
  const batch = [cache(0), cache(1), begin(Op.deallocate, mem), move(0, 1, 0), move(1, 1, 0), done(Op.deallocate)];
  expect(explanationOf(batch)).toMatch(/ 2 chunks went from thread 1 to the central lists\.$/);
});

test('chunks that are cut ahead of requests are told once', () => {
  const top = (at: number, was: number): Line => [EventKind.topChanged, 0, at, was, 0];
  const cut = (n: number): Line[] => [
    [EventKind.chunkSplit, 0, chunkNumber(n), kSize, kFree - (n + 1) * kSize],
    [EventKind.chunkTaken, 0, chunkNumber(n), kSize, 60],
  ];
  const asked = [
    begin(Op.allocate, 0, 60),
    top(0, chunkNumber(6)),
    ...cut(6),
    top(chunkNumber(7), 0),
    top(0, chunkNumber(7)),
    ...cut(7),
    ...cut(8),
    top(chunkNumber(9), 0),
    cache(8),
    cache(7),
    done(Op.allocate, chunkNumber(6) + 4, 68),
  ];
  const explanation = explanationOf(asked);
  expect(explanation).toContain(
    ' This size is asked for often, so 2 more chunks of 72 B were cut behind it, and are cached.',
  );
  expect(explanation.match(/stay top/g)).toHaveLength(1);
  expect(explanation).not.toContain('cache list');
});

test('chunks that go the same way are told of together, and each way by itself', () => {
  const caches = [0, 1, 2, 3].map((n) => cache(n));
  const moved = (...moves: readonly Line[]) =>
    explanationOf([...caches, begin(Op.allocate, 0, 60), ...moves, reuse(0), done(Op.allocate, mem, 68)]);
  expect(moved(move(1, 1, 0))).toMatch(/ 1 chunk went from thread 1 to the central lists\. [^.]*Cache list/);
  expect(moved(move(1, 1, 0), move(2, 1, 0), move(3, 1, 0), move(2, 0, 1))).toMatch(
    / 3 chunks went from thread 1 to the central lists\. 1 chunk went from the central lists to thread 1\. [^.]*Cache list/,
  );
});
