// A block freed twice and a foreign pointer are called so, with the address, the calls and where the block was allocated.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildForTests, type CommandLine } from './command_line.ts';

let cli: CommandLine;
let script = '';
beforeAll(async () => {
  cli = await buildForTests();
  script = cli.link('misuses', 'trace');
});
afterAll(() => cli?.dispose());

function noticeOf(how: string): string {
  cli.run('run', '-o', 'misuse.hgtrace', script, how);
  const { stdout } = cli.run('report', 'misuse.hgtrace', '--json');
  return (JSON.parse(stdout) as { notices: string[] }).notices.join();
}

const kFreed = String.raw`0x[0-9a-f]{4}_[0-9a-f]{4} is freed at event \d+`;

test.each([
  ['d', 43],
  ['b', 100_000],
] as const)('a double free (%s)', (how, bytes) => {
  const size = bytes.toLocaleString('en-US');
  expect(noticeOf(how)).toMatch(
    new RegExp(
      String.raw`^the heap is known only up to event \d+: a double free: ${kFreed}, and was freed already at event \d+ \(${size} bytes, allocated at event \d+\)$`,
    ),
  );
});

test('a free of an address inside of a block', () => {
  expect(noticeOf('f')).toMatch(
    new RegExp(
      String.raw`: a foreign pointer: ${kFreed}, and lies 8 bytes inside the block at 0x[0-9a-f_]{9} \(43 bytes, allocated at event \d+\)$`,
    ),
  );
});

test('a free of an address of no block', () => {
  expect(noticeOf('n')).toMatch(new RegExp(`: a foreign pointer: ${kFreed}, and no block begins there$`));
});

test('with call stacks the function that allocated the block is said too', () => {
  const wasm = join(cli.folder, script.replace('.js', '.wasm'));
  renameSync(wasm, join(cli.folder, 'original.wasm'));
  cli.run('instrument', 'original.wasm', '--stacks', '-o', wasm);
  expect(noticeOf('d')).toMatch(
    / a double free: .*\(43 bytes, allocated at event \d+ in wasm-function\[\d+\]:0x[0-9a-f]+\)$/,
  );
});
