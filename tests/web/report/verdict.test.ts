// The verdict on a trace for who answers others meanwhile: the same as at once, reached in parts.

import { expect, test } from 'vitest';
import { hashModelWalk } from '../../../web/src/model/state/walk_compare.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { knownPart, knownPartMeanwhile, proofOf, verdictOf } from '../../../web/src/report/verdict.ts';
import { headOf, type Trace } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { cache, kSixChunks, release } from '../model/cached_events.ts';
import { type Line, traceOf } from '../model/small_events.ts';

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

/** Six chunks and these events, in a model that compares no checkpoint as it goes: the last one is for who asks. */
function modelOf(...lines: readonly Line[]): Model {
  const model = new Model(traceOf([...kSixChunks, ...lines]));
  model.history.comparesCheckpoints = false;
  model.history.fold();
  return model;
}
const { hash, records } = hashModelWalk(modelOf().history.head, 1, kTraceVersion);
const checkpoint = (ofWalk: number, count: number): Line => [EventKind.checkpoint, 0, ofWalk, count, 0];

test('the last checkpoint is a proof when its hash and its number of records are those of the model there', () => {
  const event = kSixChunks.length;
  const proof = (...lines: readonly Line[]) => proofOf(modelOf(...lines));
  expect(proof()).toBeNull();
  expect(proof(checkpoint(hash, records))).toEqual({ event, equal: true });
  expect(proof(checkpoint(hash, records), cache(0)), 'of the state there, not of the last').toEqual({
    event,
    equal: true,
  });
  expect(proof(checkpoint(hash ^ 1, records))).toEqual({ event, equal: false });
  expect(proof(checkpoint(hash, records + 1))).toEqual({ event, equal: false });
  expect(proof(checkpoint(1, 1), checkpoint(hash, records))).toEqual({ event: event + 1, equal: true });
});

test('what differs, what is lost and what cannot be are each a sentence, and a trace is whole without any', () => {
  const said = (lines: readonly Line[], notice?: string) => {
    const model = modelOf(...lines);
    return verdictOf({ ...fileOf(model.trace), notice }, model, proofOf(model));
  };
  expect(said([checkpoint(hash, records)])).toEqual({ isWhole: true, sentences: [] });
  expect(said([], 'it was cut')).toEqual({ isWhole: false, sentences: ['it was cut'] });
  const first = kSixChunks.length;
  expect(said([checkpoint(hash ^ 1, records)]).sentences).toEqual([
    `the checkpoint at event ${first} differs from the model`,
  ]);
  const lost: Line = [EventKind.eventsLost, 0, 7, 0, 0];
  expect(said([lost]).sentences).toEqual([
    `the heap is known only up to event ${first}: no snapshot follows the events lost there`,
  ]);
  const reset: Line = [EventKind.stateReset, 0, 1, 0, 0];
  expect(said([reset]).sentences).toEqual([
    expect.stringMatching(/up to event \d+: memory was set back there to a copy/),
  ]);
  expect(said([lost, release(0)]).sentences).toHaveLength(1);
  expect(said([release(0), release(0)]).sentences).toEqual([expect.stringContaining(`up to event ${first + 1}: `)]);
});
