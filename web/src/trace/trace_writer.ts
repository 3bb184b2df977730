// Writes a trace file piece by piece, while the events come. Whatever was handed out so far is a file that a reader
// opens: cut, but without damage.

import { EventKind, kTraceVersion } from '../protocol/event_layout.ts';
import {
  encodeEnd,
  encodeHeader,
  encodePackedSegment,
  encodePlainSegment,
  kTraceFileVersion,
  type SegmentPlace,
  type TraceNotes,
} from './file_parts.ts';
import type { Packed } from './pack.ts';
import { kEventWords, kindOf, kSegmentEvents } from './trace.ts';

type Piece = Uint8Array<ArrayBuffer>;

/** What a writer puts into its file beside the events. */
export interface TraceFileWriterOptions {
  readonly wordSize?: 4 | 8;
  readonly notes?: TraceNotes;
  /** Of the records, when they are of an older trace. */
  readonly traceVersion?: number;
  /** packRecords of pack.ts; without it the segments are plain, 16 bytes an event. */
  readonly pack?: (records: Uint32Array) => Packed;
}

/**
 * Writes a trace file in pieces, as the events come. All pieces so far are a file that can be read.
 *
 * @example
 * const writer = new TraceFileWriter({ pack: packRecords });
 * for (const piece of writer.append(records)) file.write(piece); // and writer.flush() now and then
 * for (const piece of writer.end()) file.write(piece);
 */
export class TraceFileWriter {
  readonly #options: TraceFileWriterOptions;
  readonly #waiting = new Uint32Array(kSegmentEvents * kEventWords);
  #waitingWords = 0;
  readonly #segments: SegmentPlace[] = [];
  #events = 0; // in segments
  #offset = 0; // bytes handed out

  constructor(options: TraceFileWriterOptions = {}) {
    this.#options = options;
  }

  /** Events appended so far. */
  get count(): number {
    return this.#events + this.#waitingWords / kEventWords;
  }

  /** Takes whole records, four words each; what of the file is ready. Events wait until they are 65,536. */
  append(records: Uint32Array): Piece[] {
    const pieces: Piece[] = [];
    for (let from = 0; from < records.length; ) {
      const words = Math.min(records.length - from, this.#waiting.length - this.#waitingWords);
      this.#waiting.set(records.subarray(from, from + words), this.#waitingWords);
      this.#waitingWords += words;
      from += words;
      if (this.#waitingWords === this.#waiting.length) pieces.push(...this.flush());
    }
    return pieces;
  }

  /** What waits, as a segment: so that a cut costs less, and a reader can follow. */
  flush(): Piece[] {
    const pieces = this.#begun();
    if (this.#waitingWords === 0) return pieces;
    const records = this.#waiting.subarray(0, this.#waitingWords);
    const events = records.length / kEventWords;
    const { pack } = this.#options;
    const piece =
      pack === undefined
        ? encodePlainSegment(records, this.#events)
        : encodePackedSegment(pack(records), events, this.#events);
    const hasSnapshot = firstSnapshotIn(records) !== undefined;
    this.#segments.push({ offset: this.#offset, first: this.#events, events, hasSnapshot });
    this.#waitingWords = 0;
    this.#events += events;
    return [...pieces, this.#handOut(piece)];
  }

  /** The rest of the file, with its index and its end. */
  end(): Piece[] {
    const pieces = this.flush();
    return [...pieces, this.#handOut(encodeEnd(this.#segments, this.#events, this.#offset))];
  }

  #begun(): Piece[] {
    if (this.#offset !== 0) return [];
    const { wordSize = 4, notes = {}, traceVersion = kTraceVersion } = this.#options;
    return [this.#handOut(encodeHeader(wordSize, notes, traceVersion, kTraceFileVersion))];
  }

  #handOut(piece: Piece): Piece {
    this.#offset += piece.length;
    return piece;
  }
}

/** The first event of the records that begins a snapshot. */
export function firstSnapshotIn(records: Uint32Array): number | undefined {
  for (let at = 0; at < records.length; at += kEventWords) {
    if (kindOf(records[at] as number) === EventKind.snapshotBegun) return at / kEventWords;
  }
  return undefined;
}

/** The pieces as one array. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
