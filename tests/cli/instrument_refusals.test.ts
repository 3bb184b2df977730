// heapglass instrument refuses what it cannot rewrite with one sentence; and heapglass run leaves no process behind.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kEvery, someOf } from '../every.ts';
import { type BareCommand, buildBareCommand } from './bare_command.ts';

let cli: BareCommand;
beforeAll(async () => {
  cli = await buildBareCommand();
});
afterAll(() => cli?.dispose());

const leb = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]);
const section = (id: number, body: readonly number[]): number[] => [id, ...leb(body.length), ...body];

/** malloc, in whose body so many blocks are nested. */
function moduleOf({ depth = 1, memories = 1, imported = false }): Uint8Array {
  const body = [0, ...Array<number[]>(depth).fill([2, 0x40]).flat(), ...Array<number>(depth).fill(0x0b), 0x41, 8, 0x0b];
  const code = [1, ...leb(body.length), ...body];
  const parts = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, 0x60, 1, 0x7f, 1, 0x7f]),
    imported ? section(2, [1, 1, 0x65, 1, 0x6d, 2, 0, 1]) : [],
    section(3, [1, 0]),
    section(5, [memories, ...Array<number[]>(memories).fill([0, 1]).flat()]),
    section(7, [1, 6, ...Buffer.from('malloc'), 0, 0]),
    section(10, code),
  ];
  return Uint8Array.from(parts.flat());
}

const kRefused = [
  ['deeper', moduleOf({ depth: 40_000 }), /a function of it nests too deeply: 40000 blocks/],
  ['two', moduleOf({ memories: 2 }), /it has several memories/],
  ['imported', moduleOf({ imported: true }), /it has several memories/],
  ['deep', moduleOf({ depth: 14_000 }), /although it is valid: a function nests too deeply/],
] as const;
test.each(someOf(kRefused, 3))(
  '%s is refused by what is wrong with it, with and without --stacks',
  (name, bytes, sentence) => {
    cli.write(`${name}.wasm`, bytes);
    const ways = name === 'deep' ? [[]] : [[], ['--stacks'], ['--sample', '1000']]; // Binaryen takes seconds to fail on it
    for (const options of ways) {
      const { status, stdout, stderr } = cli.run('instrument', ...options, `${name}.wasm`, '-o', 'out.wasm');
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect({ status, stdout, wrote: existsSync(join(cli.folder, 'out.wasm')) }).toEqual({
        status: 1,
        stdout: '',
        wrote: false,
      });
    }
  },
);

test('every damaged byte is answered with one sentence that says what is wrong', () => {
  const whole = moduleOf({});
  for (let at = 8; at < whole.length; at += kEvery ? 7 : 21) {
    const damaged = whole.slice();
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    cli.write('damaged.wasm', damaged);
    const { status, stderr } = cli.run('instrument', 'damaged.wasm', '-o', 'out.wasm');
    if (status === 0) continue; // the byte of a constant or of a name
    expect(stderr, `byte ${at}`).toMatch(/^heapglass: .{20,}\n$/);
    expect(stderr).not.toMatch(/\[object Object\]|Aborted|fault of heapglass| {4}at /);
  }
});

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a program in a loop ends when run is killed', async () => {
  cli.write('spins.cjs', 'process.stdout.write(String(process.pid)); for (;;);');
  const run = spawn(process.execPath, [cli.command, 'run', 'spins.cjs'], { cwd: cli.folder });
  const pid = Number(await new Promise((said) => run.stdout.once('data', said)));
  expect(isRunning(pid)).toBe(true);
  run.kill('SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
});
