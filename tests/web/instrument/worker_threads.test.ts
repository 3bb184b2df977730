// Whose the threads of a worker are: its maker's, where the memory that it was given has a module already, and else its own.

import { afterEach, expect, test, vi } from 'vitest';
import { kShared, makeSharedMemory } from '../../../web/src/instrument/shared_layout.ts';
import { workerThreads } from '../../../web/src/instrument/worker_threads.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a worker is a thread of a module that the memory it was given belongs to', () => {
  const given = makeSharedMemory();
  new Int32Array(given.buffer)[kShared.module / 4] = 7;
  const threads = workerThreads(() => given);
  expect(threads.isThread()).toBe(false); // nothing has come to it yet
  expect([threads.sharedMemory() === given, threads.isThread()]).toEqual([true, true]);
});

test('a worker that was given no memory, or one of no module, records in a memory of its own', () => {
  const unused = makeSharedMemory();
  for (const given of [undefined, unused]) {
    const threads = workerThreads(() => given);
    const memory = threads.sharedMemory();
    expect(memory).toBeInstanceOf(WebAssembly.Memory);
    expect([memory === given, threads.sharedMemory() === memory, threads.isThread()]).toEqual([false, true, false]);
  }
});

test('whose module it is, is asked when one comes', () => {
  const given = makeSharedMemory();
  const threads = workerThreads(() => given);
  const own = threads.sharedMemory();
  new Int32Array(given.buffer)[kShared.module / 4] = 7;
  expect([threads.sharedMemory() === given, threads.isThread(), own === given]).toEqual([true, true, false]);
});

test('its own workers get its own memory, where memory can be shared', () => {
  const threads = workerThreads(() => undefined);
  vi.stubGlobal('crossOriginIsolated', false);
  expect(threads.ownMemory()).toBeUndefined();
  vi.stubGlobal('crossOriginIsolated', true);
  const memory = threads.ownMemory();
  expect([memory === threads.sharedMemory(), threads.ownMemory() === memory]).toEqual([true, true]);
});
