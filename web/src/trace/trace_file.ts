// A trace as a file: readable when cut, honest when damaged.
//
//   byte 0   +--------------------------------------------------------------+
//            | magic, 8 bytes: 89 'h' 'g' 't' 0d 0a 1a 0a                   |  finds transfers in text mode
//        8   | trace version | file version | word size | notes: words      |
//       24   | CRC of notes  | CRC of the 28 bytes before                   |
//       32   | notes: UTF-8 JSON, padded with spaces to 16 bytes            |
//            +--------------------------------------------------------------+
//            | 'seg1' | events | first sequence | CRC of the records        |   at most 65,536 events a segment
//            | records, 16 bytes each                                       |
//            +-------------------------- ... -------------------------------+
//            | 'end1' | events in all | 0 | CRC of the 12 bytes before      |
//            +--------------------------------------------------------------+
//
//   F1  Everything is little-endian words, every part begins at a multiple of 16.
//   F2  A reader takes whole segments, in order, until one is missing or damaged; it says how much that cost.
//   F3  Without 'end1' the file was cut, even if no event is missing from its last segment.

import { formatCount } from '../base/format.ts';
import { failure, type Result, success } from '../base/result.ts';
import { kTraceVersion } from '../protocol/event_layout.ts';
import { crc32OfWords } from './crc32.ts';
import { isKnownKind } from './decode.ts';
import { kEventWords, kindOf, kSegmentEvents, Trace } from './trace.ts';

export const kTraceFileVersion = 1;
const kMagic = [0x74676889, 0x0a1a0a0d] as const;
const kSegmentMark = 0x31676573; // 'seg1'
const kEndMark = 0x31646e65; // 'end1'
const kHeaderWords = 8;
const kPartWords = 4;

/** What the writer wants a reader to know; every part may be missing. */
export interface TraceNotes {
  readonly title?: string;
  /** Chapter titles, by the `a` of chapter marks. */
  readonly chapters?: readonly string[];
}

export interface TraceFile {
  readonly trace: Trace;
  readonly wordSize: 4 | 8;
  readonly notes: TraceNotes;
  /** What is missing, in words; undefined when the file is whole. */
  readonly notice: string | undefined;
}

export interface TraceFileError {
  readonly problem: 'not_a_trace' | 'other_version' | 'damaged';
  readonly message: string;
  readonly at: number; // byte
}

export function encodeTraceFile(trace: Trace, wordSize: 4 | 8, notes: TraceNotes): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(notes));
  const notesWords = Math.ceil(text.length / 16) * 4;
  const segments = Math.ceil(trace.count / kSegmentEvents);
  const words = new Uint32Array(kHeaderWords + notesWords + (segments + 1) * kPartWords + trace.count * kEventWords);
  const bytes = new Uint8Array(words.buffer);
  bytes.fill(0x20, kHeaderWords * 4, (kHeaderWords + notesWords) * 4);
  bytes.set(text, kHeaderWords * 4);
  words.set([...kMagic, kTraceVersion, kTraceFileVersion, wordSize, notesWords]);
  words[6] = crc32OfWords(words.subarray(kHeaderWords, kHeaderWords + notesWords));
  words[7] = crc32OfWords(words.subarray(0, 7));
  let at = kHeaderWords + notesWords;
  for (let n = 0; n < segments; ++n) {
    const first = n * kSegmentEvents;
    const events = Math.min(trace.count - first, kSegmentEvents);
    const records = trace.segment(n)?.subarray(0, events * kEventWords) ?? new Uint32Array(0);
    words.set([kSegmentMark, events, first, crc32OfWords(records)], at);
    words.set(records, at + kPartWords);
    at += kPartWords + records.length;
  }
  words.set([kEndMark, trace.count, 0], at);
  words[at + 3] = crc32OfWords(words.subarray(at, at + 3));
  return words.buffer;
}

export function decodeTraceFile(file: ArrayBuffer): Result<TraceFile, TraceFileError> {
  const words = new Uint32Array(file, 0, Math.floor(file.byteLength / 4));
  const header = decodeHeader(words, file.byteLength);
  if (!header.ok) return header;
  const { notes, wordSize, begin } = header.value;
  const trace = new Trace();
  let at = begin;
  const rest = (what: string): Result<TraceFile, TraceFileError> => {
    if (trace.count === 0) return failure(damaged(`${what}; no event can be read`, at));
    const kept = `the first ${formatCount(trace.count)} events were read, what follows is lost`;
    return success({ trace, wordSize, notes, notice: `${what}: ${kept}` });
  };
  for (;;) {
    const [mark, events = 0, first = 0, crc = 0] = words.subarray(at, at + kPartWords);
    const place = `byte ${formatCount(at * 4)}`;
    if (at + kPartWords > words.length) return rest(`the file was cut at ${place}`);
    if (mark === kEndMark) {
      const end = words.subarray(at, at + 3);
      if (crc32OfWords(end) !== crc || events !== trace.count) return rest(`the end mark at ${place} is damaged`);
      return success({ trace, wordSize, notes, notice: undefined });
    }
    const name = `the segment of events from ${formatCount(trace.count)} on, at ${place},`;
    if (mark !== kSegmentMark) return rest(`${name} does not begin with its mark`);
    if (events === 0 || events > kSegmentEvents || first !== trace.count) return rest(`${name} has a damaged header`);
    const records = words.subarray(at + kPartWords, at + kPartWords + events * kEventWords);
    if (records.length < events * kEventWords) {
      const missing = events - Math.floor(records.length / kEventWords);
      return rest(`the file was cut inside ${name} which lacks ${formatCount(missing)} of its events`);
    }
    if (crc32OfWords(records) !== crc) return rest(`${name} is damaged (its checksum differs)`);
    const unknown = findUnknownKind(records);
    if (unknown !== undefined) return rest(`${name} holds an event of unknown kind ${unknown}`);
    trace.append(records);
    at += kPartWords + records.length;
  }
}

interface Header {
  readonly wordSize: 4 | 8;
  readonly notes: TraceNotes;
  readonly begin: number;
}

function decodeHeader(words: Uint32Array, fileBytes: number): Result<Header, TraceFileError> {
  const [magic0, magic1, traceVersion, fileVersion, wordSize, notesWords = 0, notesCrc, headerCrc] = words;
  if (magic0 !== kMagic[0] || magic1 !== kMagic[1]) {
    const found = [...new Uint8Array(words.buffer, 0, Math.min(8, fileBytes))];
    const text = found.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const what = fileBytes === 0 ? 'it is empty' : `it begins with ${text}`;
    return failure({ problem: 'not_a_trace', message: `this is not a heapglass trace: ${what}`, at: 0 });
  }
  if (words.length < kHeaderWords) return failure(damaged('the file was cut inside its header', words.length));
  if (traceVersion !== kTraceVersion || fileVersion !== kTraceFileVersion) {
    const found = `trace version ${traceVersion}, file version ${fileVersion}`;
    const known = `trace version ${kTraceVersion}, file version ${kTraceFileVersion}`;
    const message = `the trace was written by another version: it has ${found}; this reader knows ${known}`;
    return failure({ problem: 'other_version', message, at: 8 });
  }
  if (crc32OfWords(words.subarray(0, 7)) !== headerCrc) return failure(damaged('the header is damaged', 0));
  if (wordSize !== 4 && wordSize !== 8) return failure(damaged(`a word size of ${wordSize} is impossible`, 4));
  const begin = kHeaderWords + notesWords;
  const notes = words.subarray(kHeaderWords, begin);
  if (notes.length < notesWords) return failure(damaged('the file was cut inside its notes', kHeaderWords));
  if (crc32OfWords(notes) !== notesCrc) return failure(damaged('the notes are damaged', kHeaderWords));
  return success({ wordSize, notes: decodeNotes(notes), begin });
}

/** Notes of other shapes than ours are dropped: they decide nothing. */
function decodeNotes(words: Uint32Array): TraceNotes {
  try {
    const text = new TextDecoder().decode(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    const { title, chapters } = JSON.parse(text) as { title?: unknown; chapters?: unknown };
    return {
      ...(typeof title === 'string' ? { title } : {}),
      ...(Array.isArray(chapters) && chapters.every((it) => typeof it === 'string') ? { chapters } : {}),
    };
  } catch {
    return {};
  }
}

/** The first kind that event.h does not have, in records whose checksum is right. */
export function findUnknownKind(records: Uint32Array): number | undefined {
  for (let at = 0; at < records.length; at += kEventWords) {
    const kind = kindOf(records[at] ?? 0);
    if (!isKnownKind(kind)) return kind;
  }
  return undefined;
}

const damaged = (message: string, word: number): TraceFileError => ({ problem: 'damaged', message, at: word * 4 });
