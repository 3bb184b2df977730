// What the memory is in, where no call stack says whose it is: the blocks in use, by what any trace knows of them.
//
//   group.G1  Each block (held.H1) is in one group: that of the pool that has it, else that of its size, [2^k, 2^(k+1)) bytes with its
//             header, as in the panel Sizes.
//   group.G2  The group with the most bytes is the answer; of two the one that is met first by address.

import { formatBytes, formatCount } from '../base/format.ts';
import { percent } from '../document/words.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import type { AnswerBlock, BlockRanges, HeldGroup, HoldsFigures } from '../protocol/answers.ts';
import { plural, type Sentence, sentence, strong } from '../trace/sentence.ts';
import { kNotWhose } from './ask.ts';
import { forEachBlock, joinedRanges } from './held.ts';
import { kMostAnswerBlocks } from './limits.ts';

/** Of one block: its pool, or the power of two of its size. */
interface GroupKey {
  readonly pool: number; // 0: none
  readonly power: number; // 0 with a pool
}

const keyOf = (size: number, pool: number): GroupKey => ({
  pool,
  power: pool === 0 ? 31 - Math.clz32(Math.max(size, 1)) : 0,
});

/** G2; null: nothing is in use. O(chunks). */
export function largestGroup(state: HeapState, heap: number): HeldGroup | null {
  const groups = new Map<string, { -readonly [Key in keyof HeldGroup]: HeldGroup[Key] }>();
  let all = 0;
  forEachBlock(state, heap, (_, size, born, pool) => {
    all += size;
    const key = keyOf(size, pool);
    const name = `${key.pool} ${key.power}`;
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, {
        by: pool === 0 ? 'size' : 'pool',
        pool,
        node_bytes: pool === 0 ? 0 : state.pool(pool).nodeSize,
        least_bytes: size,
        most_bytes: size,
        blocks: 1,
        size_bytes: size,
        share: 0,
        oldest_event: born + 1,
      });
      return;
    }
    group.least_bytes = Math.min(group.least_bytes, size);
    group.most_bytes = Math.max(group.most_bytes, size);
    group.blocks += 1;
    group.size_bytes += size;
    group.oldest_event = Math.min(group.oldest_event, born + 1);
  });
  let largest: HeldGroup | null = null;
  for (const group of groups.values()) if (group.size_bytes > (largest?.size_bytes ?? 0)) largest = group;
  return largest === null ? null : { ...largest, share: largest.size_bytes / all };
}

export function groupSentence(group: HeldGroup, { blocks, size_bytes }: HoldsFigures): Sentence {
  const share = strong(percent(group.share));
  const whole = formatBytes(size_bytes);
  if (group.by === 'pool')
    return sentence(
      `pool ${group.pool}, of nodes of ${formatBytes(group.node_bytes)}, holds `,
      share,
      ` of ${whole}, in ${plural(group.blocks, 'block')}; ${kNotWhose}.`,
    );
  const sizes =
    group.least_bytes === group.most_bytes
      ? formatBytes(group.least_bytes)
      : `${formatBytes(group.least_bytes)} to ${formatBytes(group.most_bytes)}`;
  const count =
    group.blocks === blocks ? plural(blocks, 'block') : `${formatCount(group.blocks)} of ${plural(blocks, 'block')}`;
  return sentence(
    `${count}, of ${sizes}, ${group.blocks === 1 ? 'holds' : 'hold'} `,
    share,
    ` of ${whole}; ${kNotWhose}.`,
  );
}

/** Largest first. */
export function blocksOfGroup(state: HeapState, heap: number, group: HeldGroup): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  forEachInGroup(state, heap, group, (address, size_bytes, born) => {
    blocks.push({ address, size_bytes, born_event: born + 1, site: 0 });
  });
  return blocks.sort((one, two) => two.size_bytes - one.size_bytes).slice(0, kMostAnswerBlocks);
}

export function rangesOfGroup(state: HeapState, heap: number, group: HeldGroup): BlockRanges {
  const found: [address: number, size: number][] = [];
  forEachInGroup(state, heap, group, (address, size) => found.push([address, size]));
  return joinedRanges(found);
}

function forEachInGroup(
  state: HeapState,
  heap: number,
  group: HeldGroup,
  visit: (address: number, size: number, born: number) => void,
): void {
  const wanted = keyOf(group.most_bytes, group.pool);
  forEachBlock(state, heap, (address, size, born, pool) => {
    const key = keyOf(size, pool);
    if (key.pool === wanted.pool && key.power === wanted.power) visit(address, size, born);
  });
}
