// What run says of the traces of a program with several modules, and what it does with them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { bumpAllocator } from '../package/bump_allocator.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

const kPairs = 1000;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  writeFileSync(join(cli.folder, 'app.wasm'), bumpAllocator('malloc', 'free'));
  cli.run('instrument', 'app.wasm', '-o', 'recorded.wasm');
  writeFileSync(
    join(cli.folder, 'two.mjs'),
    `import { readFileSync } from 'node:fs';
    const bytes = readFileSync('recorded.wasm');
    for (let nth = 0; nth < 2; ++nth) {
      const { malloc, free } = (await WebAssembly.instantiate(bytes)).instance.exports;
      for (let pair = 0; pair < ${kPairs}; ++pair) free(malloc(8));
    }`,
  );
});
afterAll(() => cli?.dispose());

test('the trace of each module is named, packed, and has all events', () => {
  writeFileSync(join(cli.folder, 'two-3.hgtrace'), 'of another run');
  const { stderr, status } = cli.run('run', '-o', 'two.hgtrace', 'two.mjs');
  expect(status).toBe(0);
  const said = stderr.trimEnd().split('\n');
  expect(said).toEqual([
    expect.stringMatching(/^heapglass: two\.hgtrace: .* recorded; heapglass view two\.hgtrace shows it$/),
    expect.stringMatching(/^heapglass: two-2\.hgtrace: .* recorded; heapglass view two-2\.hgtrace shows it$/),
  ]);
  for (const name of ['two.hgtrace', 'two-2.hgtrace']) {
    const bytes = readFileSync(join(cli.folder, name));
    const read = decodeTraceFile(bytes);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.notice).toBeUndefined();
    expect(read.value.trace.count).toBeGreaterThanOrEqual(6 * kPairs);
    expect(bytes.length / read.value.trace.count).toBeLessThan(4);
  }
  expect(readFileSync(join(cli.folder, 'two-3.hgtrace'), 'utf8')).toBe('of another run');
});

test('a damaged trace stays as the program wrote it', () => {
  const script = `import { writeFileSync } from 'node:fs';
    writeFileSync(process.env.HEAPGLASS_RECORD, 'no trace at all');`;
  writeFileSync(join(cli.folder, 'wrong.mjs'), script);
  cli.run('run', '-o', 'wrong.hgtrace', 'wrong.mjs');
  expect(readFileSync(join(cli.folder, 'wrong.hgtrace'), 'utf8')).toBe('no trace at all');
});

test('a program that ends while it is busy says nothing of the inspector that interrupted it', () => {
  const script = `import { readFileSync } from 'node:fs';
    const { malloc } = (await WebAssembly.instantiate(readFileSync('recorded.wasm'))).instance.exports;
    malloc(8);
    const interrupts = new Int32Array(1);
    process.heapglassDrains.push(() => Atomics.add(interrupts, 0, 1));
    while (Atomics.load(interrupts, 0) < 2); // engines read a plain variable once, as nothing in the loop changes it
    process.exit(0);`;
  writeFileSync(join(cli.folder, 'busy.mjs'), script);
  const { stderr } = cli.run('run', '-o', 'busy.hgtrace', 'busy.mjs');
  expect(stderr).toMatch(/^heapglass: busy\.hgtrace: .* recorded; .*\n$/);
});
