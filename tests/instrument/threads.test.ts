// A program with threads that free and resize each other's blocks, instrumented: one trace, in an order in which it could have happened.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { kShared, makeSharedMemory } from '../../web/src/instrument/shared_layout.ts';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import { buildForTests, type CommandLine, root } from '../cli/command_line.ts';
import { kEvery, someOf } from '../every.ts';
import { type Counted, checkedTrace, countIn, threadsIn } from './crowd_trace.ts';

const kFlags = ['-O1', '-pthread', '-g2', '-sALLOW_MEMORY_GROWTH', '-sPTHREAD_POOL_SIZE=4', '-sEXIT_RUNTIME=1'];

let cli: CommandLine;
const at = (name: string): string => join(cli.folder, name);

beforeAll(async () => {
  cli = await buildForTests();
  const source = join(root, 'tests/instrument/programs/crowd.c');
  const given = ['emcc', source, ...kFlags, '-o', 'crowd.js'];
  execFileSync(join(root, 'wasm-build.sh'), given, { cwd: cli.folder, stdio: 'pipe' });
  copyFileSync(at('crowd.wasm'), at('before.wasm'));
}, 120_000);
afterAll(() => cli?.dispose());

function recorded(options: readonly string[], ...given: readonly string[]) {
  expect(cli.run('instrument', 'before.wasm', '-o', 'crowd.wasm', ...options).status).toBe(0);
  const { stdout, status, stderr } = cli.run('run', '-o', 'crowd.hgtrace', 'crowd.js', ...given);
  expect(stderr).toMatch(/recorded/);
  expect(status).toBe(0);
  return { own: JSON.parse(stdout) as Counted, trace: checkedTrace(readFileSync(at('crowd.hgtrace'))) };
}

describe('a program with threads', () => {
  test.each(someOf([[[]], [['--stacks']]]))('is recorded exactly as it counted itself, with %j', (options) => {
    const { own, trace } = recorded(options, '3', '1500');
    const { unseen, ...counts } = countIn(trace);
    expect({ ...counts, wrong: 0 }).toEqual(own);
    expect(unseen).toBe(0);
    expect(threadsIn(trace)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(trace.count).toBeGreaterThan(3 * 16_384); // buffers were emptied by whoever found them full
  });

  test.runIf(kEvery)('that is sampled, one in a byte, has told every block and every free of one', () => {
    const { own, trace } = recorded(['--sample', '1'], '2', '250');
    expect(samplingMean(trace)).toBe(1);
    const { unseen, live_blocks } = countIn(trace);
    expect(unseen).toBe(0);
    expect(live_blocks).toBe(own.live_blocks);
  });
});

test('while a realloc runs no other thread can tell of a block that it was given', async () => {
  const text = `(module (import "env" "during" (func $during)) (import "env" "memory" (memory 1 2 shared))
    (func (export "malloc") (param i32) (result i32) (call $during) (i32.const 64))
    (func (export "realloc") (param i32 i32) (result i32) (call $during) (i32.const 128)))`;
  const bytes = (await wabt()).parseWat('realloc.wat', text, { threads: true }).toBinary({}).buffer;
  const module = new WebAssembly.Module(Uint8Array.from(instrument(binaryen, bytes).binary));
  const shared = makeSharedMemory();
  const held: boolean[] = [];
  const during = () => held.push(Atomics.load(new Int32Array(shared.buffer), kShared.lock / 4) !== 0);
  const restore = install({ sharedMemory: () => shared });
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    const { exports } = new WebAssembly.Instance(module, { env: { memory, during } });
    const call = exports as Record<'malloc' | 'realloc', (...args: number[]) => number>;
    call.realloc(call.malloc(8), 16);
    during();
    expect(held).toEqual([false, true, false]);
  } finally {
    restore();
  }
});
