// Files that nobody wrote, made to cost more than their bytes: each is read in time and memory in proportion to it. Without the rule that
// a test names it takes minutes, or more memory than there is.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { crc32OfWords } from '../../../web/src/trace/crc32.ts';
import {
  encodeEnd,
  encodeHeader,
  encodePlainSegment,
  kIndexMark,
  kPackedMark,
  kPlainMark,
  kTraceFileVersion,
  type SegmentPlace,
} from '../../../web/src/trace/file_parts.ts';
import { packRecords, unpackRecords } from '../../../web/src/trace/pack.ts';
import { PendingWords } from '../../../web/src/trace/pending_words.ts';
import { headOf, kSegmentEvents } from '../../../web/src/trace/trace.ts';
import { decodeTraceRange, readTraceIndex, TraceFileReader } from '../../../web/src/trace/trace_file.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kMiB = 1 << 20;
const kPieceBytes = 1 << 18; // as the page opens a file
const kMinute = 60_000; // where a test ends that has hung; it takes a second or two
const header = encodeHeader(4, {}, kTraceVersion, kTraceFileVersion);
const mark = (nth: number): Uint32Array => Uint32Array.of(headOf(EventKind.mark, 0), nth, 0, 0);
const snapshot = Uint32Array.of(
  headOf(EventKind.snapshotBegun, 0, 4),
  0,
  1,
  0,
  headOf(EventKind.snapshotEnded, 0),
  0,
  0,
  0,
);

function readFile(parts: readonly Uint8Array[], pieceBytes = kPieceBytes): { events: number; end: string | undefined } {
  const file = joined(parts);
  const reader = new TraceFileReader();
  let events = 0;
  for (let at = 0; at < file.length; at += pieceBytes)
    reader.push(file.subarray(at, at + pieceBytes), (records) => (events += records.length / 4));
  const end = reader.finish();
  return { events, end: end.ok ? end.value : end.error.message };
}

const wordsOf = (bytes: number, at: (words: Uint32Array, at: number) => void): Uint8Array => {
  const words = new Uint32Array(bytes / 4);
  for (let place = 0; place < words.length; place += 4) at(words, place);
  return new Uint8Array(words.buffer);
};

test(
  'a claim to a segment at every multiple of 16 bytes (B4); a true one behind them is found',
  () => {
    const decoys = wordsOf(4 * kMiB, (words, at) => words.set([kPlainMark, kSegmentEvents, 0, 5], at));
    const { events, end } = readFile([header, decoys, wordsOf(2 * kMiB, () => {}), encodePlainSegment(snapshot, 900)]);
    expect(events).toBe(3); // events_lost, and two
    expect(end).toMatch(/checksum differs.*900 events are lost/);
  },
  kMinute,
);

test(
  'packed claims whose heads are right, at every 32 bytes (B4)',
  () => {
    const head = Uint32Array.of(kPackedMark, kSegmentEvents, 0, kMiB, kMiB, 5, 1, 0);
    head[7] = crc32OfWords(head.subarray(0, 7));
    const decoys = wordsOf(4 * kMiB, (words, at) => at % 8 === 0 && words.set(head, at));
    expect(readFile([header, decoys, wordsOf(kMiB, () => {})])).toEqual({
      events: 0,
      end: expect.stringMatching(/checksum differs/),
    });
  },
  kMinute,
);

test(
  'parts inside each other whose checksums are all right, and that cannot be unpacked (B4)',
  () => {
    const parts = 2000;
    const words = new Uint32Array(parts * 8 + kSegmentEvents / 16);
    for (let nth = parts - 1; nth >= 0; --nth) {
      const at = nth * 8;
      const payload = words.subarray(at + 8, at + 8 + kSegmentEvents / 16);
      words.set([kPackedMark, kSegmentEvents, 0, payload.byteLength, kSegmentEvents * 8, crc32OfWords(payload), 1], at);
      words[at + 7] = crc32OfWords(words.subarray(at, at + 7));
    }
    const { events, end } = readFile([header, new Uint8Array(words.buffer), encodePlainSegment(snapshot, 7)]);
    expect(end).toMatch(/cannot be unpacked/);
    expect(events).toBeLessThanOrEqual(3);
  },
  kMinute,
);

test('a segment of one event takes little memory to read: a file may consist of them (predict.4)', () => {
  const { packed, ...packedAs } = packRecords(mark(0));
  const own = globalThis.Uint16Array;
  let taken = 0;
  globalThis.Uint16Array = new Proxy(own, {
    construct(target, given: [number]) {
      const made = new target(...given);
      taken += made.byteLength;
      return made;
    },
  });
  try {
    expect(unpackRecords({ packed, ...packedAs }, 1)).toEqual(mark(0));
  } finally {
    globalThis.Uint16Array = own;
  }
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(1 << 16);
});

test('an index with more entries than segments can lie before it is damage, and not waited for', () => {
  const claim = new Uint8Array(Uint32Array.of(kIndexMark, 0x0fff_ffff, 0, 5).buffer);
  const { events, end } = readFile([header, encodePlainSegment(mark(0), 0), claim, encodePlainSegment(snapshot, 1)]);
  expect([events, end]).toEqual([4, expect.stringMatching(/the index at byte 80 is damaged: 0 events are lost/)]);
});

test('notes of which each byte comes alone are copied a few times, not once a byte (PW1)', () => {
  const random = createRandom(1);
  const all = Uint8Array.from({ length: 1001 }, () => random.below(256));
  const pending = new PendingWords();
  const places = new Set<ArrayBufferLike>();
  let read = 0;
  for (let at = 0; at < all.length; ) {
    const size = random.below(at < 500 ? 2 : 9);
    const piece = all.slice(at, at + size);
    pending.append(piece);
    pending.keep();
    piece.fill(0); // the caller's are the caller's
    at += piece.length;
    places.add(pending.words.buffer);
    expect([...new Uint8Array(pending.words.slice().buffer), ...pending.rest]).toEqual([...all.subarray(read, at)]);
    const skipped = at > 500 ? random.below(Math.min(3, pending.words.length + 1)) : 0;
    pending.skip(skipped);
    read += 4 * skipped;
    expect(pending.bytes).toBe(at - read);
  }
  expect(places.size).toBeLessThan(60);
});

test('what a reader has given out stays as it is while it reads on (PW2)', () => {
  const file = joined([header, ...Array.from({ length: 300 }, (_, nth) => encodePlainSegment(mark(nth), nth))]);
  const reader = new TraceFileReader();
  const given: Uint32Array[] = [];
  for (let at = 0; at < file.length; at += 37) reader.push(file.slice(at, at + 37), (records) => given.push(records));
  expect(given.map((records) => records[1])).toEqual(Array.from({ length: 300 }, (_, nth) => nth));
});

test.each<[string, (places: readonly SegmentPlace[]) => readonly SegmentPlace[]]>([
  ['at one place', (all) => all.map((one) => ({ ...one, offset: 48 }))],
  ['all from event 0', (all) => all.map((one) => ({ ...one, first: 0 }))],
  ['backward', (all) => all.toReversed()],
  ['without events', (all) => all.map((one) => ({ ...one, events: 0 }))],
  ['behind the index', (all) => all.map((one, nth) => (nth === 2 ? { ...one, offset: 2 ** 20 } : one))],
  ['not from the beginning', (all) => all.slice(1)],
])('an index whose segments lie %s, with right checksums, is not followed', async (_, lie) => {
  const parts = [header, ...[0, 1, 2].map((nth) => encodePlainSegment(mark(nth), nth))];
  const end = parts.reduce((sum, { length }) => sum + length, 0);
  const open = async (segments: readonly SegmentPlace[]) => {
    const file = joined([...parts, encodeEnd(segments, 3, end)]);
    const source = { bytes: file.length, read: async (from: number, to: number) => file.slice(from, to) };
    const part = await decodeTraceRange(source, 1, 3);
    return [await readTraceIndex(source), part.ok && part.value.trace.count] as const;
  };
  const honest = [0, 1, 2].map((nth) => ({
    offset: header.length + 32 * nth,
    first: nth,
    events: 1,
    hasSnapshot: false,
  }));
  expect(await open(honest)).toEqual([{ segments: honest, end }, 3]);
  expect(await open(lie(honest))).toEqual([undefined, false]);
});
