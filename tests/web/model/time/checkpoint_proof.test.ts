// A checkpoint against the model: hash and number of the walk's records both count, and how many are walked is bounded.

import { expect, test } from 'vitest';
import { hashModelWalk } from '../../../../web/src/model/state/walk_compare.ts';
import { CheckpointProof, checkpointDifference, kPassedOver } from '../../../../web/src/model/time/checkpoint_proof.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, kTraceVersion } from '../../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../../web/src/trace/trace.ts';
import { kSixChunks } from '../cached_events.ts';
import { traceOf } from '../small_events.ts';

function sixChunks() {
  const history = new History(traceOf(kSixChunks));
  history.fold();
  return history.head;
}
const ofHeap = (heap: number) => headOf(EventKind.checkpoint, heap);

test('a checkpoint agrees with the model by hash and by number of records, and a heap that is not there has no walk', () => {
  const state = sixChunks();
  const { hash, records } = hashModelWalk(state, 1, kTraceVersion);
  const said = (heap: number, ofWalk: number, count: number) =>
    checkpointDifference(state, kTraceVersion, ofHeap(heap), ofWalk, count);
  expect(said(1, hash, records)).toBeUndefined();
  const differs = "the hash of heap 1's walk differs from the model's";
  expect(said(1, hash, records + 1)).toBe(differs);
  expect(said(1, hash, records - 1)).toBe(differs);
  expect(said(1, hash ^ 1, records)).toBe(differs);
  expect(said(2, hash, records)).toMatch(/^the model has no walk of heap 2: /);
});

test('checkpoints of too many records for the events so far are passed over and counted, and not before that', () => {
  const state = sixChunks();
  const { hash } = hashModelWalk(state, 1, kTraceVersion);
  const proof = new CheckpointProof();
  const compared = (records: number) => proof.compare(state, kTraceVersion, ofHeap(1), hash, records);
  expect(compared(2 ** 21)).toContain('differs');
  expect([compared(2 ** 21), proof.passedOver]).toEqual([expect.stringContaining('differs'), 0]);
  expect([compared(2 ** 21), proof.passedOver]).toEqual([kPassedOver, 1]);
  expect([compared(1), proof.passedOver]).toEqual([kPassedOver, 2]); // as large as the last one that was walked
});
