// The events of one run, in order, never changed once written.
//
//   segment n holds events [n * 65,536, (n + 1) * 65,536) as they lie in the ring: four words a record
//
//        | head a b c | head a b c | ...        1 MiB a segment
//
//   T1  Event number i is the fact that leads from sequence number i to i + 1.
//   T2  A segment is allocated whole. The newest eight stay as they are; of those before, which are full and never change, a few that were
//       looked at last are there as words, and all as bytes (compact_segment.ts): two to five an event instead of 16.
//   T3  Records stay interleaved, because everything that reads one event reads all of it: one cache line, and a drain
//       or a file segment is one block copy.
//   T4  Words beyond count are 0, and kind 0 is never written.

import { type EventKind, kEventLayout, kTraceVersion } from '../protocol/event_layout.ts';
import { compact, readCompact } from './compact_segment.ts';

export const kSegmentBits = 16;
export const kSegmentEvents = 1 << kSegmentBits;
const kSegmentMask = kSegmentEvents - 1;
export const kEventWords = kEventLayout.bytes / 4;
const kNewest = 8; // T2: segments, 1 MiB each
const kLookedAt = 12;

/** The kind of an event, from its head: the first word of its record. */
export const kindOf = (head: number): EventKind => (head & 0xff) as EventKind;
/** The number of the heap, from the head of an event. */
export const heapOf = (head: number): number => (head >>> 8) & 0xff;
/** The 16 bits of detail, from the head of an event. */
export const detailOf = (head: number): number => head >>> 16;
/** Word 0 from its fields. */
export const headOf = (kind: EventKind, heap: number, detail = 0): number =>
  (kind | (heap << 8) | (detail << 16)) >>> 0;

/** The events of one run, in order. It grows at the end and never changes. */
export class Trace {
  /** Of event.h, when the records were written. */
  readonly version: number;
  readonly #segments: Uint32Array[] = []; // from #compact.length on
  readonly #compact: Uint8Array[] = [];
  readonly #newest: number;
  readonly #lookedAt = new Map<number, Uint32Array>(); // the longest unused first
  #last: Uint32Array | undefined; // segment number #lastNumber, the last that was looked at
  #lastNumber = -1;
  #count = 0;
  /** How often a segment was read back from its bytes. */
  readBack = 0;

  /** `newest`: segments kept as words (T2). */
  constructor(version: number = kTraceVersion, newest = kNewest) {
    this.version = version;
    this.#newest = newest;
  }

  /** Events so far. */
  get count(): number {
    return this.#count;
  }

  /** Bytes that hold the events. */
  get bytes(): number {
    const arrays = [...this.#segments, ...this.#compact, ...this.#lookedAt.values()];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** The words of segment n, records beyond the count are zeros. Who goes through many events takes them in their order. */
  segment(n: number): Uint32Array | undefined {
    if (n === this.#lastNumber) return this.#last;
    const words = n < this.#compact.length ? this.#lookAt(n) : this.#segments[n - this.#compact.length];
    this.#last = words;
    this.#lastNumber = words === undefined ? -1 : n;
    return words;
  }

  #lookAt(n: number): Uint32Array {
    const known = this.#lookedAt.get(n);
    if (known === undefined) this.readBack += 1;
    const words = known ?? readCompact(this.#compact[n] as Uint8Array, kSegmentEvents);
    this.#lookedAt.delete(n);
    this.#lookedAt.set(n, words);
    if (this.#lookedAt.size > kLookedAt) {
      for (const oldest of this.#lookedAt.keys()) {
        this.#lookedAt.delete(oldest);
        break;
      }
    }
    return words;
  }

  /** Appends whole records: four words each. The words are copied. */
  append(records: Uint32Array): void {
    let from = 0;
    while (from < records.length) {
      const at = (this.#count & kSegmentMask) * kEventWords;
      if (at === 0) this.#beginSegment();
      const segment = this.#segments[this.#segments.length - 1] as Uint32Array;
      const words = Math.min(records.length - from, segment.length - at);
      segment.set(records.subarray(from, from + words), at);
      from += words;
      this.#count += words / kEventWords;
    }
  }

  /** T2 */
  #beginSegment(): void {
    if (this.#segments.length === this.#newest) {
      this.#compact.push(compact(this.#segments.shift() as Uint32Array));
      this.#lastNumber = -1; // its words need not be kept
      this.#last = undefined;
    }
    this.#segments.push(new Uint32Array(kSegmentEvents * kEventWords));
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
    return this.segment(event >>> kSegmentBits)?.[(event & kSegmentMask) * kEventWords + word] ?? 0;
  }
}
