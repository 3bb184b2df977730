// The events of one run, in order, never changed once written.
//
//   segment n holds events [n * 65,536, (n + 1) * 65,536) as they lie in the ring: four words a record
//
//        | head a b c | head a b c | ...        1 MiB a segment
//
//   T1  Event number i is the fact that leads from sequence number i to i + 1.
//   T2  A segment is allocated whole and never moved: ten million events are 153 segments and no copy.
//   T3  Records stay interleaved, because everything that reads one event reads all of it: one cache line, and a drain
//       or a file segment is one block copy.
//   T4  Words beyond count are 0, and kind 0 is never written.

import { type EventKind, kEventLayout, kTraceVersion } from '../protocol/event_layout.ts';

export const kSegmentBits = 16;
export const kSegmentEvents = 1 << kSegmentBits;
const kSegmentMask = kSegmentEvents - 1;
export const kEventWords = kEventLayout.bytes / 4;

/** Fields of word 0. */
export const kindOf = (head: number): EventKind => (head & 0xff) as EventKind;
export const heapOf = (head: number): number => (head >>> 8) & 0xff;
export const detailOf = (head: number): number => head >>> 16;
/** Word 0 from its fields. */
export const headOf = (kind: EventKind, heap: number, detail = 0): number =>
  (kind | (heap << 8) | (detail << 16)) >>> 0;

export class Trace {
  /** Of event.h, when the records were written. */
  readonly version: number;
  readonly #segments: Uint32Array[] = [];
  #count = 0;

  constructor(version: number = kTraceVersion) {
    this.version = version;
  }

  /** Events so far. */
  get count(): number {
    return this.#count;
  }

  /** The words of segment n, records beyond the count are zeros. */
  segment(n: number): Uint32Array | undefined {
    return this.#segments[n];
  }

  /** Appends whole records: four words each. The words are copied. */
  append(records: Uint32Array): void {
    let from = 0;
    while (from < records.length) {
      const at = (this.#count & kSegmentMask) * kEventWords;
      if (at === 0) this.#segments.push(new Uint32Array(kSegmentEvents * kEventWords));
      const segment = this.#segments[this.#segments.length - 1] as Uint32Array;
      const words = Math.min(records.length - from, segment.length - at);
      segment.set(records.subarray(from, from + words), at);
      from += words;
      this.#count += words / kEventWords;
    }
  }

  appendEvent(head: number, a: number, b: number, c: number): void {
    this.append(Uint32Array.of(head, a, b, c));
  }

  head(event: number): number {
    return this.#word(event, 0);
  }
  a(event: number): number {
    return this.#word(event, 1);
  }
  b(event: number): number {
    return this.#word(event, 2);
  }
  c(event: number): number {
    return this.#word(event, 3);
  }
  kind(event: number): EventKind {
    return kindOf(this.#word(event, 0));
  }

  #word(event: number, word: number): number {
    return this.#segments[event >>> kSegmentBits]?.[(event & kSegmentMask) * kEventWords + word] ?? 0;
  }
}
