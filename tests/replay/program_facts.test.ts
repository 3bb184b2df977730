// What a program asked for, counted again from the beginning for every number of operations.

import { expect, test } from 'vitest';
import { createRandom } from '../../web/src/base/random.ts';
import { FreeIds, OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';
import { countOperations, kMostSamples } from '../../web/src/replay/program_facts.ts';

interface Made {
  readonly kind: OperationKind;
  readonly id: number;
  readonly size: number;
}

const { malloc, calloc, realloc, free, aligned, node, nodeFree, copy } = OperationKind;

/** Of every kind. */
function randomCalls(seed: number, count: number): readonly Made[] {
  const random = createRandom(seed);
  const ids = new FreeIds();
  const live: { readonly id: number; readonly isNode: boolean }[] = [];
  return Array.from({ length: count }, (): Made => {
    const drawn = random.below(10);
    const size = random.below(5000);
    const place = random.below(live.length);
    const block = live[place];
    if (block === undefined || drawn < 5) {
      const kind = [malloc, calloc, aligned, node][random.below(4)] ?? malloc;
      const id = ids.take();
      live.push({ id, isNode: kind === node });
      return { kind, id, size };
    }
    if (drawn === 5) return { kind: copy, id: block.id, size };
    if (drawn === 6 && !block.isNode) return { kind: realloc, id: block.id, size };
    live.splice(place, 1);
    ids.give(block.id);
    return { kind: block.isNode ? nodeFree : free, id: block.id, size: 0 };
  });
}

function liveAfter(calls: readonly Made[]): { bytes: number; blocks: number } {
  const sizes = new Map<number, number>();
  for (const { kind, id, size } of calls) {
    if (kind === free || kind === nodeFree) sizes.delete(id);
    else if (kind !== copy) sizes.set(id, size);
  }
  return { bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0), blocks: sizes.size };
}

test.each([
  [1, 0],
  [2, 1],
  [3, 37],
  [4, kMostSamples],
  [5, kMostSamples + 1],
  [6, 2 * kMostSamples - 1],
])('facts and samples are those of a count for each number of operations (seed %i, %i operations)', (seed, count) => {
  const calls = randomCalls(seed, count);
  const list = new OperationList();
  for (const { kind, id, size } of calls) list.add(kind, id, size, kind === aligned ? 64 : 0);
  const { program, places, live } = countOperations(list.words());
  const all = Array.from({ length: count + 1 }, (_, end) => liveAfter(calls.slice(0, end)));
  const number = (...kinds: readonly OperationKind[]) => calls.filter(({ kind }) => kinds.includes(kind)).length;
  expect(program).toEqual({
    operations: count,
    mallocs: number(malloc, calloc, node),
    aligned: number(aligned),
    reallocs: number(realloc),
    frees: number(free, nodeFree),
    peak_live_bytes: Math.max(...all.map(({ bytes }) => bytes)),
    peak_live_blocks: Math.max(...all.map(({ blocks }) => blocks)),
    end_live_bytes: all.at(-1)?.bytes,
  });
  expect(live).toEqual(places.map((end) => all[end]?.bytes));
  expect(places.at(-1)).toBe(count === 0 ? undefined : count);
  expect(places.length).toBeLessThanOrEqual(kMostSamples);
  if (count <= kMostSamples) expect(places).toHaveLength(count); // each
  for (const [nth, place] of places.slice(1, -1).entries()) {
    expect(place - (places[nth] ?? 0)).toBe(places[0]); // equally far apart
  }
});
