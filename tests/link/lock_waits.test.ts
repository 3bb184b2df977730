// lock.K7: in a linked program the instruction by which malloc's locks wait stands in a function that does nothing else.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import createWabt from 'wabt';
import { kThreadFlags } from './matrix.ts';
import { archive, toolchains } from './toolchain.ts';

/** The time that only these locks wait, in nanoseconds: the waits of libc have other limits. */
const kNanoseconds = 'i64.const 50000';
const kStructure = /^(\(|end$|$)/;

async function functionsThatWait(wasm: string): Promise<string[][]> {
  const wabt = await createWabt();
  const module = wabt.readWasm(readFileSync(wasm), { threads: true });
  const text = module.toText({ foldExprs: false, inlineExport: false });
  return text
    .split(/^ {2}\(func /m)
    .map((body) => body.split('\n').map((line) => line.trim().replace(/\)+$/, '')))
    .filter((lines) => lines.some((line, at) => line === kNanoseconds && lines[at + 1]?.includes('atomic.wait32')));
}

describe.each(toolchains())('Emscripten $version', (toolchain) => {
  test.each(['-O1', '-O3'])('linked with %s', async (level) => {
    const flags = [
      archive('fast-threads'),
      level,
      '-pthread',
      '-sPTHREAD_POOL_SIZE=3',
      '-sEXIT_RUNTIME',
      ...kThreadFlags,
    ];
    const { wasm } = await toolchain.link(`lock_waits${level}`, ['threads.c'], flags);
    const found = await functionsThatWait(wasm);
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(1).filter((line) => !kStructure.test(line))).toEqual([
      'local.get 0',
      'i32.const 1',
      kNanoseconds,
      'memory.atomic.wait32',
      'drop',
    ]);
  });
});
