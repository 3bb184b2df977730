// state = apply(state, event), and back: what each kind of event changes stands in the table (rules.ts); here is what holds for all.
//
//   A1  Every event is checked against the state; one that does not fit is a Contradiction, and the fold ends before it.
//   A2  What an event overwrites and does not tell goes into the lost column, one word an event, for undo:
//         segment_trimmed, segment_removed, chunk_taken, chunk_released, burst_carved, chunk_cached
//                            born of the chunk that is gone, or was freed or taken
//         block_allocated, block_freed    see foreign_blocks.ts
//         chunks_merged      born of the part that is gone; of two free parts the older, bit 31 telling that the right
//                            part was the younger
//         thread_changed     who acted before, see thread_caches.ts
//         chunk_reused       born of the chunk, bit 31 telling that its list was not known
//         cached_ended       bit 31 likewise
//         events_lost, snapshot_begun, snapshot_ended, state_reset    bit 0: the state was awaiting, bit 1: it was in a snapshot
//   A5  An event is checked whole before anything of it is applied: one that does not fit leaves the state as it was.
//   A6  A state that came from a walk or a reset cannot be undone: what was before is known only to the keyframes before that barrier
//       (time/time_travel.ts).

import type { LostColumn } from '../../base/growing.ts';
import { EventKind, kOpNames, kWalkEvent } from '../../protocol/event_layout.ts';
import { detailOf, heapOf, kindOf } from '../../trace/trace.ts';
import { contradict } from './contradiction.ts';
import { type HeapState, kSliverBytes } from './heap_state.ts';
import type { Rule } from './rule.ts';
import { kRuleOf } from './rules.ts';

/** One event, given as its words. pre: seq == state.seq */
export function applyEvent(state: HeapState, lost: LostColumn, head: number, a: number, b: number, c: number): void {
  const kind = kindOf(head);
  const seq = state.seq;
  const rule = kRuleOf[kind];
  if (rule?.about === 'call' && !kOpNames.has(detailOf(head))) contradict(`there is no operation ${detailOf(head)}`);
  if (kind < kWalkEvent && !standsStill(state, rule)) {
    if (rule === undefined) contradict(`there is no event of kind ${kind}`);
    if (rule.apply !== undefined) {
      if (rule.about !== 'fact') checkFits(state, rule, head, a, b);
      rule.apply(state, lost, seq, head, a, b, c);
    }
  }
  state.seq = seq + 1;
}

/** Takes back the last applied event, given as its words: after it the state is the one before. pre: it is event state.seq - 1 */
export function undoEvent(state: HeapState, lost: LostColumn, head: number, a: number, b: number, c: number): void {
  const rule = kRuleOf[kindOf(head)];
  const seq = state.seq - 1;
  if (rule?.undo !== undefined && !standsStill(state, rule)) rule.undo(state, lost, seq, head, a, b, c);
  state.seq = seq;
}

/** M7: of losses and snapshots alone events count meanwhile. */
const standsStill = (state: HeapState, rule: Rule | undefined): boolean =>
  (state.awaiting || state.inSnapshot) && rule?.about !== 'standing';

/** What is checked by what the event is about, before its own checks. */
function checkFits(state: HeapState, { about }: Rule, head: number, a: number, b: number): void {
  if (about === 'standing' || about === 'thread') return;
  if (state.sliver !== 0) checkSliverJoins(state, head, a, b);
  if (about === 'heap') return;
  if ((about === 'block') !== state.isForeign)
    contradict(about === 'block' ? 'blocks are told of a foreign heap only' : 'of a foreign heap only blocks are told');
  if (about === 'pool') return;
  if (about !== 'place' || a !== 0) state.checkOwner(heapOf(head), a);
  else if (b === 0) contradict('what was nowhere goes nowhere');
}

/** M6: the first event that changes anything behind a sliver joins it. */
function checkSliverJoins(state: HeapState, head: number, a: number, b: number): void {
  const isJoin = kindOf(head) === EventKind.chunksMerged && detailOf(head) === 2;
  if (!isJoin || a !== state.sliver || b !== kSliverBytes)
    contradict(`the chunk of 8 bytes at ${state.sliver} is left`);
}
