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
import { Model } from '../../web/src/model/model.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { buildForTests, type CommandLine, root } from '../cli/command_line.ts';

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

/** What the program counted of its own calls, its blocks having sizes that nobody else's have. */
interface Counted {
  readonly allocations: number;
  readonly allocated_bytes: number;
  readonly frees: number;
  readonly reallocations: number;
  readonly live_blocks: number;
  readonly wrong: number;
}

function recorded(options: readonly string[], ...given: readonly string[]) {
  expect(cli.run('instrument', 'before.wasm', '-o', 'crowd.wasm', ...options).status).toBe(0);
  const { stdout, status, stderr } = cli.run('run', '-o', 'crowd.hgtrace', 'crowd.js', ...given);
  expect(stderr).toMatch(/recorded/);
  expect(status).toBe(0);
  const decoded = decodeTraceFile(readFileSync(at('crowd.hgtrace')));
  if (!decoded.ok) throw new Error(decoded.error.message);
  expect(decoded.value.notice).toBeUndefined();
  const { trace } = decoded.value;
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  return { own: JSON.parse(stdout) as Counted, trace, model };
}

/** Blocks of sizes that are odd and more than 8, which are the program's own. */
function countIn(trace: Trace): Omit<Counted, 'wrong'> & { readonly unseen: number } {
  const live = new Map<number, number>();
  const counts = { allocations: 0, allocated_bytes: 0, frees: 0, reallocations: 0, unseen: 0 };
  const isOwn = (size: number) => size % 2 === 1 && size > 8;
  let freed = false; // in this operation
  for (let seq = 0; seq < trace.count; ++seq) {
    const [kind, address, size] = [trace.kind(seq), trace.a(seq), trace.b(seq)];
    if (kind === EventKind.opBegun) freed = false;
    else if (kind === EventKind.blockFreed) {
      if (!live.has(address)) counts.unseen += 1;
      if (isOwn(live.get(address) ?? 0)) counts.frees += 1;
      live.delete(address);
      freed = true;
    } else if (kind === EventKind.blockAllocated) {
      if (live.has(address)) counts.unseen += 1;
      live.set(address, size);
      if (!isOwn(size)) continue;
      counts.allocations += freed ? 0 : 1;
      counts.allocated_bytes += freed ? 0 : size;
      counts.reallocations += freed ? 1 : 0;
      counts.frees -= freed ? 1 : 0;
    }
  }
  return { ...counts, live_blocks: [...live.values()].filter(isOwn).length };
}

const threadsIn = (trace: Trace): Set<number> => {
  const threads = new Set<number>();
  for (let seq = 0; seq < trace.count; ++seq) {
    if (trace.kind(seq) === EventKind.threadChanged) threads.add(trace.a(seq));
  }
  return threads;
};

describe('a program with threads', () => {
  test.each([[[]], [['--stacks']]])('is recorded exactly as it counted itself, with %j', (options) => {
    const { own, trace } = recorded(options, '3', '1500');
    const { unseen, ...counts } = countIn(trace);
    expect({ ...counts, wrong: 0 }).toEqual(own);
    expect(unseen).toBe(0);
    expect(threadsIn(trace)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(trace.count).toBeGreaterThan(3 * 16_384); // buffers were emptied by whoever found them full
  });

  test('that is sampled, one in a byte, has told every block and every free of one', () => {
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
  const restore = install(undefined, () => shared);
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
