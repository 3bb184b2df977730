import { expect, test } from 'vitest';
import { threadsOf } from '../../../../web/src/model/queries/threads_shown.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';

/** Threads in the order in which they came, and the one that acts. */
function shown(threads: readonly number[], acting: number): number[] {
  const state = new HeapState();
  state.threads = [...threads];
  state.acting = acting;
  return [...threadsOf(state)];
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('every thread has a column while there are columns for all, in the order of their numbers', () => {
  expect(shown([3, 1, 20, 2], 20)).toEqual([1, 2, 3, 20]);
  expect(shown(upTo(128), 5)).toEqual(upTo(128));
});

test('of more threads those that came last are shown, and the one that acts wherever it came', () => {
  const many = upTo(300);
  for (const acting of [1, 150, 173, 299, 300]) {
    const columns = shown(many, acting);
    const others = many.filter((thread) => thread !== acting).slice(-127);
    expect(columns).toEqual([...others, acting].sort((one, other) => one - other));
    expect(columns).toHaveLength(128);
  }
});
