// What is held for long, where no call stack says whose it is: the blocks in use that were born in the first half of the time.
//
//   long.L1  A block (held.H1) is old when its birth is one of the first half of the events up to the moment. That it leaked the events do not
//            say: it is where to look first.

import type { HeapState } from '../model/state/heap_state.ts';
import type { AnswerBlock, BlockRanges, OldBlocks } from '../protocol/answers.ts';
import { forEachBlock, joinedRanges } from './held.ts';
import { kMostAnswerBlocks } from './limits.ts';

/** null: none is. O(chunks). */
export function oldBlocks(state: HeapState, heap: number): OldBlocks | null {
  const until_event = Math.floor(state.seq / 2);
  let all = 0;
  let blocks = 0;
  let size_bytes = 0;
  let oldest_event = until_event;
  forEachBlock(state, heap, (_, size, born) => {
    all += size;
    if (born >= until_event) return;
    blocks += 1;
    size_bytes += size;
    oldest_event = Math.min(oldest_event, born + 1);
  });
  return blocks === 0 ? null : { until_event, blocks, size_bytes, share: size_bytes / all, oldest_event };
}

/** Oldest first. */
export function blocksOfOld(state: HeapState, heap: number, old: OldBlocks): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  forEachOld(state, heap, old, (address, size_bytes, born) => {
    blocks.push({ address, size_bytes, born_event: born + 1, site: 0 });
  });
  return blocks.sort((one, two) => one.born_event - two.born_event).slice(0, kMostAnswerBlocks);
}

export function rangesOfOld(state: HeapState, heap: number, old: OldBlocks): BlockRanges {
  const found: [address: number, size: number][] = [];
  forEachOld(state, heap, old, (address, size) => found.push([address, size]));
  return joinedRanges(found);
}

function forEachOld(
  state: HeapState,
  heap: number,
  { until_event }: OldBlocks,
  visit: (address: number, size: number, born: number) => void,
): void {
  forEachBlock(state, heap, (address, size, born) => {
    if (born < until_event) visit(address, size, born);
  });
}
