// What a wrapped allocator tells its recorder, call by call, and that it gives what it gave before. The recorder here is a list.

import binaryen from 'binaryen';
import { beforeAll, describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../../web/src/instrument/instrument.ts';
import { Op } from '../../../web/src/protocol/event_layout.ts';

/** An allocator that only goes forward, whose functions call each other; above 4 KiB it has no memory. */
const allocatorWith = (memory: string) => `(module (memory (export "memory") ${memory})
  (global $next (mut i32) (i32.const 1024))
  (func $malloc (export "malloc") (param $size i32) (result i32)
    (if (i32.gt_u (local.get $size) (i32.const 4096)) (then (return (i32.const 0))))
    (global.set $next (i32.add (global.get $next) (i32.const 512)))
    (global.get $next))
  (func $free (export "free") (param i32)
    (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1))))
  (func $calloc (export "calloc") (param i32 i32) (result i32)
    (call $malloc (i32.mul (local.get 0) (local.get 1))))
  (func $realloc (export "realloc") (param $from i32) (param $size i32) (result i32)
    (call $free (local.get $from))
    (call $malloc (local.get $size)))
  (func $memalign (export "memalign") (param i32 i32) (result i32)
    (call $malloc (local.get 1)))
  (func $posix_memalign (export "posix_memalign") (param $out i32) (param i32 i32) (result i32)
    (local $given i32)
    (local.set $given (call $memalign (local.get 1) (local.get 2)))
    (if (i32.eqz (local.get $given)) (then (return (i32.const 12))))
    (i32.store (local.get $out) (local.get $given))
    (i32.const 0))
  (func (export "frees") (result i32) (i32.load (i32.const 8))))`;

type Call = (...given: number[]) => number;
let binaries: readonly BufferSource[]; // of one thread, and of several
beforeAll(async () => {
  const tools = await wabt();
  binaries = ['3', '3 4 shared'].map((memory) => {
    const module = tools.parseWat('m.wat', allocatorWith(memory), { threads: true });
    const { binary } = instrument(binaryen, new Uint8Array(module.toBinary({ write_debug_names: true }).buffer));
    return binary as BufferSource;
  });
});

function started(nth: 0 | 1) {
  const told: (string | number)[][] = [];
  const frees = () => (instance.exports['frees'] as Call)();
  const listed =
    (name: string) =>
    (...given: number[]) =>
      void told.push([name, ...given, ...(name === 'freed' ? [frees()] : [])]);
  const names = ['allocated', 'freed', 'resized', 'enter', 'leave'];
  const heapglass = Object.fromEntries(names.map((name) => [name, listed(name)]));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binaries[nth] as BufferSource), { heapglass });
  const calls = instance.exports as unknown as Record<string, Call>;
  const run = (name: string, ...given: number[]) => {
    told.length = 0;
    return [calls[name]?.(...given), ...told];
  };
  return {
    run,
    word: (at: number) => new DataView((instance.exports['memory'] as WebAssembly.Memory).buffer).getUint32(at, true),
  };
}

describe.each([0, 1] as const)('a program (0: of one thread, 1: of several): %i', (nth) => {
  test('tells each allocation with what was asked, where the block is, and how large memory is', () => {
    const { run } = started(nth);
    expect(run('malloc', 100)).toEqual([1536, ['allocated', Op.allocate, 100, 0, 1536, 3]]);
    expect(run('memalign', 64, 40)).toEqual([2048, ['allocated', Op.allocateAligned, 40, 64, 2048, 3]]);
    expect(run('malloc', 5000)).toEqual([0, ['allocated', Op.allocate, 5000, 0, 0, 3]]);
  });

  test('tells of a call only that, whatever it calls of the others', () => {
    const { run } = started(nth);
    expect(run('calloc', 10, 7)).toEqual([1536, ['allocated', Op.allocateZeroed, 70, 0, 1536, 3]]);
    const resized = ['resized', 1536, 200, 0, 2048, 3];
    const lock = (name: string) => (nth === 1 ? [[name]] : []);
    expect(run('realloc', 1536, 200)).toEqual([2048, ...lock('enter'), resized, ...lock('leave')]);
    expect(run('malloc', 8)).toEqual([2560, ['allocated', Op.allocate, 8, 0, 2560, 3]]);
  });

  test('tells a free before it is done', () => {
    const { run } = started(nth);
    expect(run('free', 1536)).toEqual([undefined, ['freed', 1536, 3, 0]]);
    expect(run('free', 2048)).toEqual([undefined, ['freed', 2048, 3, 1]]);
    expect(run('frees')).toEqual([2]);
  });

  test('tells a block that is stored where that is, and none where there was no memory', () => {
    const { run, word } = started(nth);
    expect(run('posix_memalign', 64, 32, 100)).toEqual([0, ['allocated', Op.allocateAligned, 100, 32, 1536, 3]]);
    expect(word(64)).toBe(1536);
    expect(run('posix_memalign', 64, 32, 5000)).toEqual([12, ['allocated', Op.allocateAligned, 5000, 32, 0, 3]]);
  });
});
