// Files that the writers of older trace versions wrote (golden/): random operations of each version's own driver of the
// model tests, a checkpoint of every heap at the end. That of version 7 has four resets.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Session } from '../../../web/src/engine/session.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { decodeTraceFile, encodeTraceFile } from '../../../web/src/trace/trace_file.ts';

test.each([
  ['version_2_heap', 2, 595],
  ['version_3_malloc', 3, 627],
  ['version_4_malloc', 4, 531],
  ['version_7_resets', 7, 1575],
])('a file of %s opens, and its checkpoints prove the model', (name, version, events) => {
  const decoded = decodeTraceFile(readFileSync(new URL(`golden/${name}.hgtrace`, import.meta.url)));
  if (!decoded.ok) throw new Error(decoded.error.message);
  const { trace, wordSize, traceVersion, notes, notice } = decoded.value;
  expect([trace.count, wordSize, traceVersion, notes, notice]).toEqual([
    events,
    4,
    version,
    { title: 'old' },
    undefined,
  ]);
  const session = Session.open(trace, wordSize, notes);
  expect([session.mismatch, session.verified.at(-1)]).toEqual([undefined, events]);
  expect(trace.kind(events - 1)).toBe(EventKind.checkpoint);
  if (name.endsWith('malloc')) expect(session.model.head.state.cached).toBeGreaterThan(0);

  const again = decodeTraceFile(encodeTraceFile(trace, wordSize, notes));
  expect(again.ok && again.value.traceVersion).toBe(version);
});

test('a packed segment of each coding gives the same words, whoever wrote it', () => {
  const [differences, predicted, placed] = ['version_5_all', 'version_5_predicted', 'version_5_placed'].map((name) => {
    const bytes = readFileSync(new URL(`golden/${name}.hgtrace`, import.meta.url));
    const decoded = decodeTraceFile(bytes);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const words = Array.from({ length: trace.count }, (_, at) => [
      trace.head(at),
      trace.a(at),
      trace.b(at),
      trace.c(at),
    ]);
    return { fileVersion: bytes.readUInt32LE(12), words };
  });
  expect([predicted?.words, placed?.words]).toEqual([differences?.words, differences?.words]);
  expect([differences?.fileVersion, predicted?.fileVersion, placed?.fileVersion]).toEqual([2, 3, 4]);
});
