// Which recorder an instance has: found by the instance and by its exports, one for each, and none for what is not recorded.

import binaryen from 'binaryen';
import { expect, test, vi } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../../web/src/instrument/instrument.ts';
import type { InstrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { install, recorderOfInstance } from '../../../web/src/instrument/loader.ts';

const allocatorWith = (memory: string) => `(module (memory (export "memory") ${memory})
  (global $next (mut i32) (i32.const 1024))
  (func $malloc (export "malloc") (param $size i32) (result i32)
    (global.set $next (i32.add (global.get $next) (i32.const 512)))
    (global.get $next))
  (func $free (export "free") (param i32)))`;

const binaryOf = async (memory = '1'): Promise<Uint8Array<ArrayBuffer>> => {
  const module = (await wabt()).parseWat('allocator.wat', allocatorWith(memory), { threads: true });
  return new Uint8Array(module.toBinary({ write_debug_names: true }).buffer);
};

test('each instance of a recorded module has a recorder of its own, by itself and by its exports', async () => {
  const plain = await binaryOf();
  const { binary } = instrument(binaryen, plain);
  const recorders: InstrumentedRecorder[] = [];
  const restore = install({ onRecorder: (recorder) => recorders.push(recorder) });
  try {
    const source = binary as BufferSource;
    const module = new WebAssembly.Module(source);
    const instances = [
      (await WebAssembly.instantiate(source, {})).instance,
      await WebAssembly.instantiate(module, {}),
      new WebAssembly.Instance(module, {}),
    ];
    expect(recorders).toHaveLength(3);
    expect(instances.map((each) => recorderOfInstance(each))).toEqual(recorders);
    expect(instances.map((each, nth) => recorderOfInstance(each) === recorders[nth])).toEqual([true, true, true]);
    expect(instances.map(({ exports }, nth) => recorderOfInstance(exports) === recorders[nth])).toEqual([
      true,
      true,
      true,
    ]);
    const { instance } = await WebAssembly.instantiate(plain as BufferSource, {});
    expect([recorderOfInstance(instance), recorderOfInstance(instance.exports)]).toEqual([undefined, undefined]);
    expect(recorders).toHaveLength(3);
  } finally {
    restore();
  }
});

test('what was replaced is put back', () => {
  const before = [WebAssembly.instantiate, WebAssembly.instantiateStreaming, WebAssembly.Instance];
  const restore = install();
  expect(WebAssembly.Instance).not.toBe(before[2]);
  restore();
  expect([WebAssembly.instantiate, WebAssembly.instantiateStreaming, WebAssembly.Instance]).toEqual(before);
});

test('a module with threads that comes before recordThreads() is warned of, and one without is not', async () => {
  const warnings = vi.spyOn(console, 'warn').mockReturnValue();
  const { instantiate, instantiateStreaming, Instance } = WebAssembly;
  await import('../../../web/src/instrument/installed.ts');
  try {
    const begin = async (memory: string) => {
      const { binary } = instrument(binaryen, await binaryOf(memory));
      return new WebAssembly.Instance(new WebAssembly.Module(binary as BufferSource), {});
    };
    await begin('1');
    expect(warnings).not.toHaveBeenCalled();
    await begin('1 2 shared');
    expect(warnings).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('recordThreads()'));
  } finally {
    Object.assign(WebAssembly, { instantiate, instantiateStreaming, Instance });
    warnings.mockRestore();
  }
});
