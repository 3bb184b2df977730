// The file of a recorder that does not pack: as many segments as the events take, each with the number of its first.

import { expect, test } from 'vitest';
import { EventKind, kRingLayout } from '../../web/src/protocol/event_layout.ts';
import { fileOfRing, plainFile, plainSegments } from '../../web/src/record/plain_file.ts';
import { headOf, kEventWords, kSegmentEvents } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { joined } from '../../web/src/trace/trace_writer.ts';

function marks(count: number): Uint32Array {
  const records = new Uint32Array(count * kEventWords);
  for (let nth = 0; nth < count; ++nth) records.set([headOf(EventKind.mark, 1), nth, 0, 0], nth * kEventWords);
  return records;
}

test.each([0, 1, kSegmentEvents, kSegmentEvents + 1, 2 * kSegmentEvents])('%i events are read back', (count) => {
  const half = (count >>> 1) * kEventWords;
  const records = marks(count);
  const parts = [records.subarray(0, half), records.subarray(half)];
  const opened = decodeTraceFile(joined(plainFile({ version: 5, wordSize: 8 }, parts, { title: 'plain' })));
  if (!opened.ok) throw new Error(opened.error.message);
  const { trace, wordSize, notes, notice } = opened.value;
  expect([trace.count, wordSize, notes.title, notice]).toEqual([count, 8, 'plain', undefined]);
  if (count > 0) expect(trace.a(count - 1)).toBe(count - 1);
});

test('what the header says of a program is what its ring says', () => {
  for (const wordSize of [4, 8] as const) {
    const words = new Uint32Array(100);
    const ring = 64;
    words[(ring + kRingLayout.version) / 4] = 5;
    words[(ring + kRingLayout.wordSize) / 4] = wordSize;
    expect(fileOfRing(words, ring)).toEqual({ version: 5, wordSize });
  }
});

test('segments go on from the number of the first event, and none is empty', () => {
  const pieces = plainSegments(marks(2 * kSegmentEvents), 7);
  const heads = pieces.filter((_, nth) => nth % 2 === 0).map((head) => [...new Uint32Array(head.slice().buffer, 4, 2)]);
  expect(heads).toEqual([
    [kSegmentEvents, 7],
    [kSegmentEvents, 7 + kSegmentEvents],
  ]);
});
