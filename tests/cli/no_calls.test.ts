// A trace without one call of an allocator says so, and why that may be: by run, in a report and to a question.

import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kNoCalls } from '../../web/src/trace/no_calls.ts';
import { someOf } from '../every.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

/** `work` has an allocator of its own, and nothing calls malloc. */
const kModule = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param $bytes i32) (result i32) (local $at i32)
    (local.set $at (global.get $top))
    (global.set $top (i32.add (global.get $top) (local.get $bytes)))
    (local.get $at))
  (func $give (param i32))
  (func $work (drop (call $take (i32.const 24))))
  (func $malloc (param i32) (result i32) (i32.add (call $take (local.get 0)) (i32.const 8)))
  (export "malloc" (func $malloc)) (export "free" (func $give)) (export "work" (func $work)))`;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  writeFileSync(join(cli.folder, 'app.wasm'), binaryen.parseText(kModule).emitBinary());
  for (const way of ['plain', 'stacks'])
    cli.run('instrument', 'app.wasm', '-o', `${way}.wasm`, ...(way === 'stacks' ? ['--stacks'] : []));
});
afterAll(() => cli?.dispose());

const kCases = [
  ['stacks', 'work()', true],
  ['plain', 'free(malloc(24))', false],
  ['plain', 'work()', true],
  ['stacks', 'free(malloc(24))', false],
] as const;
test.each(someOf(kCases, 2))('%s, %s: said is %s', (way, call, isSaid) => {
  const load = `const { instance } = await WebAssembly.instantiate(readFileSync('${way}.wasm'));`;
  const uses = `const { malloc, free, work } = instance.exports; ${call};`;
  writeFileSync(join(cli.folder, 'app.mjs'), `import { readFileSync } from 'node:fs'; ${load} ${uses}`);
  const ran = cli.run('run', '-o', 'app.hgtrace', 'app.mjs');
  expect(ran.status, ran.stderr).toBe(0);
  expect(ran.stderr.includes(kNoCalls)).toBe(isSaid);
  expect(cli.run('report', 'app.hgtrace').stdout.includes(kNoCalls)).toBe(isSaid);
  expect(cli.run('report', '--json', 'app.hgtrace').stdout.includes(kNoCalls)).toBe(isSaid);
  for (const question of ['who holds', 'what leaked'])
    expect(cli.run('ask', question, 'app.hgtrace').stdout.includes(kNoCalls)).toBe(isSaid);
});

test('a file that was cut before its first event says that it was cut, and nothing of its program', () => {
  writeFileSync(join(cli.folder, 'cut.mjs'), `process.kill(process.pid, 'SIGKILL');`);
  const trace = join(cli.folder, 'app.hgtrace');
  execFileSync('truncate', ['-s', String(Math.min(statSync(trace).size - 1, 40)), trace]);
  const { stdout, stderr } = cli.run('report', 'app.hgtrace');
  expect(`${stdout}${stderr}`).not.toContain(kNoCalls);
});
