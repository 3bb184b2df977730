// Proof by checkpoints: at each one in a trace the model's walk must have the hash and the length that the writer took of the
// real heap (event.h, W4), while the fold passes it.
//
//   V1  Every checkpoint is compared. A walk costs a step a chunk, so a file of many checkpoints over many chunks could make the fold
//       stand: the records walked stay below kFreeRecords and kRecordsPerEvent for each event folded. What is beyond is passed
//       over and counted; whoever holds the trace compares the last one of those (engine/session.ts).

import { heapOf } from '../../trace/trace.ts';
import { Contradiction } from '../state/contradiction.ts';
import type { HeapState } from '../state/heap_state.ts';
import { hashModelWalk } from '../state/walk_compare.ts';

const kFreeRecords = 1 << 22;
const kRecordsPerEvent = 4;

export class CheckpointProof {
  /** Checkpoints that were passed over (V1). */
  passedOver = 0;
  #walked = 0; // records, of all walks
  #lastWalk = 0;

  /** What differs, in words; undefined: nothing does; 'passed over': V1. The state is that at the checkpoint. */
  compare(state: HeapState, version: number, head: number, hash: number, records: number): string | undefined {
    if (this.#walked + this.#lastWalk > kFreeRecords + state.seq * kRecordsPerEvent) {
      this.passedOver += 1;
      return kPassedOver;
    }
    const wrong = checkpointDifference(state, version, head, hash, records);
    this.#lastWalk = records;
    this.#walked += records;
    return wrong;
  }
}

export const kPassedOver = 'passed over';

/** V1, of one checkpoint, whatever it costs. */
export function checkpointDifference(
  state: HeapState,
  version: number,
  head: number,
  hash: number,
  records: number,
): string | undefined {
  const heap = heapOf(head);
  try {
    const model = hashModelWalk(state, heap, version);
    if (model.hash === hash && model.records === records) return undefined;
    return `the hash of heap ${heap}'s walk differs from the model's`;
  } catch (error) {
    if (error instanceof Contradiction) return `the model has no walk of heap ${heap}: ${error.message}`;
    throw error;
  }
}
