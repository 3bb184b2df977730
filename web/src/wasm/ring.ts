// The reader's end of the event ring (event.h, R1 to R3): takes what was written since the last time.
//
//   records   | ... newest | (free) | oldest unread ... |     unread records lie in one run, or in two when they wrap:
//               ^ second run          ^ first run             one block copy each, never one per record
//
// `unreadIn` and `setTail` are all that reads a ring, in a page, a worker, Node and linked programs (web/src/record/linked).

import { kEventLayout, kRingLayout } from '../protocol/event_layout.ts';
import type { HeapViews } from './heap_views.ts';

const kRecordWords = kEventLayout.bytes / 4;

/** Where drained records go. The words are valid during the call only. */
export interface EventSink {
  append(records: Uint32Array): void;
  /** So many events before the next ones were overwritten unread. */
  lost(count: number): void;
}

/** What waits in a ring. The runs are views, valid until memory grows. */
export interface Unread {
  /** The number of the first record; it and the ones behind it: `count`. */
  readonly from: number;
  readonly count: number;
  /** Records before `from` that were overwritten unread. */
  readonly lost: number;
  readonly runs: readonly [Uint32Array, Uint32Array];
}

/** A field of the ring whose address is `ring`. */
export const ringWord = (words: Uint32Array, ring: number, offset: number): number =>
  words[(ring + offset) >>> 2] as number;

/** A 64-bit number of the ring, by the offset of its low word. */
export const ringNumber = (words: Uint32Array, ring: number, low: number): number =>
  ringWord(words, ring, low) + ringWord(words, ring, low + 4) * 2 ** 32;

/** All records up to `head` that nobody took. `ring` is the address of an hg_ring in `words`. */
export function unreadIn(words: Uint32Array, ring: number, head: number): Unread {
  const tail = ringNumber(words, ring, kRingLayout.tailLow);
  const capacity = ringWord(words, ring, kRingLayout.capacity);
  const lost = Math.max(0, head - tail - capacity);
  const from = tail + lost;
  const count = head - from;
  const first = from % capacity;
  const inFirstRun = Math.min(count, capacity - first);
  const at = ringWord(words, ring, kRingLayout.records) >>> 2;
  const begin = at + first * kRecordWords;
  const firstRun = words.subarray(begin, begin + inFirstRun * kRecordWords);
  return { from, count, lost, runs: [firstRun, words.subarray(at, at + (count - inFirstRun) * kRecordWords)] };
}

/** All records up to `head` are taken. */
export function setTail(words: Uint32Array, ring: number, head: number): void {
  words[(ring + kRingLayout.tailLow) >>> 2] = head % 2 ** 32;
  words[(ring + kRingLayout.tailHigh) >>> 2] = Math.floor(head / 2 ** 32);
}

export class Ring {
  readonly #views: HeapViews;
  readonly #locate: () => number;

  /** `locate` is the module's hg_trace_ring: it brings head up to date (R4) and says where the ring is. */
  constructor(views: HeapViews, locate: () => number) {
    this.#views = views;
    this.#locate = locate;
  }

  /** What the ring says of itself, copied; the function writes that back. pre: nothing is unread */
  keepPlace(): () => void {
    const at = this.#locate() >>> 2;
    const fields = this.#views.views.u32.slice(at, at + kRingLayout.bytes / 4);
    return () => this.#views.views.u32.set(fields, at);
  }

  /** Takes all unread records. */
  drain(sink: EventSink): void {
    const ring = this.#locate() >>> 0;
    const words = this.#views.views.u32;
    const head = ringNumber(words, ring, kRingLayout.headLow);
    const { count, lost, runs } = unreadIn(words, ring, head);
    if (lost > 0) sink.lost(lost);
    for (const run of runs) if (run.length > 0) sink.append(run);
    if (lost + count > 0) setTail(this.#views.views.u32, ring, head);
  }
}
