// Walks a real heap through the scratch memory: hg_walk_next fills records, 4,000 or so a call.
//
//   scratch  | hg_walk (private state) | records ...                     |
//            0                         64                      scratch size

import { kWalkLayout, kWalkRecordLayout } from '../protocol/event_layout.ts';
import type { LiveModule } from './live_module.ts';

const kRecordsAt = 64;
if (kWalkLayout.bytes > kRecordsAt) throw new Error('walk_reader: hg_walk outgrew its place');

/** Gives each part of the walk as words, four a record, in order; they are valid during the call only. */
export function readWalk(module: LiveModule, heap: number, visit: (records: Uint32Array) => void): void {
  const { scratch, scratchBytes, views } = module;
  const records = scratch + kRecordsAt;
  const capacity = Math.floor((scratchBytes - kRecordsAt) / kWalkRecordLayout.bytes);
  module.call((functions) => functions.hg_walk_begin(scratch, heap));
  for (;;) {
    const count = module.call((functions) => functions.hg_walk_next(scratch, records, capacity) >>> 0);
    if (count === 0) return;
    const first = records >>> 2;
    visit(views.views.u32.subarray(first, first + count * (kWalkRecordLayout.bytes / 4)));
  }
}
