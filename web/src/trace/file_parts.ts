// The parts of a trace file, and how each is written: what both the writer and the reader know.
//
//   byte 0   +--------------------------------------------------------------+
//            | magic, 8 bytes: 89 'h' 'g' 't' 0d 0a 1a 0a                   |  finds transfers in text mode
//        8   | trace version | file version | word size | notes: words      |
//       24   | CRC of notes  | CRC of the 28 bytes before                   |
//       32   | notes: UTF-8 JSON, padded with spaces to 16 bytes            |
//            +--------------------------------------------------------------+
//            | 'segz' | events | first sequence | packed bytes              |   a packed segment (pack.ts),
//            | column bytes | CRC of what follows | coding | CRC of the 28   |   at most 65,536 events
//            | packed, padded with zeros                                    |
//            +--------------------------------------------------------------+
//            | 'seg1' | events | first sequence | CRC of the records        |   or a plain one: whatever writes it
//            | records, 16 bytes each                                       |   need not compress
//            +-------------------------- ... -------------------------------+
//            | 'idx1' | segments | 0 | CRC of what follows                  |   for readers of a part of the trace
//            | offset / 16 | first sequence | events | 1: has a snapshot    |   for each segment
//            +--------------------------------------------------------------+
//            | 'end1' | events in all | offset of 'idx1' / 16 | CRC of the 12 bytes before |
//            +--------------------------------------------------------------+
//
//   F1  Everything is little-endian words, every part begins at a multiple of 16.
//   F2  A reader takes whole segments, in order. Behind one that is missing or damaged it goes on from the next snapshot
//       that it finds, with events_lost before it; without one it ends there. It says how much that cost.
//   F3  Without 'end1' the file was cut, even if no event is missing from its last segment.
//   F4  A packed segment has at least a byte for 4 events, padded when it needs less: a small file opens to at most 64
//       times its size.
//   F5  'idx1' may be missing: offset 0.

import { crc32OfWords } from './crc32.ts';
import type { Packed } from './pack.ts';
import { kEventWords } from './trace.ts';

export const kTraceFileVersion = 4;
/** 1: only plain segments and no index. 2: packed ones have no coding but differences (columns.ts). */
export const kOldestFileVersion = 1;
/** 2 had no malloc; in 3 a cached chunk kept the header of one in use; 4 had no texts and no snapshots. */
export const kOldestTraceVersion = 2;
export const kMagic = [0x74676889, 0x0a1a0a0d] as const;
export const kPackedMark = 0x7a676573; // 'segz'
export const kPlainMark = 0x31676573; // 'seg1'
export const kIndexMark = 0x31786469; // 'idx1'
export const kEndMark = 0x31646e65; // 'end1'
export const kHeaderWords = 8;
export const kPartWords = 4;
export const kPackedHeadWords = 8;

/** What the writer wants a reader to know; every part may be missing. */
export interface TraceNotes {
  readonly title?: string;
  /** Chapter titles, by the `a` of chapter marks. */
  readonly chapters?: readonly string[];
}

/** One segment of a file. */
export interface SegmentPlace {
  readonly offset: number; // bytes
  readonly first: number;
  readonly events: number;
  readonly hasSnapshot: boolean;
}

/** `fileVersion`: kTraceFileVersion, or an older one whose readers can read the segments behind it. */
export function encodeHeader(
  wordSize: 4 | 8,
  notes: TraceNotes,
  traceVersion: number,
  fileVersion: number,
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(notes));
  const notesWords = Math.ceil(text.length / 16) * 4;
  const words = new Uint32Array(kHeaderWords + notesWords);
  const bytes = new Uint8Array(words.buffer);
  bytes.fill(0x20, kHeaderWords * 4);
  bytes.set(text, kHeaderWords * 4);
  words.set([...kMagic, traceVersion, fileVersion, wordSize, notesWords]);
  words[6] = crc32OfWords(words.subarray(kHeaderWords));
  words[7] = crc32OfWords(words.subarray(0, 7));
  return bytes;
}

/** What stands before the records of a plain segment; `crc` is theirs. */
export const plainHead = (records: Uint32Array, first: number, crc: number): Uint32Array<ArrayBuffer> =>
  Uint32Array.of(kPlainMark, records.length / kEventWords, first, crc);

export function encodePlainSegment(records: Uint32Array, first: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(kPartWords + records.length);
  words.set(plainHead(records, first, crc32OfWords(records)));
  words.set(records, kPartWords);
  return new Uint8Array(words.buffer);
}

export function encodePackedSegment(
  { packed, columnBytes, coding }: Packed,
  events: number,
  first: number,
): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(kPackedHeadWords + packedWords(packed.length, events));
  new Uint8Array(words.buffer).set(packed, kPackedHeadWords * 4);
  const crc = crc32OfWords(words.subarray(kPackedHeadWords));
  words.set([kPackedMark, events, first, packed.length, columnBytes, crc, coding]);
  words[7] = crc32OfWords(words.subarray(0, 7));
  return new Uint8Array(words.buffer);
}

/** Words of a segment's packed bytes with their padding (F4). */
export const packedWords = (packedBytes: number, events: number): number =>
  Math.ceil(Math.max(packedBytes, events / 4) / 16) * 4;

/** The index and the end. offset: where it will lie in the file. */
export function encodeEnd(segments: readonly SegmentPlace[], events: number, offset: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array((segments.length + 2) * kPartWords);
  segments.forEach((segment, nth) => {
    const { first, hasSnapshot } = segment;
    words.set([segment.offset / 16, first, segment.events, hasSnapshot ? 1 : 0], (nth + 1) * kPartWords);
  });
  const end = (segments.length + 1) * kPartWords;
  words.set([kIndexMark, segments.length, 0, crc32OfWords(words.subarray(kPartWords, end))]);
  words.set(endWords(events, offset), end);
  return new Uint8Array(words.buffer);
}

/** The end of a file without an index (F5). */
export const encodeEndAlone = (events: number): Uint8Array<ArrayBuffer> => new Uint8Array(endWords(events, 0).buffer);

function endWords(events: number, offset: number): Uint32Array<ArrayBuffer> {
  const words = Uint32Array.of(kEndMark, events, offset / 16, 0);
  words[3] = crc32OfWords(words.subarray(0, 3));
  return words;
}
