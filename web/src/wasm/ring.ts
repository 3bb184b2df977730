// The reader's end of the event ring (event.h, R1 to R3): takes what was written since the last time.
//
//   records   | ... newest | (free) | oldest unread ... |     unread records lie in one run, or in two when they wrap:
//               ^ second run          ^ first run             one block copy each, never one per record

import { kEventLayout, kRingLayout } from '../protocol/event_layout.ts';
import type { HeapViews } from './heap_views.ts';

/** Where drained records go. The words are valid during the call only. */
export interface EventSink {
  append(records: Uint32Array): void;
  /** So many events before the next ones were overwritten unread. */
  lost(count: number): void;
}

export class Ring {
  readonly #views: HeapViews;
  readonly #locate: () => number;
  #at = 0; // address of the hg_ring

  /** `locate` is the module's hg_trace_ring: it brings head up to date (R4) and says where the ring is. */
  constructor(views: HeapViews, locate: () => number) {
    this.#views = views;
    this.#locate = locate;
  }

  /** Events ever written. */
  get head(): number {
    this.#at = this.#locate() >>> 0;
    return this.#position(kRingLayout.headLow, kRingLayout.headHigh);
  }

  /** Takes all unread records. */
  drain(sink: EventSink): void {
    const head = this.head;
    const capacity = this.#word(kRingLayout.capacity);
    let tail = this.#position(kRingLayout.tailLow, kRingLayout.tailHigh);
    if (head === tail) return;
    if (head - tail > capacity) {
      sink.lost(head - tail - capacity);
      tail = head - capacity;
    }
    const records = this.#word(kRingLayout.records);
    const first = tail % capacity;
    const inFirstRun = Math.min(head - tail, capacity - first);
    const inSecondRun = head - tail - inFirstRun;
    sink.append(this.#run(records + first * kEventLayout.bytes, inFirstRun));
    if (inSecondRun > 0) sink.append(this.#run(records, inSecondRun));
    this.#views.setWord(this.#at + kRingLayout.tailLow, head % 2 ** 32);
    this.#views.setWord(this.#at + kRingLayout.tailHigh, Math.floor(head / 2 ** 32));
  }

  #run(address: number, count: number): Uint32Array {
    const word = address >>> 2;
    return this.#views.views.u32.subarray(word, word + count * (kEventLayout.bytes / 4));
  }

  #word(field: number): number {
    return this.#views.word(this.#at + field);
  }

  #position(low: number, high: number): number {
    return this.#word(high) * 2 ** 32 + this.#word(low);
  }
}
