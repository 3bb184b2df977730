// Takes the event records out of the module's ring and keeps them all, for a heap made with `trace: true`.
//
// The ring runs lossless: when it is full the module calls the import heapglass.drain, which ends here, some 16,384
// records at a time; between those calls nothing of JavaScript runs per event.

import { EventKind } from '../protocol/event_layout.ts';
import { MarkCode, textRecords } from '../trace/texts.ts';
import { headOf, kEventWords, kSegmentEvents, Trace } from '../trace/trace.ts';
import type { HeapViews } from '../wasm/heap_views.ts';
import { type EventSink, Ring } from '../wasm/ring.ts';

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

  /** Before memory is set back; the function is called behind it, and the ring goes on where it was. */
  keepPlace(): () => void {
    this.drain();
    return this.#ring.keepPlace();
  }

  append(records: Uint32Array): void {
    this.#trace.append(records);
  }

  lost(count: number): void {
    throw new Error(`a lossless ring lost ${count} events`);
  }

  /** Writes a mark with a name behind the events so far (event.P5). */
  name(heap: number, text: string): void {
    this.markOf(heap, text)();
  }

  /** The same, made now and written by the call of what it gives. */
  markOf(heap: number, text: string): () => void {
    const records = namedMark(heap, text);
    return () => {
      this.drain();
      this.#trace.append(records);
    };
  }

  /** Writes an event of the host behind the events so far. */
  note(kind: EventKind, a: number, b: number): void {
    this.drain();
    this.#trace.append(Uint32Array.of(headOf(kind, 0, 0), a, b, 0));
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

/** The texts, then the mark that takes them. */
function namedMark(heap: number, name: string): Uint32Array {
  const texts = textRecords(name);
  const records = new Uint32Array(texts.length + kEventWords);
  records.set(texts);
  records[texts.length] = headOf(EventKind.mark, heap, MarkCode.named);
  return records;
}
