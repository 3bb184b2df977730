import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { encodePackedSegment } from '../../../web/src/trace/file_parts.ts';
import { packRecords, unpackRecords } from '../../../web/src/trace/pack.ts';
import { headOf, kEventWords, kSegmentEvents, Trace } from '../../../web/src/trace/trace.ts';
import {
  decodeTraceFile,
  decodeTraceRange,
  encodeTraceFile,
  readTraceIndex,
  TraceFileReader,
  TraceFileWriter,
} from '../../../web/src/trace/trace_file.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';
import { kEvery } from '../../every.ts';

const kEvents = kSegmentEvents * 3 + 500;

/** Some order, some noise, and a snapshot (of no heap) at the events given. */
function recordsWith(snapshots: readonly number[]): Uint32Array {
  const random = createRandom(4);
  const records = new Uint32Array(kEvents * kEventWords);
  for (let event = 0; event < kEvents; ++event) {
    const noise = random.below(50) === 0 ? random.next() : 0;
    records.set([headOf(EventKind.chunkTaken, 1, event % 3), event * 16, 48 ^ noise, 40], event * kEventWords);
  }
  for (const event of snapshots) {
    records.set([headOf(EventKind.snapshotBegun, 0, 4), 0, 1, 0], event * kEventWords);
    records.set([headOf(EventKind.snapshotEnded, 0), 0, 0, 0], (event + 1) * kEventWords);
  }
  return records;
}

function traceOf(records: Uint32Array): Trace {
  const trace = new Trace();
  trace.append(records);
  return trace;
}

function opened(bytes: ArrayBufferLike | ArrayBufferView) {
  const decoded = decodeTraceFile(bytes);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

function recordsOf(trace: Trace): Uint32Array {
  const records = new Uint32Array(trace.count * kEventWords);
  for (let n = 0; n * kSegmentEvents < trace.count; ++n) {
    const from = n * kSegmentEvents * kEventWords;
    records.set(trace.segment(n)?.subarray(0, records.length - from) ?? [], from);
  }
  return records;
}

const same = (one: Uint32Array, other: Uint32Array): boolean =>
  Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(
    Buffer.from(other.buffer, other.byteOffset, other.byteLength),
  );

const kSnapshots = [kSegmentEvents + 100, kSegmentEvents * 2 + 300];
const records = recordsWith(kSnapshots);
const whole = new Uint8Array(encodeTraceFile(traceOf(records), 8, { title: 'packed' }));
const sourceOf = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  read: async (from: number, to: number) => bytes.subarray(from, to),
});

describe('a packed trace file', () => {
  test('gives back every event, word for word', () => {
    const { trace, wordSize, traceVersion, notes, notice } = opened(whole);
    expect([wordSize, traceVersion, notes, notice]).toEqual([8, kTraceVersion, { title: 'packed' }, undefined]);
    expect(same(recordsOf(trace), records)).toBe(true);
    expect(whole.length).toBeLessThan(kEvents * 5);
  });

  test.each([1, kSegmentEvents, kSegmentEvents + 1, kEvents - 1])(
    'of more than %i events gives the first, and says so',
    (mostEvents) => {
      const decoded = decodeTraceFile(whole, { mostEvents });
      if (!decoded.ok) throw new Error(decoded.error.message);
      const { trace, notice } = decoded.value;
      expect(trace.count).toBe(mostEvents);
      expect(same(recordsOf(trace), records.subarray(0, mostEvents * kEventWords))).toBe(true);
      expect(notice).toBe(
        `the file holds more than ${mostEvents.toLocaleString('en')} events: what follows them is not opened`,
      );
    },
  );

  test('packs any words there can be', () => {
    const random = createRandom(11);
    const words = Uint32Array.from(
      { length: 4000 },
      (_, i) => [random.next(), 0, 0xffff_ffff, i][random.below(4)] ?? 0,
    );
    expect(unpackRecords(packRecords(words), 1000)).toEqual(words);
  });

  test('opens from every kind of bytes', () => {
    const odd = new Uint8Array(whole.length + 7);
    odd.set(whole, 3);
    const shared = new Uint8Array(new SharedArrayBuffer(whole.length));
    shared.set(whole);
    const views = [
      whole.buffer,
      Buffer.from(whole),
      odd.subarray(3, 3 + whole.length),
      new DataView(odd.buffer, 3, whole.length),
      new Uint16Array(whole.buffer, 0, whole.length / 2),
      shared.buffer,
      shared,
    ];
    for (const view of views) expect(opened(view).trace.count).toBe(kEvents);
    expect(decodeTraceFile('text' as unknown as ArrayBuffer)).toMatchObject({
      ok: false,
      error: { problem: 'not_a_trace' },
    });
  });

  test.each([true, false])('is readable while it grows, packed %s', (pack) => {
    const random = createRandom(2);
    const writer = new TraceFileWriter(pack ? { pack: packRecords } : {});
    const reader = new TraceFileReader();
    const trace = new Trace();
    const push = (pieces: readonly Uint8Array[]) => {
      const bytes = joined(pieces);
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random.below(100_000);
        reader.push(bytes.subarray(at, at + size), (some) => trace.append(some));
        at += size;
      }
    };
    for (let at = 0; at < records.length; ) {
      const words = (1 + random.below(30_000)) * kEventWords;
      push(writer.append(records.subarray(at, at + words)));
      at += words;
      if (random.below(3) === 0) {
        push(writer.flush());
        expect(trace.count).toBe(writer.count);
      }
    }
    push(writer.end());
    expect([reader.ended, reader.finish()]).toEqual([true, { ok: true, value: undefined }]);
    expect(same(recordsOf(trace), records)).toBe(true);
  });

  test('can be cut at any byte: what was whole is kept', async () => {
    const { segments } = (await readTraceIndex(sourceOf(whole))) ?? { segments: [] };
    const random = createRandom(6);
    for (let i = 0; i < (kEvery ? 60 : 15); ++i) {
      const cut = random.below(whole.length);
      const kept = segments.filter((_, n) => (segments[n + 1]?.offset ?? whole.length - 96) <= cut).length;
      const decoded = decodeTraceFile(whole.subarray(0, cut));
      if (kept === 0) expect(decoded.ok).toBe(false);
      else expect(opened(whole.subarray(0, cut)).trace.count).toBe(Math.min(kept * kSegmentEvents, kEvents));
    }
  });

  test.each([true, false])(
    'damaged in the middle goes on from the next snapshot, and says what is lost, plain %s',
    async (plain) => {
      const bytes = new Uint8Array(encodeTraceFile(traceOf(records), 4, {}, { plain }));
      const { segments } = (await readTraceIndex(sourceOf(bytes))) ?? { segments: [] };
      expect(segments.map((segment) => segment.hasSnapshot)).toEqual([false, true, true, false]);
      const damage = (byte: number) => bytes.fill(((bytes[byte] ?? 0) ^ 4) & 255, byte, byte + 1);
      damage((segments[1]?.offset ?? 0) + 2000);
      const { trace, notice } = opened(bytes);
      const from = kSegmentEvents * 2 + 300;
      const lost = from - kSegmentEvents;
      expect(trace.count).toBe(kSegmentEvents + 1 + kEvents - from);
      expect([trace.kind(kSegmentEvents), trace.a(kSegmentEvents)]).toEqual([EventKind.eventsLost, lost]);
      expect(trace.kind(kSegmentEvents + 1)).toBe(EventKind.snapshotBegun);
      expect(notice).toMatch(
        /^the segment of events from 65,536 on, .* is damaged.*: 65,836 events are lost; after them/,
      );
      damage((segments[2]?.offset ?? 0) + 2000); // the last snapshot too
      expect(opened(bytes).trace.count).toBe(kSegmentEvents);
      expect(opened(bytes).notice).toMatch(/the first 65,536 events were read, what follows is lost/);
    },
  );

  test('with a part that comes twice behind damage is not read twice', async () => {
    const { segments, end } = (await readTraceIndex(sourceOf(whole))) ?? { segments: [], end: 0 };
    const part = (n: number) => whole.slice(segments[n]?.offset, segments[n + 1]?.offset ?? end);
    const damaged = part(2);
    damaged.fill(((damaged[2000] ?? 0) ^ 4) & 255, 2000, 2001);
    const { trace, notice } = opened(joined([whole.subarray(0, segments[2]?.offset), damaged, part(1)]));
    expect(trace.count).toBe(kSegmentEvents * 2);
    expect(notice).toMatch(/the first 131,072 events were read, what follows is lost/);
  });

  test('gives a part of the trace for its segments alone', async () => {
    const asked: number[] = [];
    const source = {
      ...sourceOf(whole),
      read: async (from: number, to: number) => {
        asked.push(to - from);
        return whole.subarray(from, to);
      },
    };
    const part = await decodeTraceRange(source, kSegmentEvents * 2 + 400, kSegmentEvents * 2 + 500);
    if (!part.ok) throw new Error(part.error.message);
    const { trace, first, notice } = part.value;
    expect([first, notice, trace.kind(0), trace.a(0)]).toEqual([
      kSegmentEvents * 2,
      undefined,
      EventKind.eventsLost,
      first,
    ]);
    expect(same(recordsOf(trace).subarray(4), records.subarray(first * 4, (first + kSegmentEvents) * 4))).toBe(true);
    expect(asked.reduce((sum, bytes) => sum + bytes)).toBeLessThan(whole.length / 2);
    const all = await decodeTraceRange(source, 0, kEvents);
    expect(all.ok && same(recordsOf(all.value.trace), records)).toBe(true);
    expect((await decodeTraceRange(sourceOf(whole.subarray(0, -16)), 0, 9)).ok).toBe(false);
  });

  test('that unpacks to something else than it says is refused', () => {
    const header = whole.subarray(0, 64);
    const { packed, columnBytes, coding } = packRecords(records.subarray(0, 4000));
    const bomb = packRecords(new Uint32Array(kSegmentEvents * kEventWords)).packed;
    for (const [bytes, events, columns, unknown = 0] of [
      [packed, 1000, columnBytes, 1],
      [packed, 1000, columnBytes + 1],
      [packed, 1001, columnBytes],
      [packed, 999, columnBytes],
      [packed.subarray(0, 20), 1000, columnBytes],
      [bomb, 1000, 4000],
      [new Uint8Array(40), 10, 40],
    ] as const) {
      const file = joined([
        header,
        encodePackedSegment({ packed: bytes, columnBytes: columns, coding: coding + unknown }, events, 0),
      ]);
      const decoded = decodeTraceFile(file);
      expect(decoded.ok ? 'opened' : decoded.error.message).toMatch(/cannot be unpacked; no event can be read/);
    }
  });

  test('takes at least a byte for four events', () => {
    const quiet = new Uint8Array(
      encodeTraceFile(traceOf(new Uint32Array(kSegmentEvents * 4).fill(EventKind.mark)), 4, {}),
    );
    expect(quiet.length).toBeGreaterThan(kSegmentEvents / 4);
    expect(opened(quiet).trace.count).toBe(kSegmentEvents);
  });
});
