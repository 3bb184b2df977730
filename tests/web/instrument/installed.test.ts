// Which recorders a realm has: a thread leaves those of modules with threads to the realm that takes their events.

import binaryen from 'binaryen';
import { afterEach, expect, test, vi } from 'vitest';
import { instrument } from '../../../web/src/instrument/instrument.ts';
import type { InstrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import '../../../web/src/instrument/loader.ts'; // what it imports is translated before the first test
import { makeSharedMemory } from '../../../web/src/instrument/shared_layout.ts';

const { instantiate, instantiateStreaming, Instance } = WebAssembly;

afterEach(() => {
  Object.assign(WebAssembly, { instantiate, instantiateStreaming, Instance });
  Reflect.deleteProperty(globalThis, Symbol.for('heapglass.installed'));
  vi.resetModules();
});

/** A small allocator that records itself. */
const recorded = (memory: string): WebAssembly.Module => {
  const module = binaryen.parseText(`(module (memory ${memory})
    (func (export "malloc") (param i32) (result i32) (i32.const 1024))
    (func (export "free") (param i32)))`);
  const { binary } = instrument(binaryen, module.emitBinary());
  module.dispose();
  return new WebAssembly.Module(Uint8Array.from(binary));
};
const alone = recorded('1');
const withThreads = recorded('1 2 shared');

test.each([
  ['a thread has the recorder of a module without threads, and not that of one with threads', true, 1],
  ['a realm that is no thread has both', false, 2],
])('%s', async (_, isThread, count) => {
  const installed = await import('../../../web/src/instrument/installed.ts');
  const followed: InstrumentedRecorder[] = [];
  installed.eachRecorder((recorder) => followed.push(recorder));
  const memory = makeSharedMemory();
  installed.followThreads({ sharedMemory: () => memory, isThread: () => isThread });
  const { exports } = new WebAssembly.Instance(alone, {});
  expect(installed.recorders).toHaveLength(1);
  (exports['malloc'] as (size: number) => number)(8);
  expect(installed.recorders[0]?.count).toBeGreaterThan(0);
  new WebAssembly.Instance(withThreads, {});
  expect(installed.recorders).toHaveLength(count);
  expect(followed).toEqual(installed.recorders);
  expect(await installed.firstRecorder()).toBe(followed[0]);
});
