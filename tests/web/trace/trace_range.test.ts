// A part of a trace file, by its index: from the last snapshot before it, what was left out as a loss, and what is missing in words.

import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, kEventWords } from '../../../web/src/trace/trace.ts';
import { decodeTraceRange, readTraceIndex, TraceFileWriter } from '../../../web/src/trace/trace_file.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kEach = 10; // events of a segment
const kSegments = 6;
const kSnapshots = [20, 41]; // of no heap: the first events of segment 2, and amid segment 4

/** Each event says its number in its second word. */
function fileOf(): Uint8Array {
  const records = new Uint32Array(kSegments * kEach * kEventWords);
  for (let event = 0; event < kSegments * kEach; ++event) {
    const kind = kSnapshots.includes(event) ? EventKind.snapshotBegun : EventKind.mark;
    records.set(
      [headOf(kSnapshots.includes(event - 1) ? EventKind.snapshotEnded : kind, 0, 4), 0, event, 0],
      event * kEventWords,
    );
  }
  const writer = new TraceFileWriter({ wordSize: 4, notes: {} });
  const pieces: Uint8Array[] = [];
  for (let segment = 0; segment < kSegments; ++segment) {
    const from = segment * kEach * kEventWords;
    pieces.push(...writer.append(records.subarray(from, from + kEach * kEventWords)), ...writer.flush());
  }
  return joined([...pieces, ...writer.end()]);
}
const whole = fileOf();

const sourceOf = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  read: async (from: number, to: number) => bytes.subarray(from, to),
});

async function rangeOf(from: number, to: number, bytes = whole) {
  const part = await decodeTraceRange(sourceOf(bytes), from, to);
  if (!part.ok) throw new Error(part.error.message);
  const { trace, first, notice } = part.value;
  const lost = trace.count > 0 && trace.kind(0) === EventKind.eventsLost ? trace.a(0) : 0;
  const events = Array.from({ length: trace.count }, (_, event) => trace.b(event)).slice(lost === 0 ? 0 : 1);
  return {
    first,
    lost,
    from: events[0],
    to: events.length === 0 ? undefined : (events.at(-1) ?? 0) + 1,
    count: events.length,
    notice,
  };
}
const events = (from: number, to: number) => ({
  first: from,
  lost: from,
  from,
  to,
  count: to - from,
  notice: undefined,
});

test.each([
  ['within the first segment', 3, 5, 0, 10],
  ['up to the begin of a segment', 3, 10, 0, 10],
  ['with one event of the next', 3, 11, 0, 20],
  ['before the first snapshot', 12, 15, 0, 20],
  ['up to the segment of a snapshot', 19, 20, 0, 20],
  ['from the segment of a snapshot on', 20, 21, 20, 30],
  ['behind a snapshot', 33, 35, 20, 40],
  ['amid the segment of the last snapshot', 45, 46, 40, 50],
  ['up to the end', 55, 60, 40, 60],
  ['beyond the end', 55, 1000, 40, 60],
  ['all of it', 0, 60, 0, 60],
])('of a range %s there are whole segments, from a snapshot or the beginning on', async (_, from, to, first, end) => {
  expect(await rangeOf(from, to)).toEqual(events(first, end));
});

test('a range of nothing is empty, with no notice', async () => {
  expect(await rangeOf(0, 0)).toMatchObject({ first: 0, count: 0, notice: undefined });
});

test('a damaged segment ends the part before it, and a notice says so where it was wanted', async () => {
  const { segments } = (await readTraceIndex(sourceOf(whole))) ?? { segments: [] };
  const damaged = (nth: number) => {
    const bytes = whole.slice();
    const at = (segments[nth]?.offset ?? 0) + 20;
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    return bytes;
  };
  const notice = 'a segment is damaged: the part ends before it';
  expect(await rangeOf(22, 35, damaged(3))).toEqual({ ...events(20, 30), notice });
  expect(await rangeOf(22, 25, damaged(2))).toMatchObject({ first: 20, lost: 20, count: 0, notice });
  expect(await rangeOf(3, 5, damaged(0))).toMatchObject({ first: 0, count: 0, notice });
  expect(await rangeOf(22, 25, damaged(3))).toEqual(events(20, 30));
});

test('a file without an index, and one whose header is damaged, have no parts', async () => {
  expect(await decodeTraceRange(sourceOf(whole.subarray(0, -16)), 0, 9)).toEqual({
    ok: false,
    error: { problem: 'damaged', message: 'the file has no index: it must be read as a whole', at: 0 },
  });
  const header = whole.slice();
  header[0] = (header[0] ?? 0) ^ 0x10;
  expect(await decodeTraceRange(sourceOf(header), 0, 9)).toMatchObject({ ok: false });
});
