// The lock of a memory that recorders share, taken from JavaScript: by one at a time, and by its own thread as often as it likes.

import { afterEach, expect, test, vi } from 'vitest';
import { kShared, makeSharedMemory } from '../../../web/src/instrument/shared_layout.ts';
import { enter, lockOf, mayWait } from '../../../web/src/instrument/shared_lock.ts';

afterEach(() => void vi.restoreAllMocks());

const isTaken = (memory: WebAssembly.Memory) => new Int32Array(memory.buffer)[kShared.lock / 4] !== 0;

test('the lock is taken until it was left as often as it was entered', () => {
  const memory = makeSharedMemory();
  const lock = lockOf(memory);
  expect([enter(lock, memory), enter(lock, memory), lock.entered.value]).toEqual([true, true, 2]);
  lock.leave();
  expect([isTaken(memory), lock.entered.value]).toEqual([true, 1]);
  lock.leave();
  expect([isTaken(memory), lock.entered.value]).toEqual([false, 0]);
  expect([enter(lockOf(memory), memory), isTaken(memory)]).toEqual([true, true]);
});

test('a lock that another thread keeps is not entered, after a second of patience and not before', () => {
  const memory = makeSharedMemory();
  const [one, other] = [lockOf(memory), lockOf(memory)];
  expect(enter(one, memory)).toBe(true);
  let now = -250;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 250; // from one try to the next
    return now;
  });
  vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new TypeError('Atomics.wait cannot be called in this context'); // so it tries again at once
  });
  expect([enter(other, memory), other.entered.value]).toEqual([false, 0]);
  expect(clock).toHaveBeenCalledTimes(1 + 5); // up to 1,250 ms
});

test('whether a thread may wait is what its engine says', () => {
  expect(mayWait()).toBe(true);
  vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new TypeError('Atomics.wait cannot be called in this context');
  });
  expect(mayWait()).toBe(false);
});
