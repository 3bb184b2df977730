// A trace of malloc, event by event: what it writes, without malloc. Chunks of 72 bytes lie side by side.

import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import type { Line } from './small_events.ts';

export const kBase = 0x10000;
const kFirst = kBase + 12;
export const kFree = 65_536 - 16;
export const kSize = 72;
export const kList = 9;
export const kChunks = 6;

export const chunkNumber = (n: number): number => kFirst + n * kSize;

/** A heap with six chunks in use. */
export const kSixChunks: readonly Line[] = [
  [EventKind.heapCreated, 4, kBase + 12, 8, 0],
  [EventKind.segmentAdded, 0, kBase, 65_536, kFirst],
  ...Array.from({ length: kChunks }, (_, n): readonly Line[] => [
    [EventKind.chunkSplit, 0, chunkNumber(n), kSize, kFree - (n + 1) * kSize],
    [EventKind.chunkTaken, 0, chunkNumber(n), kSize, 60],
  ]).flat(),
  [EventKind.topChanged, 0, chunkNumber(kChunks), 0, 0],
];

export const cache = (n: number, thread = 1): Line => [EventKind.chunkCached, kList, chunkNumber(n), kSize, thread];
export const reuse = (n: number, request = 60): Line => [EventKind.chunkReused, kList, chunkNumber(n), kSize, request];
export const move = (n: number, from: number, to: number): Line => [
  EventKind.cachedMoved,
  kList,
  chunkNumber(n),
  from,
  to,
];
export const end = (n: number, holder: number): Line => [EventKind.cachedEnded, kList, chunkNumber(n), kSize, holder];
export const release = (n: number): Line => [EventKind.chunkReleased, 0, chunkNumber(n), kSize, 0];
export const begin = (op: Op, a = 0, b = 0): Line => [EventKind.opBegun, op, a, b, 0];
export const done = (op: Op, a = 0, b = 0): Line => [EventKind.opEnded, op, a, b, 0];

/** Two threads free, one takes again, the rest goes to the centre, one comes back, and two go to the heap. */
export const kTour: readonly Line[] = [
  cache(0),
  cache(1),
  [EventKind.threadChanged, 0, 2, 1, 0],
  cache(2, 2),
  cache(3, 2),
  reuse(3, 50),
  move(2, 2, 0),
  [EventKind.threadChanged, 0, 1, 2, 0],
  move(0, 1, 0),
  move(1, 1, 0),
  move(2, 0, 1),
  begin(Op.mallocFlush),
  end(2, 1),
  release(2),
  end(1, 0),
  release(1),
  [EventKind.chunksMerged, 0, chunkNumber(1), kSize, kSize],
  done(Op.mallocFlush, 0, 2 * kSize),
];
