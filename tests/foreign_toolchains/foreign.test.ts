// heapglass where there is no Emscripten: one archive that needs nothing but the linker, in C without a libc, in C for WASI under
// Node, and as Rust's global allocator. A toolchain that is not there is a skipped test with its reason.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allocatorsIn } from '../link/allocators_in.ts';
import { type Build, type Found, here, withoutLibc, withRust, withWasiLibc } from './toolchains.ts';

type Calls = Readonly<Record<string, (...given: readonly number[]) => number>>;

function describeWith(name: string, found: Found, tests: (build: Build) => void): void {
  if ('missing' in found) console.log(`foreign toolchains: ${name}: skipped, there is no ${found.missing}`);
  const build = 'build' in found ? found.build : () => '';
  describe.skipIf('missing' in found)(name, () => tests(build));
}

/** A module that imports nothing. */
async function instantiate(path: string): Promise<{ calls: Calls; memory: WebAssembly.Memory }> {
  const module = await WebAssembly.compile(readFileSync(path));
  expect(WebAssembly.Module.imports(module)).toEqual([]);
  const { exports } = await WebAssembly.instantiate(module, {});
  return { calls: exports as unknown as Calls, memory: exports['memory'] as WebAssembly.Memory };
}

const call = (calls: Calls, name: string, ...given: number[]): number => {
  const exported = calls[name];
  if (exported === undefined) throw new Error(`the module exports no ${name}`);
  return exported(...given) >>> 0;
};

describeWith('clang without any libc', withoutLibc(), (build) => {
  test('a module has the malloc family, imports nothing, and gives everything back', async () => {
    const { calls, memory } = await instantiate(build());
    expect(call(calls, 'exercise', 1, 100_000)).toBe(0);
    expect(call(calls, 'bytes_in_use')).toBe(0);
    expect(memory.buffer.byteLength).toBeLessThan(4 << 20);
  });

  test('memory that others grow meanwhile is left alone, and what lies before it is not lost', async () => {
    const { calls, memory } = await instantiate(build());
    expect(call(calls, 'exercise', 1, 10)).toBe(0); // older linkers do not say where the first memory ends
    for (let round = 0; round < 20; ++round) {
      const theirs = memory.grow(1) * 65536;
      new Uint8Array(memory.buffer, theirs, 65536).fill(0xee);
      expect(call(calls, 'exercise', round, 5000)).toBe(0);
      expect(new Uint8Array(memory.buffer, theirs, 65536).every((byte) => byte === 0xee)).toBe(true);
    }
    expect(call(calls, 'bytes_in_use')).toBe(0);
    expect(memory.buffer.byteLength).toBeLessThan(8 << 20);
  });

  test('memory grows to its very end, again after everything was freed, and 3 GiB come as one block', async () => {
    const { calls, memory } = await instantiate(build());
    const address = call(calls, 'take_one', 3072);
    expect(address).toBeGreaterThan(0);
    expect(address + 3 * 2 ** 30).toBeLessThanOrEqual(memory.buffer.byteLength);
    expect(call(calls, 'take_one', 4095)).toBe(address);
    expect(call(calls, 'take_all', 63)).toBe(65); // each block is 63 MiB and a word
    expect(call(calls, 'take_all', 63)).toBe(65);
    expect(call(calls, 'bytes_in_use')).toBe(0);
    expect(call(calls, 'exercise', 3, 10_000)).toBe(0);
  });
});

describeWith('clang and wasi-libc', withWasiLibc(), (build) => {
  test('a C program runs under Node on heapglass alone, and errno is its libc’s', () => {
    const path = build();
    expect(allocatorsIn(path).allocators).toEqual(['heapglass']);
    const given = ['--no-warnings', join(here, '../link/run_standalone.mjs'), path, 'an argument'];
    const printed = execFileSync(process.execPath, given, { encoding: 'utf8' });
    expect(printed.trim().split('\n')).toEqual(['sorted 83a58adc', 'an argument, 0 wrong', 'heapglass 1']);
  });
});

describeWith('Rust', withRust(), (build) => {
  test('a program with heapglass as its global allocator imports nothing and gives everything back', async () => {
    const path = build();
    const { calls, memory } = await instantiate(path);
    const theirs = memory.grow(3) * 65536; // before the program's first allocation
    new Uint8Array(memory.buffer, theirs, 3 * 65536).fill(0xee);
    expect(call(calls, 'collections', 100_000)).toBe(kCollections);
    expect(new Uint8Array(memory.buffer, theirs, 3 * 65536).every((byte) => byte === 0xee)).toBe(true);
    expect(call(calls, 'bytes_in_use')).toBe(0);
    expect(call(calls, 'aligned', 1000)).toBe(0);
    expect(call(calls, 'refused')).toBe(1);
    expect(call(calls, 'bytes_in_use')).toBe(0);
    expect(readFileSync(path).includes('dlmalloc')).toBe(false);
  });
});

/** What the same collections give with Rust's own allocator: they hold nothing that depends on addresses. */
const kCollections = 3741134802;
