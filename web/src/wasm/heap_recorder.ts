// Takes the event records out of the module's ring and keeps them all, for a heap made with `trace: true`.
//
// The ring runs lossless: when it is full the module calls the import heapglass.drain, which ends here, some 16,384
// records at a time; between those calls nothing of JavaScript runs per event.

import { kEventWords, kSegmentEvents, Trace } from '../trace/trace.ts';
import type { HeapViews } from './heap_views.ts';
import { type EventSink, Ring } from './ring.ts';

export class EventRecorder implements EventSink {
  readonly #ring: Ring;
  readonly #trace = new Trace();

  constructor(views: HeapViews, locate: () => number) {
    this.#ring = new Ring(views, locate);
  }

  /** Takes what the ring holds unread. O(unread). */
  drain(): void {
    this.#ring.drain(this);
  }

  append(records: Uint32Array): void {
    this.#trace.append(records);
  }

  lost(count: number): void {
    throw new Error(`a lossless ring lost ${count} events`);
  }

  /** All events so far. */
  get trace(): Trace {
    this.drain();
    return this.#trace;
  }

  /** Records of the events from number `from` on, in one piece. */
  records(from: number): Uint8Array<ArrayBuffer> {
    const { trace } = this;
    const first = Math.max(0, Math.min(Math.floor(from), trace.count));
    const words = new Uint32Array((trace.count - first) * kEventWords);
    for (let seq = first; seq < trace.count; ) {
      const n = Math.floor(seq / kSegmentEvents);
      const end = Math.min(trace.count, (n + 1) * kSegmentEvents);
      const begin = n * kSegmentEvents;
      const part = trace.segment(n)?.subarray((seq - begin) * kEventWords, (end - begin) * kEventWords);
      if (part !== undefined) words.set(part, (seq - first) * kEventWords);
      seq = end;
    }
    return new Uint8Array(words.buffer);
  }
}
