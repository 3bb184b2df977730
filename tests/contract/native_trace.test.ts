// The contract natively: the trace that the program built with probes writes to a file, held against the model; and the
// same answers from the program built without.
//
// Needs the native programs: cmake --preset native-asan-ubsan && cmake --build --preset native-asan-ubsan

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { proveTrace } from './prove_trace.ts';

const kMinutes = 60_000;
const kRun = ['--run', '--seed', '7', '--operations', '150000', '--check-every', '500'];
const folder = mkdtempSync(join(tmpdir(), 'heapglass-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function contract(variant: 'release' | 'trace', ...options: string[]): Promise<string> {
  const program = fileURLToPath(new URL(`../../build/native-asan-ubsan/contract_${variant}`, import.meta.url));
  const { stdout } = await promisify(execFile)(program, [...kRun, ...options]);
  return stdout.trim();
}

describe('the contract natively', () => {
  test('the model agrees with the heap at every checkpoint of the trace file, and the offsets do not depend on probes', {
    timeout: 10 * kMinutes,
  }, async () => {
    const path = join(folder, 'native.hgtrace');
    const traced = await contract('trace', '--trace', path);
    expect(traced).toContain('operations 150000 checks 302');
    expect(await contract('release')).toBe(traced);

    const bytes = readFileSync(path);
    const file = decodeTraceFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    if (!file.ok) throw new Error(file.error.message);
    expect(file.value.notice).toBeUndefined();
    expect(file.value.wordSize).toBe(8);
    const proof = proveTrace(file.value.trace, 10);
    expect(proof.problem).toBeUndefined();
    expect(proof.checkpoints).toBeGreaterThan(302);
    console.log(`${traced}: ${proof.events} events, ${proof.checkpoints} checkpoints proved, all undone`);
  });
});
