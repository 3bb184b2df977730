// A trace as a file: packed, readable while it grows, when it was cut, and a part of it alone. The layout stands in
// file_parts.ts.

import { failure, type Result, success } from '../base/result.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { crc32OfWords } from './crc32.ts';
import { kEndMark, kIndexMark, kPartWords, type SegmentPlace, type TraceNotes } from './file_parts.ts';
import { packRecords } from './pack.ts';
import { headOf, kEventWords, kSegmentEvents, Trace } from './trace.ts';
import type { TraceFileError } from './trace_header.ts';
import { TraceFileReader } from './trace_reader.ts';
import { joined, TraceFileWriter } from './trace_writer.ts';

export { kTraceFileVersion, type SegmentPlace, type TraceNotes } from './file_parts.ts';
export { packRecords } from './pack.ts';
export type { TraceFileError, TraceFileHeader } from './trace_header.ts';
export { findUnknownKind, TraceFileReader } from './trace_reader.ts';
export { TraceFileWriter, type TraceFileWriterOptions } from './trace_writer.ts';

/** A trace file that was read. */
export interface TraceFile {
  readonly trace: Trace;
  readonly wordSize: 4 | 8;
  /** Of the records: kTraceVersion, or that of an older file. */
  readonly traceVersion: number;
  readonly notes: TraceNotes;
  /** What is missing, in words; undefined when the file is whole. */
  readonly notice: string | undefined;
}

/** The file of a whole trace. plain: 16 bytes an event, for readers without inflate. */
export function encodeTraceFile(
  trace: Trace,
  wordSize: 4 | 8,
  notes: TraceNotes,
  options: { readonly plain?: boolean } = {},
): ArrayBuffer {
  const pack = options.plain ? {} : { pack: packRecords };
  const writer = new TraceFileWriter({ wordSize, notes, traceVersion: trace.version, ...pack });
  const pieces: Uint8Array[] = [];
  for (let n = 0; n * kSegmentEvents < trace.count; ++n) {
    const events = Math.min(trace.count - n * kSegmentEvents, kSegmentEvents);
    pieces.push(...writer.append(trace.segment(n)?.subarray(0, events * kEventWords) ?? new Uint32Array(0)));
  }
  return joined([...pieces, ...writer.end()]).buffer;
}

/**
 * A file's trace. Takes an ArrayBuffer, and every view of one: what readFileSync gives, a Uint8Array, a DataView. Of more than
 * `mostEvents` (134,217,728) the first are opened, and the notice says so.
 */
export function decodeTraceFile(
  file: ArrayBufferLike | ArrayBufferView,
  { mostEvents }: { readonly mostEvents?: number } = {},
): Result<TraceFile, TraceFileError> {
  const bytes = bytesOf(file);
  if (bytes === undefined) {
    const message = 'a trace file is bytes: an ArrayBuffer or a view of one (a Uint8Array, what readFileSync gives)';
    return failure({ problem: 'not_a_trace', message, at: 0 });
  }
  const reader = new TraceFileReader(mostEvents);
  let trace: Trace | undefined;
  reader.push(bytes, (records) => {
    trace ??= new Trace(reader.header?.traceVersion);
    trace.append(records);
  });
  const rest = reader.finish();
  if (!rest.ok) return rest;
  const header = reader.header as NonNullable<typeof reader.header>; // there is one where there is no error
  return success({ trace: trace ?? new Trace(header.traceVersion), ...header, notice: rest.value });
}

function bytesOf(file: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const isBuffer = file instanceof ArrayBuffer || Object.prototype.toString.call(file) === '[object ArrayBuffer]';
  const isShared = Object.prototype.toString.call(file) === '[object SharedArrayBuffer]';
  return isBuffer || isShared ? new Uint8Array(file as ArrayBuffer) : undefined;
}

// ---- a part of a file ----

/** Where a file's bytes come from, without having them all: a Blob, an open file, a server that knows ranges. */
export interface TraceSource {
  readonly bytes: number;
  read(from: number, to: number): Promise<Uint8Array>;
}

/** Where the segments of a trace file lie. */
export interface TraceIndex {
  readonly segments: readonly SegmentPlace[];
  /** The byte behind the last of them. */
  readonly end: number;
}

/** The segments of a finished file, read from its end; undefined when it has no index (F5), is cut, or the index cannot be true. */
export async function readTraceIndex(source: TraceSource): Promise<TraceIndex | undefined> {
  const endAt = source.bytes - kPartWords * 4;
  if (endAt < 0 || endAt % 16 !== 0) return undefined;
  const last = wordsOf(await source.read(endAt, source.bytes));
  const [mark, , indexAt = 0, crc] = last;
  const begin = indexAt * 16;
  const isWhole = mark === kEndMark && crc === crc32OfWords(last.subarray(0, 3));
  if (!isWhole || begin === 0 || begin >= endAt) return undefined;
  const words = wordsOf(await source.read(begin, endAt));
  const entries = words.subarray(kPartWords);
  const isIndex = words[0] === kIndexMark && (words[1] ?? 0) * kPartWords === entries.length;
  if (!isIndex || crc32OfWords(entries) !== words[3]) return undefined;
  const segments: SegmentPlace[] = [];
  for (let at = 0; at < entries.length; at += kPartWords) {
    const [offset = 0, first = 0, events = 0, flags = 0] = entries.subarray(at, at + kPartWords);
    segments.push({ offset: offset * 16, first, events, hasSnapshot: (flags & 1) !== 0 });
  }
  return isInOrder(segments, begin) ? { segments, end: begin } : undefined;
}

/** Each begins where another ended, in the file and in the trace: so nothing is read twice, however the index lies. */
const isInOrder = (segments: readonly SegmentPlace[], end: number): boolean =>
  segments.every(({ offset, first, events }, nth) => {
    const next = segments[nth + 1] ?? { offset: end, first: first + events };
    return events > 0 && offset < next.offset && first + events === next.first;
  }) && (segments[0]?.first ?? 0) === 0;

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice(0, bytes.length & ~3).buffer);

/**
 * The events of [from, to), and those before them back to a snapshot or the beginning: a trace that the model can apply,
 * as events_lost stands for what was left out. Reads the header, the index and those segments only.
 */
export async function decodeTraceRange(
  source: TraceSource,
  from: number,
  to: number,
): Promise<Result<TraceFile & { readonly first: number }, TraceFileError>> {
  const index = await readTraceIndex(source);
  if (index === undefined) {
    return failure({ problem: 'damaged', message: 'the file has no index: it must be read as a whole', at: 0 });
  }
  const { segments, end } = index;
  const begin = segments.findLastIndex((segment) => segment.first <= from && segment.hasSnapshot);
  const wanted = segments.filter((segment, nth) => nth >= Math.max(begin, 0) && segment.first < to);
  const reader = new TraceFileReader();
  reader.push(await source.read(0, segments[0]?.offset ?? end), () => {});
  const trace = new Trace(reader.header?.traceVersion);
  const first = wanted[0]?.first ?? 0;
  if (first > 0) {
    reader.skipTo(first);
    trace.appendEvent(headOf(EventKind.eventsLost, 0), first, 0, 0);
  }
  const firstWanted = wanted[0] === undefined ? 0 : segments.indexOf(wanted[0]);
  for (const [nth, segment] of wanted.entries()) {
    const behind = segments[firstWanted + nth + 1]?.offset ?? end;
    reader.push(await source.read(segment.offset, behind), (records) => trace.append(records));
  }
  const { header, error } = reader;
  if (header === undefined) return failure(error ?? { problem: 'damaged', message: 'the header is damaged', at: 0 });
  const events = first + trace.count - (first > 0 ? 1 : 0);
  const last = wanted[wanted.length - 1];
  const notice =
    events < (last === undefined ? 0 : last.first + last.events)
      ? 'a segment is damaged: the part ends before it'
      : undefined;
  return success({ trace, ...header, notice, first });
}
