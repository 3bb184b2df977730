// All that a state is, as one number: what any way to a sequence number must give alike. Beside the keyframe (every chunk,
// birth, list, node, heap, pool, thread, counter) the counts by page, and the maps by number.

import type { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { captureKeyframe } from '../../../web/src/model/state/keyframe.ts';

export function digestOf(state: HeapState): number {
  const { chunks, starts, born, tags, links, nodes, ...rest } = captureKeyframe(state);
  let hash = 0x811c9dc5;
  const mix = (word: number) => {
    hash = Math.imul(hash ^ word, 0x01000193);
    hash ^= hash >>> 15;
  };
  for (const words of [chunks, starts, born, tags, links, nodes]) {
    mix(words.length);
    for (const word of words) mix(word);
  }
  for (const counts of [state.pageStarts, state.largePageStarts]) {
    for (let page = 0; page < counts.length; ++page) {
      if (counts[page] === 0) continue;
      mix(page);
      mix(counts[page] ?? 0);
    }
  }
  const byNumber = {
    heaps: state.heapById.flatMap((heap, id) => (heap === undefined ? [] : [id, state.heaps.indexOf(heap)])),
    pools: state.poolById.flatMap((pool, id) => (pool === undefined ? [] : [id, state.pools.indexOf(pool)])),
    sliver: [state.sliver, state.sliver === 0 ? 0 : state.sliverBorn],
  };
  for (const letter of JSON.stringify([rest, byNumber], plain)) mix(letter.charCodeAt(0));
  return hash >>> 0;
}

/** Bins, most of which are empty. */
function notZero(values: Uint32Array): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < values.length; ++i) if (values[i] !== 0) found.push(i, values[i] ?? 0);
  return found;
}

/** Maps in the order of their keys: the order in which entries came is not part of a state. Of what was before, its number. */
function plain(key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value].sort(byFirst);
  if (ArrayBuffer.isView(value)) return notZero(value as Uint32Array);
  if (key === 'before' && typeof value === 'object' && value !== null && 'id' in value) return value.id;
  return value;
}

const byFirst = (one: readonly unknown[], other: readonly unknown[]): number => Number(one[0]) - Number(other[0]);
