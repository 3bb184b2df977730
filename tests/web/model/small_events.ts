// A trace of one size class, event by event: what the small front writes, without the small front.

import { EventKind, Shape } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

export type Line = readonly [kind: EventKind, detail: number, a: number, b: number, c: number];

export const kBase = 0x10000;
const kFirst = kBase + 12;
const kFree = 65_536 - 16;
export const kPool = 7;
export const kNodeSize = 32;
export const kNodes = 60;
export const kBlock = kFirst + 4;
const kBlockBytes = 16 + kNodes * kNodeSize;
const kChunk = kBlockBytes + 8;

export const nodeNumber = (n: number): number => kBlock + 16 + n * kNodeSize;

/** A heap, and a size class with one span whose nodes are all in the central list. */
export const kOneSpan: readonly Line[] = [
  [EventKind.heapCreated, 4, kBase + 12, 8, 0],
  [EventKind.segmentAdded, 0, kBase, 65_536, kFirst],
  [EventKind.chunkSplit, 0, kFirst, kChunk, kFree - kChunk],
  [EventKind.chunkTaken, 0, kFirst, kChunk, kBlockBytes],
  [EventKind.topChanged, 0, kFirst + kChunk, 0, 0],
  [EventKind.poolCreated, kPool, 0x500, kNodeSize, kNodes],
  [EventKind.poolShaped, kPool, 0, 0, Shape.sizeClass],
  [EventKind.poolRuled, kPool, 16, 0, kBlockBytes],
  [EventKind.blockMade, kPool, kBlock, kBlockBytes, 0],
];

export const take = (n: number): Line => [EventKind.nodeTaken, kPool, nodeNumber(n), 0, 0];
export const giveBack = (n: number): Line => [EventKind.nodeReturned, kPool, nodeNumber(n), 0, 0];
export const fetch = (count: number, thread: number): Line => [
  EventKind.batchFetched,
  kPool,
  nodeNumber(0),
  count,
  thread,
];
export const store = (count: number, thread: number): Line => [
  EventKind.batchStored,
  kPool,
  nodeNumber(0),
  count,
  thread,
];
export const act = (thread: number, before: number): Line => [EventKind.threadChanged, 0, thread, before, 0];
export const retire: Line = [EventKind.blockRetired, kPool, kBlock, kBlockBytes, 0];

/** A producer takes nodes, a consumer gives them back, and they come round through the central list. */
export const kRound: readonly Line[] = [
  fetch(32, 1),
  take(0),
  take(1),
  take(2),
  act(2, 1),
  giveBack(0),
  giveBack(1),
  store(2, 2),
  act(3, 2),
  fetch(8, 3),
  take(0),
];

export function traceOf(lines: readonly Line[]): Trace {
  const trace = new Trace();
  for (const [kind, detail, a, b, c] of lines) trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  return trace;
}
