// A trace file as a recorder writes it: segments as they come, not packed and without an index, because they are written inside malloc
// (docs/trace_format.md). `heapglass convert` packs them.
//
//  record.F1  A segment is written from where its records lie: its checksum is Node's own where there is one, and nothing is copied.

import { kRingLayout } from '../protocol/event_layout.ts';
import { crc32OfWords } from '../trace/crc32.ts';
import { encodeEndAlone, encodeHeader, kOldestFileVersion, plainHead, type TraceNotes } from '../trace/file_parts.ts';
import { kEventWords, kSegmentEvents } from '../trace/trace.ts';
import { ringWord } from '../wasm/ring.ts';
import { node } from './node.ts';
import { bytesOfWords, joinedWords } from './source.ts';

/** What the header says of the program. */
export interface FileOf {
  readonly version: number;
  readonly wordSize: 4 | 8;
}

/** The same of the one that has a ring there. */
export const fileOfRing = (words: Uint32Array, ring: number): FileOf => ({
  version: ringWord(words, ring, kRingLayout.version),
  wordSize: ringWord(words, ring, kRingLayout.wordSize) === 8 ? 8 : 4,
});

function crcOf(records: Uint32Array): number {
  const zlib = node?.getBuiltinModule('zlib');
  return zlib?.crc32 === undefined ? crc32OfWords(records) : zlib.crc32(bytesOfWords(records));
}

export const plainHeader = (of: FileOf, notes: TraceNotes): Uint8Array =>
  encodeHeader(of.wordSize, notes, of.version, kOldestFileVersion);

/** pre: at most kSegmentEvents records; `first` is the number of the first in the file */
export const plainSegment = (records: Uint32Array, first: number): Uint8Array[] => [
  bytesOfWords(plainHead(records, first, crcOf(records))),
  bytesOfWords(records),
];

/** As many segments as it takes. */
export function plainSegments(records: Uint32Array, first: number): Uint8Array[] {
  const most = kSegmentEvents * kEventWords;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < records.length; at += most) {
    pieces.push(...plainSegment(records.subarray(at, at + most), first + at / kEventWords));
  }
  return pieces;
}

/** A whole file, in pieces. */
export function plainFile(of: FileOf, parts: readonly Uint32Array[], notes: TraceNotes): Uint8Array[] {
  const records = joinedWords(parts);
  return [plainHeader(of, notes), ...plainSegments(records, 0), encodeEndAlone(records.length / kEventWords)];
}
