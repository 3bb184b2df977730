// The verdict on a trace for who answers others meanwhile: the same as at once, reached in parts.

import { expect, test } from 'vitest';
import { EventKind, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { knownPart, knownPartMeanwhile } from '../../../web/src/report/verdict.ts';
import { headOf, type Trace } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { kSixChunks, release } from '../model/cached_events.ts';
import { traceOf } from '../model/small_events.ts';

const fileOf = (trace: Trace): TraceFile => ({
  ...{ trace, wordSize: 4, traceVersion: kTraceVersion },
  ...{ notes: {}, notice: undefined },
});

/** Six chunks, so many marks, and what a whole trace does not have. */
function longTrace(marks: number, isWhole: boolean): TraceFile {
  const trace = traceOf(kSixChunks);
  for (let n = 0; n < marks; ++n) trace.appendEvent(headOf(EventKind.mark, 0), n, 0, 0);
  const twice = traceOf([release(0), ...(isWhole ? [] : [release(0)])]);
  trace.append((twice.segment(0) ?? new Uint32Array()).slice(0, twice.count * 4));
  return fileOf(trace);
}

test.each([true, false])('in parts a trace has the verdict that it has at once (whole: %s)', async (isWhole) => {
  const file = longTrace(110_000, isWhole);
  const atOnce = knownPart(file);
  let pauses = 0;
  const inParts = await knownPartMeanwhile(file, async () => {
    pauses += 1;
  });
  expect(pauses).toBeGreaterThan(2); // others were answered meanwhile
  expect(inParts.verdict).toEqual(atOnce.verdict);
  expect(inParts.verdict.isWhole).toBe(isWhole);
  for (const known of [atOnce, inParts]) expect(known.file.trace.count).toBe(kSixChunks.length + 110_001);
  if (!isWhole) expect(inParts.verdict.sentences).toEqual([expect.stringMatching(/only up to event 110,0\d\d: /)]);
});
