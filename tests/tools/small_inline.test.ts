// D1 on the compiled code: `new T` is the pop of a list of a constant class, `delete` the push. Looks at the assembly that
// the compiler writes for wasm, with and without threads.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const kSource = `
#include <heapglass/small.hpp>
struct Ten : heapglass::small_object<Ten> { int numbers[10]; };
struct Eleven { int numbers[11]; Eleven() {} };
extern "C" {
Ten *make_ten() { return new Ten; }
void drop_ten(Ten *ten) { delete ten; }
Eleven *make_eleven() { return heapglass::small_new<Eleven>(); }
void *any_size(size_t size) { return heapglass::small_allocate_bytes(size); }
}
`;

/** Instructions of a function: mnemonic and operands, with `end_block` and without labels and directives. */
function instructionsOf(assembly: string, name: string): string[] {
  const begin = assembly.indexOf(`\n${name}:`);
  const end = assembly.indexOf('end_function', begin);
  if (begin < 0 || end < 0) throw new Error(`no function ${name}`);
  return assembly
    .slice(begin, end)
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '' && !line.startsWith('.') && !line.endsWith(':'));
}

/** What is executed when each condition sends control away from the calls: the function without its runs that call. */
function fastPath(instructions: readonly string[]): string[] {
  const runs: string[][] = [[]];
  for (const one of instructions) {
    // A run ends where control may leave or come in.
    if (/^(block|loop|end_block|end_loop)\b/.test(one)) runs.push([]);
    else runs.at(-1)?.push(one);
    if (/^(br|br_if|return|unreachable)\b/.test(one)) runs.push([]);
  }
  return runs.filter((run) => !run.some((one) => /^(call|unreachable)\b/.test(one))).flat();
}

describe.each([
  ['without threads', [], 'hg_small_only_cache'],
  ['with threads', ['-pthread', '-DHG_THREADS=1'], 'hg_small_thread_cache'],
] as const)('%s', (_, flags, cache) => {
  let folder = '';
  let assembly = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'heapglass-inline-'));
    const source = join(folder, 'inline.cpp');
    const out = join(folder, 'inline.s');
    writeFileSync(source, kSource);
    const options = [
      '-std=c++20',
      '-O2',
      '-fno-exceptions',
      `-I${root}/core/include`,
      ...flags,
      '-S',
      source,
      '-o',
      out,
    ];
    execFileSync('./wasm-build.sh', ['emcc', ...options], { cwd: root, stdio: 'pipe' });
    assembly = readFileSync(out, 'utf8');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['make_ten', 'hg_small_allocate_slow', 7, 20],
    ['drop_ten', 'hg_small_deallocate_slow', 7, 22],
    ['make_eleven', 'hg_small_allocate_slow', 8, 20],
  ])('%s calls nothing but %s, and that only off the fast path', (name, slow, sizeClass, most) => {
    const all = instructionsOf(assembly, name);
    const calls = all.filter((one) => /^call/.test(one)).map((one) => one.split(' ')[1]);
    expect(calls.filter((one) => one !== slow && !one?.includes('raise_bad_alloc'))).toEqual([]);
    expect(calls).toContain(slow);
    // The class is a constant: the argument of the slow path, and the offset of the list in the cache.
    expect(all).toContain(`i32.const ${sizeClass}`);
    const fast = fastPath(all);
    expect(fast.filter((one) => one.startsWith('call'))).toEqual([]);
    expect(fast.some((one) => one.includes(cache))).toBe(true);
    // Where the cache has one place, newer compilers add its address to this constant instead (the access names the cache then).
    const offset = new RegExp(`^i32\\.(load|store|const) ${sizeClass * 8}$`);
    expect(fast.some((one) => offset.test(one))).toBe(true);
    // No shift, no table, no comparison of sizes: nothing computes a class.
    expect(fast.filter((one) => /\.(shl|shr_u|shr_s|clz|ctz|mul|gt_u|lt_u|load8_u|load16_u)\b/.test(one))).toEqual([]);
    const work = fast.filter((one) => !/^(local\.|global\.|br|return|end_)/.test(one));
    expect(work.length).toBeLessThanOrEqual(most);
  });

  test('a size that the compiler does not know is computed, so the proof above can fail', () => {
    const all = instructionsOf(assembly, 'any_size');
    expect(all.some((one) => /\.(clz|shl|shr_u)\b/.test(one))).toBe(true);
  });
});
