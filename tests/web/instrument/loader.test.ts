// Which recorder an instance has: found by the instance and by its exports, one for each, and none for what is not recorded.

import binaryen from 'binaryen';
import { expect, test, vi } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../../web/src/instrument/instrument.ts';
import type { InstrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { install, recorderOfInstance } from '../../../web/src/instrument/loader.ts';
import { instrumentSampled } from '../../../web/src/instrument/sample.ts';
import { instrumentStacks } from '../../../web/src/instrument/stacks.ts';

const allocatorWith = (memory: string) => `(module (memory (export "memory") ${memory})
  (global $next (mut i32) (i32.const 1024))
  (func $malloc (export "malloc") (param $size i32) (result i32)
    (global.set $next (i32.add (global.get $next) (i32.const 512)))
    (global.get $next))
  (func $realloc (export "realloc") (param i32) (param $size i32) (result i32)
    (call $malloc (local.get $size)))
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

test.each<[string, (plain: Uint8Array) => { readonly binary: Uint8Array }]>([
  ['of all calls', (plain) => instrument(binaryen, plain)],
  ['with the callers of its calls', (plain) => instrumentStacks(binaryen, plain, { callers: true })],
  ['of samples', (plain) => instrumentSampled(binaryen, plain, 16)],
])('a second instance with threads runs on though nobody records it, in a module %s', async (_, made) => {
  const warnings = vi.spyOn(console, 'warn').mockReturnValue();
  const recorders: InstrumentedRecorder[] = [];
  const restore = install({ onRecorder: (recorder) => recorders.push(recorder), followsHandles: false });
  try {
    const module = new WebAssembly.Module(made(await binaryOf('1 2 shared')).binary as BufferSource);
    const instances = [new WebAssembly.Instance(module, {}), new WebAssembly.Instance(module, {})];
    expect(recorders).toHaveLength(1);
    expect(instances.map((each) => recorderOfInstance(each) === recorders[0])).toEqual([true, false]);
    expect(warnings).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('a second instance'));
    const [first, second] = instances.map(({ exports }) => {
      const { malloc, realloc, free } = exports as Record<
        'malloc' | 'realloc' | 'free',
        (...given: number[]) => number
      >;
      return () => [malloc(100), realloc(malloc(20), 40), malloc(8), free(1536)];
    });
    const given = [1536, 2560, 3072, undefined];
    expect(second?.()).toEqual(given);
    recorders[0]?.drain();
    const before = recorders[0]?.count;
    expect(first?.()).toEqual(given);
    recorders[0]?.drain();
    expect(recorders[0]?.count).toBeGreaterThan(before ?? Number.NaN);
    const then = recorders[0]?.count;
    second?.();
    recorders[0]?.drain();
    expect(recorders[0]?.count).toBe(then);
  } finally {
    restore();
    warnings.mockRestore();
  }
});
