// The contract natively, where a word has 8 bytes: the trace that the program built with probes writes to a file, held against the
// model. With HG_TEST=all also the same answers from the program built without, malloc's addresses in each build, and the trace of a
// program whose threads run at the same time.
//
// Needs the native programs: cmake --preset native-asan-ubsan && cmake --build --preset native-asan-ubsan; with HG_TEST=all those of
// cmake --preset native-asan-ubsan -DHG_EVERY=ON

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { kindOf } from '../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery } from '../every.ts';
import { proveTrace } from './prove_trace.ts';

const kMinutes = 60_000;
const kOperations = kEvery ? 150_000 : 50_000;
const kChecks = kOperations / 500 + 2;
const kRun = ['--run', '--seed', '7', '--operations', `${kOperations}`, '--check-every', '500'];
const programAt = (name: string) => fileURLToPath(new URL(`../../build/native-asan-ubsan/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heapglass-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function contract(variant: 'release' | 'trace' | 'checked', ...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(programAt(`contract_${variant}`), [...kRun, ...options]);
  return stdout.trim();
}

function traceAt(path: string): TraceFile {
  const bytes = readFileSync(path);
  const file = decodeTraceFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  if (!file.ok) throw new Error(file.error.message);
  expect(file.value.notice).toBeUndefined();
  expect(file.value.wordSize).toBe(8);
  return file.value;
}

describe('the contract natively', () => {
  const variants = kEvery ? (['checked', 'trace'] as const) : (['checked'] as const);
  test.each(variants)(
    'the model agrees with the heap at every checkpoint of the trace file of the variant %s',
    {
      timeout: 10 * kMinutes,
    },
    async (variant) => {
      const path = join(folder, `${variant}.hgtrace`);
      const traced = await contract(variant, '--trace', path);
      expect(traced).toContain(`operations ${kOperations} checks ${kChecks}`);
      const proof = proveTrace(traceAt(path).trace, 10);
      expect(proof.problem).toBeUndefined();
      expect(proof.checkpoints).toBeGreaterThan(kChecks);
      console.log(`${traced}: ${proof.events} events, ${proof.checkpoints} checkpoints proved, all undone`);
    },
  );

  test.runIf(kEvery)('the offsets depend neither on probes nor on proofs', { timeout: 10 * kMinutes }, async () => {
    const plain = await contract('release');
    expect(plain).toContain(`operations ${kOperations} checks ${kChecks}`);
    expect(await contract('trace')).toBe(plain);
    expect(await contract('checked')).toBe(plain);
  });
});

describe.runIf(kEvery)('malloc natively', () => {
  test('gives equal addresses with probes, with proofs and without, for 200 seeds, flushes included', {
    timeout: 5 * kMinutes,
  }, async () => {
    const seeds = ['--seed', '1000', '--seeds', '200', '--operations', '2000', '--check-every', '500', '--malloc'];
    const run = async (variant: string) =>
      (await promisify(execFile)(programAt(`contract_${variant}`), ['--run', ...seeds])).stdout.trim();
    const plain = await run('release');
    expect(plain.split('\n')).toHaveLength(200);
    expect(await run('trace')).toBe(plain);
    expect(await run('checked')).toBe(plain);
  });
});

describe.runIf(kEvery)('D2: threads that run at the same time', () => {
  test('the model agrees with the heap, its spans and caches at every checkpoint that any of them wrote', {
    timeout: 10 * kMinutes,
  }, async () => {
    const path = join(folder, 'threads.hgtrace');
    const only = '--gtest_filter=D2_traced_threads.*';
    await promisify(execFile)(programAt('threads_trace_tests'), [only], {
      env: { ...process.env, HG_TRACE_FILE: path },
    });
    const { trace } = traceAt(path);
    const proof = proveTrace(trace, 10);
    expect(proof.problem).toBeUndefined();
    expect(proof.checkpoints).toBe(3 * 4 * 6 + 3 + 1);
    let changes = 0;
    for (let event = 0; event < trace.count; ++event)
      changes += kindOf(trace.head(event)) === EventKind.threadChanged ? 1 : 0;
    expect(changes).toBeGreaterThanOrEqual(3 * 4); // every thread of every round acted; how often they took turns is the system's
    console.log(
      `threads: ${proof.events} events, ${changes} changes of thread, ${proof.checkpoints} checkpoints proved`,
    );
  });
});
