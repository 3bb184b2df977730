// Whose the memory of all threads is: each thread has its own ThreadRecorders on it.

import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { makeSharedMemory } from '../../../web/src/instrument/shared_layout.ts';
import { ThreadRecorders } from '../../../web/src/instrument/thread_recorders.ts';

let warnings: MockInstance;
beforeEach(() => {
  warnings = vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => warnings.mockRestore());

/** A thread; whether it is given a recorder for an instance of module `id`. */
function threadOn(memory: WebAssembly.Memory): (id: number) => boolean {
  const recorders = new ThreadRecorders(() => memory);
  return (id) => recorders.begin((given) => ({ memory: given['memory'] }) as WebAssembly.Exports, id) !== undefined;
}

test('every thread of the first module is recorded, and none of another one, which is warned of', () => {
  const memory = makeSharedMemory();
  const threads = Array.from({ length: 4 }, () => threadOn(memory));
  expect(threads.map((begin, nth) => begin(nth === 2 ? 8 : 7))).toEqual([true, true, false, true]);
  expect(warnings).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('a second module with threads'));
  expect(threads[2]?.(7)).toBe(true);
});

test('a recorder learns whether its thread may wait for the lock, which the main thread of a page may not', () => {
  const waits: unknown[] = [];
  const begin = () =>
    new ThreadRecorders(makeSharedMemory).begin((given) => {
      waits.push(given['waits']);
      return {};
    }, 7);
  begin();
  const refusal = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new TypeError('Atomics.wait cannot be called in this context');
  });
  begin();
  refusal.mockRestore();
  expect(waits).toEqual([1, 0]);
});

test('behind a second instance in one thread no further thread is recorded', () => {
  const memory = makeSharedMemory();
  const [first, second, third] = [threadOn(memory), threadOn(memory), threadOn(memory)];
  expect([first(7), second(7), first(7), third(7)]).toEqual([true, true, false, false]);
  expect(warnings).toHaveBeenCalledTimes(1);
});
