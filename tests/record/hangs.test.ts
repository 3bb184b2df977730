// Programs that never return to their event loop: what they recorded is in the file while they go on.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPackage } from '../../tools/built.mjs';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery, kLevel } from '../every.ts';
import { glueFlags, toolchains } from '../link/toolchain.ts';
import { bumpAllocator } from '../package/bump_allocator.ts';
import { linkRecorded, recorderFlags } from './recorded_program.ts';

const kBlocks = 10;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-hangs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function blocksIn(trace: Trace): number[] {
  const sizes: number[] = [];
  for (let event = 0; event < trace.count; ++event)
    if (trace.kind(event) === EventKind.opBegun && trace.b(event) > 100_000) sizes.push(trace.b(event) - 100_000);
  return sizes;
}

/** The blocks in the file of a program that runs on; it is ended as soon as there are ten. */
async function blocksOfRunning(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number[]> {
  const program = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const over = new Promise((resolve) => program.on('exit', resolve));
  try {
    await expect
      .poll(
        () => {
          const read = existsSync(file) ? decodeTraceFile(readFileSync(file)) : undefined;
          return read?.ok === true ? blocksIn(read.value.trace).length : 0;
        },
        { timeout: 20_000 },
      )
      .toBe(kBlocks);
    expect(program.exitCode).toBeNull();
  } finally {
    program.kill('SIGKILL');
    await over;
  }
  const read = decodeTraceFile(readFileSync(file));
  return read.ok ? blocksIn(read.value.trace) : [];
}

const kAll = Array.from({ length: kBlocks }, (_, nth) => nth + 1);

test.runIf(kEvery)('of a linked program', async () => {
  const [toolchain] = toolchains();
  if (toolchain === undefined) throw new Error('no compiler');
  const script = await linkRecorded(toolchain, 'hangs', 'hangs.c', [
    ...recorderFlags('trace'),
    kLevel,
    '-sALLOW_MEMORY_GROWTH',
  ]);
  const file = join(folder, 'linked.hgtrace');
  const blocks = await blocksOfRunning(file, [...glueFlags(toolchain.order), script], { HEAPGLASS_RECORD: file });
  expect(blocks).toEqual(kAll);
});

/** One malloc, of a module whose memory its threads share. */
const kThreaded = `(module (import "env" "memory" (memory 1 2 shared)) (global $next (mut i32) (i32.const 64))
  (func (export "malloc") (param i32) (result i32)
    (global.set $next (i32.add (global.get $next) (i32.const 16))) (global.get $next))
  (func (export "free") (param i32)))`;

test.each(['one thread', 'threads'])('of an instrumented module with %s', async (threads) => {
  const { dist } = builtPackage();
  const file = join(folder, `instrumented ${threads}.hgtrace`);
  const { instrument } = await import('../../web/src/instrument/instrument.ts');
  const { default: binaryen } = await import('binaryen');
  const { default: wabt } = await import('wabt');
  const threaded = async () =>
    (await wabt()).parseWat('threaded.wat', kThreaded, { threads: true }).toBinary({}).buffer;
  const bytes = threads === 'threads' ? await threaded() : bumpAllocator('malloc', 'free');
  writeFileSync(join(folder, 'app.wasm'), instrument(binaryen, bytes).binary);
  const script = join(folder, 'hangs.mjs');
  writeFileSync(
    script,
    `import { readFileSync } from 'node:fs';
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    const bytes = readFileSync(new URL('./app.wasm', import.meta.url));
    const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } });
    for (let i = 1; i <= ${kBlocks}; ++i) instance.exports.malloc(100000 + i);
    for (;;);`,
  );
  const preload = join(dist, 'bin/record_instrumented.mjs');
  const blocks = await blocksOfRunning(file, ['--import', preload, script], { HEAPGLASS_RECORD: file });
  expect(blocks).toEqual(kAll);
});
