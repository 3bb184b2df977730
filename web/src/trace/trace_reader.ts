// Reads a trace file in whatever pieces it comes: whole, while it grows, or cut. Rules F1 to F5 stand in file_parts.ts.
//
//   push(bytes, visit)   visits the records that became readable      finish()   no more will come: what is missing, in words
//
//   B1  A part that is not there to its end yet is waited for; finish() says that the file was cut there.
//   B2  Where a part is damaged the reader looks at every multiple of 16 bytes for one that is whole. Segments without a
//       snapshot are passed over, and counted with what is lost; the one that has a snapshot is read from there on.
//   B3  Memory: the part under way, and what the parts found unpack to (F4). In a model an event takes some 20 to 30 bytes, however few
//       of a file it is: so the reader ends behind `mostEvents` and says so.
//   B4  Time: a hostile file claims a segment at every place where B2 looks. What is summed for the claims is in proportion to the words
//       passed over; claims beyond that are passed over unread. A part whose checksum is right is passed over as a whole.
//
// Over 300 lines: one reader, whose steps share the bytes that wait and what is known to be lost.

import { formatCount } from '../base/format.ts';
import { failure, type Result, success } from '../base/result.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { crc32OfWords } from './crc32.ts';
import { isKnownKind } from './decode.ts';
import {
  kEndMark,
  kHeaderWords,
  kIndexMark,
  kMagic,
  kPackedHeadWords,
  kPackedMark,
  kPartWords,
  kPlainMark,
  packedWords,
} from './file_parts.ts';
import { unpackRecords } from './pack.ts';
import { PendingWords } from './pending_words.ts';
import { headOf, kEventWords, kindOf, kSegmentEvents } from './trace.ts';
import {
  damaged,
  decodeNotes,
  headerError,
  headIsWhole,
  type TraceFileError,
  type TraceFileHeader,
} from './trace_header.ts';
import { firstSnapshotIn } from './trace_writer.ts';

/** What begins at a place in the file: a part and its words; how many words it would need; or why it is none. */
type Found =
  | { readonly part: 'segment'; readonly first: number; readonly records: Uint32Array; readonly words: number }
  | { readonly part: 'index'; readonly words: number }
  | { readonly part: 'end'; readonly events: number; readonly words: number }
  | { readonly part: 'unfinished'; readonly lacks: string }
  | { readonly part: 'damage'; readonly what: string; readonly words?: number }; // words: its checksum is right (B4)

/** B3: of a file, unless its reader is told otherwise. Some 3 GB in a model. */
export const kMostFileEvents = 2 ** 27;

const kSummedAtOnce = 4 * kSegmentEvents * kEventWords; // B4, in words
const kSummedEach = 4; // for a word passed over

/** Reads a trace file in pieces of any size, as they arrive. What is damaged is passed over and named by `finish()`. */
export class TraceFileReader {
  readonly #mostEvents: number;
  #header: TraceFileHeader | undefined;
  #error: TraceFileError | undefined;
  readonly #pending = new PendingWords();
  #offset = 0; // of #words in the file, in words
  #expected = 0; // the number of the next event, as the file counts
  #given = 0; // events, events_lost included
  #damage: string | undefined; // B2: what is wrong, while nothing to go on from was found
  #damagedAt = 0;
  #summed = 0; // B4: words, since the damage
  #ended = false;
  readonly #notices: string[] = [];

  constructor(mostEvents = kMostFileEvents) {
    this.#mostEvents = mostEvents;
  }

  get header(): TraceFileHeader | undefined {
    return this.#header;
  }

  /** Why nothing can be read. */
  get error(): TraceFileError | undefined {
    return this.#error;
  }

  /** Bytes that were pushed and belong to a part that is not there to its end. */
  get waitingBytes(): number {
    return this.#pending.bytes;
  }

  /** The file's end was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next bytes of the file. Visits the records that became readable by them, four words each. */
  push(bytes: Uint8Array, visit: (records: Uint32Array) => void): void {
    this.#pending.append(bytes);
    this.#read(visit);
    this.#pending.keep();
  }

  #read(visit: (records: Uint32Array) => void): void {
    if (this.#error !== undefined || (this.#header === undefined && !this.#readHeader())) return;
    while (!this.#ended) {
      const found = this.#damage === undefined ? this.#readPart() : this.#searchPart();
      if (found === undefined) break;
      for (const records of found) this.#give(records, visit);
    }
  }

  /** B3 */
  #give(records: Uint32Array, visit: (records: Uint32Array) => void): void {
    if (this.#ended) return;
    const rest = this.#mostEvents - this.#given;
    const events = records.length / kEventWords;
    if (events > rest) {
      this.#ended = true;
      this.#notices.push(
        `the file holds more than ${formatCount(this.#mostEvents)} events: what follows them is not opened`,
      );
    }
    const given = Math.min(events, rest);
    if (given === 0) return;
    this.#given += given;
    visit(records.subarray(0, given * kEventWords));
  }

  /** The next segment will be the one of event `first`. */
  skipTo(first: number): void {
    this.#expected = first;
  }

  /** What is missing, in words; undefined when the file is whole. An error when no event could be read. */
  finish(): Result<string | undefined, TraceFileError> {
    if (this.#error === undefined && this.#header === undefined)
      this.#error = headerError(this.#words, this.#pending.rest);
    if (this.#error !== undefined) return failure(this.#error);
    if (!this.#ended) {
      const place = this.#damage === undefined ? this.#offset : this.#damagedAt;
      const what = (this.#damage ?? this.#unfinished()).replace(/,$/, ''); // the comma is for what a part may lack
      if (this.#given === 0) return failure(damaged(`${what}; no event can be read`, place));
      this.#notices.push(`${what}: the first ${formatCount(this.#given)} events were read, what follows is lost`);
      this.#ended = true;
    }
    return success(this.#notices.length === 0 ? undefined : this.#notices.join('; '));
  }

  // ---- bytes ----

  get #words(): Uint32Array {
    return this.#pending.words;
  }

  #skip(words: number): void {
    this.#pending.skip(words);
    this.#offset += words;
  }

  // ---- header ----

  /** False when it is not there yet, or wrong. */
  #readHeader(): boolean {
    const words = this.#words;
    const notesWords = words[5] ?? 0;
    const wrong = words.length >= kHeaderWords || this.#pending.bytes >= 8;
    if (wrong && (words[0] !== kMagic[0] || words[1] !== kMagic[1]))
      this.#error = headerError(words, this.#pending.rest);
    if (this.#error !== undefined || words.length < kHeaderWords) return false;
    this.#error = headerError(words.subarray(0, kHeaderWords + notesWords), this.#pending.rest);
    if (this.#error?.problem === 'damaged' && words.length < kHeaderWords + notesWords && headIsWhole(words)) {
      this.#error = undefined; // only the notes are not there yet
      return false;
    }
    if (this.#error !== undefined) return false;
    const notes = decodeNotes(words.subarray(kHeaderWords, kHeaderWords + notesWords));
    this.#header = { wordSize: words[4] as 4 | 8, traceVersion: words[2] as number, notes };
    this.#skip(kHeaderWords + notesWords);
    return true;
  }

  // ---- parts ----

  /** The records of the next part; undefined when it is not there to its end. */
  #readPart(): Uint32Array[] | undefined {
    const found = this.#look();
    switch (found.part) {
      case 'unfinished':
        return undefined;
      case 'damage':
        this.#damage = found.what;
        this.#damagedAt = this.#offset;
        this.#summed = 0;
        this.#skip(found.words ?? Math.min(kPartWords, this.#words.length));
        return [];
      case 'segment':
        this.#skip(found.words);
        this.#expected = found.first + found.records.length / kEventWords;
        return [found.records];
      case 'index':
        this.#skip(found.words);
        return [];
      case 'end':
        this.#ended = true;
        return [];
    }
  }

  /** B2 */
  #searchPart(): Uint32Array[] | undefined {
    for (; this.#words.length >= kPartWords; this.#skip(kPartWords)) {
      if (!kMarks.has(this.#words[0] as number) || !this.#maySum()) continue;
      const found = this.#look();
      if (found.part === 'unfinished') return undefined;
      if (found.part === 'damage' && found.words !== undefined) this.#skip(found.words - kPartWords);
      if (found.part !== 'segment') continue;
      const snapshot = firstSnapshotIn(found.records);
      if (snapshot === undefined) {
        this.#skip(found.words);
        return [];
      }
      const lost = found.first + snapshot - this.#expected;
      const what = `${this.#damage}: ${formatCount(lost)} events are lost; after them the trace continues from a snapshot`;
      this.#notices.push(what);
      this.#damage = undefined;
      this.#skip(found.words);
      this.#expected = found.first + found.records.length / kEventWords;
      return [
        Uint32Array.of(headOf(EventKind.eventsLost, 0), lost, 0, 0),
        found.records.subarray(snapshot * kEventWords),
      ];
    }
    return undefined;
  }

  /** B4 */
  #maySum(): boolean {
    return this.#summed <= kSummedAtOnce + kSummedEach * (this.#offset - this.#damagedAt);
  }

  #sumOf(words: Uint32Array): number {
    this.#summed += words.length;
    return crc32OfWords(words);
  }

  /** What begins here. */
  #look(): Found {
    const words = this.#words;
    const [mark = 0, second = 0, third = 0, fourth = 0] = words;
    const place = `byte ${formatCount(this.#offset * 4)}`;
    if (words.length < kPartWords) return { part: 'unfinished', lacks: `the file was cut at ${place}` };
    const name = `the segment of events from ${formatCount(this.#expected)} on, at ${place},`;
    const inside = { part: 'unfinished', lacks: `the file was cut inside ${name}` } as const;
    switch (mark) {
      case kEndMark: {
        const whole = crc32OfWords(words.subarray(0, 3)) === fourth && second === this.#expected;
        if (!whole) return { part: 'damage', what: `the end mark at ${place} is damaged` };
        return { part: 'end', events: second, words: kPartWords };
      }
      case kIndexMark: {
        if (second > this.#offset / kPackedHeadWords)
          return { part: 'damage', what: `the index at ${place} is damaged` };
        const entries = words.subarray(kPartWords, kPartWords + second * kPartWords);
        if (entries.length < second * kPartWords) return { part: 'unfinished', lacks: `the file was cut at ${place}` };
        if (crc32OfWords(entries) !== fourth) return { part: 'damage', what: `the index at ${place} is damaged` };
        return { part: 'index', words: kPartWords + entries.length };
      }
      case kPlainMark: {
        if (!this.#fits(second, third)) return { part: 'damage', what: `${name} has a damaged header` };
        const records = words.subarray(kPartWords, kPartWords + second * kEventWords);
        if (records.length < second * kEventWords) {
          const missing = formatCount(second - Math.floor(records.length / kEventWords));
          return { part: 'unfinished', lacks: `${inside.lacks} which lacks ${missing} of its events` };
        }
        if (this.#sumOf(records) !== fourth)
          return { part: 'damage', what: `${name} is damaged (its checksum differs)` };
        return this.#segment(name, third, records, kPartWords + records.length);
      }
      case kPackedMark: {
        if (words.length < kPackedHeadWords) return inside;
        const headIsDamaged = crc32OfWords(words.subarray(0, 7)) !== words[7];
        if (headIsDamaged || !this.#fits(second, third))
          return { part: 'damage', what: `${name} has a damaged header` };
        const payload = words.subarray(kPackedHeadWords, kPackedHeadWords + packedWords(fourth, second));
        if (payload.length < packedWords(fourth, second)) return inside;
        if (this.#sumOf(payload) !== words[5])
          return { part: 'damage', what: `${name} is damaged (its checksum differs)` };
        const packed = new Uint8Array(payload.buffer, payload.byteOffset, fourth);
        const records = unpackRecords({ packed, columnBytes: words[4] as number, coding: words[6] as number }, second);
        const all = kPackedHeadWords + payload.length;
        if (records === undefined) return { part: 'damage', what: `${name} cannot be unpacked`, words: all };
        return this.#segment(name, third, records, all);
      }
      default:
        return { part: 'damage', what: `${name} does not begin with its mark` };
    }
  }

  /** A segment that goes on from the one before, or comes later when some are lost. */
  #fits(events: number, first: number): boolean {
    const inOrder = this.#damage === undefined ? first === this.#expected : first >= this.#expected;
    return inOrder && events > 0 && events <= kSegmentEvents;
  }

  #segment(name: string, first: number, records: Uint32Array, words: number): Found {
    const unknown = findUnknownKind(records);
    if (unknown !== undefined)
      return { part: 'damage', what: `${name} holds an event of unknown kind ${unknown}`, words };
    return { part: 'segment', first, records, words };
  }

  #unfinished(): string {
    const found = this.#look();
    return found.part === 'unfinished' ? found.lacks : `the file was cut at byte ${formatCount(this.#offset * 4)}`;
  }
}

const kMarks: ReadonlySet<number> = new Set([kPlainMark, kPackedMark]);

/** The first kind that event.h does not have, in records whose checksum is right. */
export function findUnknownKind(records: Uint32Array): number | undefined {
  for (let at = 0; at < records.length; at += kEventWords) {
    const kind = kindOf(records[at] ?? 0);
    if (!isKnownKind(kind)) return kind;
  }
  return undefined;
}
