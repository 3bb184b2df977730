// heapglass run when a call to the system fails, in its own process and in the program's: the program does its work, a sentence says what is
// not recorded, and what is in the file is a trace. Signals leave no process behind.
//
//   npx vitest run tests/cli/run_failures.test.ts      part of npm run check:failures

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { kEvery, someOf } from '../every.ts';
import { type BareCommand, buildBareCommand } from './bare_command.ts';
import { runFailing } from './failures/failing.ts';

const kOut = 'out.hgtrace';
const kMost = 200;
/** npm test: every fifteenth call fails once. */
const kStep = kEvery || process.env['HG_FAILURES'] === 'all' ? 1 : 15;
const kLimit = 1_800_000; // counts are compared here, not times
// What it does itself is not among the calls that fail.
const kProgram = `import { readFile } from 'node:fs/promises';
const { instance } = await WebAssembly.instantiate(await readFile('app.hg.wasm'), {});
let sum = 0;
for (let i = 0; i < 20_000; ++i) sum += instance.exports.malloc(16);
console.log('did its work: ' + sum);
`;
const kDone = 'did its work: 320000\n';

let cli: BareCommand;
const rows: string[] = [];
beforeAll(async () => {
  cli = await buildBareCommand();
  const text = '(module (memory 1) (func (export "malloc") (param i32) (result i32) (i32.const 16)))';
  cli.write('app.wasm', (await wabt()).parseWat('m.wat', text).toBinary({}).buffer);
  expect(cli.run('instrument', 'app.wasm', '-o', 'app.hg.wasm').status).toBe(0);
  cli.write('app.mjs', kProgram);
  cli.write('spin.mjs', 'console.log(process.pid); for (;;);');
  cli.write(
    'deaf.mjs',
    "for (const s of ['SIGINT', 'SIGHUP']) process.on(s, () => {}); setInterval(() => {}, 1000); console.log(process.pid);",
  );
});
afterAll(() => {
  cli?.dispose();
  if (process.env['HG_FAILURES'] === 'all') console.log(['command: runs, failures, losses', ...rows].join('\n'));
});

const path = () => join(cli.folder, kOut);
const inputs = () => ['app.mjs', 'app.hg.wasm'].map((name) => readFileSync(join(cli.folder, name)));
/** Of a trace there is a report, whole or not; or it says that no event is in it. */
function isTrace(): boolean {
  const { status, stderr } = cli.run('report', kOut);
  return status === 0 || status === 3 || /no event|before the first/.test(stderr);
}

test.each([
  ['run', undefined],
  ['run, in the program', 'app.mjs'],
])(
  '%s: whichever call fails, the program does its work and what is recorded can be read',
  (name, program) => {
    const before = inputs();
    let failures = 0;
    for (let nth = 1; ; nth += kStep) {
      expect(nth, 'it never succeeds').toBeLessThan(kMost);
      rmSync(path(), { force: true });
      const { status, stdout, stderr, failed } = runFailing(cli, ['run', '-o', kOut, 'app.mjs'], nth, program);
      const place = `${failed} ${nth}: ${status} ${stderr}`;
      expect(inputs(), place).toEqual(before);
      if (failed === '') {
        expect({ status, stdout }, place).toEqual({ status: 0, stdout: kDone });
        expect(cli.run('report', kOut, '--assert', 'allocations=20000').status).toBe(0);
        break;
      }
      failures += 1;
      expect(stderr, place).not.toMatch(/fault of heapglass| at .*:\d+:\d+/);
      expect(stderr, place).toMatch(/^(heapglass: .+\n)+$/);
      if (program !== undefined) expect(stdout, place).toBe(kDone);
      if (stdout === kDone && status === 0) expect(isTrace(), place).toBe(true);
      else expect(status, place).toBeGreaterThan(0);
      if (existsSync(path()) && readFileSync(path()).length > 0) expect(isTrace(), place).toBe(true);
    }
    rows.push(`${name}: ${failures + 1}, ${failures}, 0`);
  },
  kLimit,
);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const kSignals: readonly (readonly [script: string, signals: readonly NodeJS.Signals[]])[] = [
  ['spin.mjs', ['SIGKILL']],
  ['deaf.mjs', ['SIGINT', 'SIGINT', 'SIGKILL']],
  ['spin.mjs', ['SIGINT', 'SIGINT']],
  ['spin.mjs', ['SIGHUP']],
  ['spin.mjs', ['SIGTERM']],
  ['deaf.mjs', ['SIGHUP', 'SIGTERM']],
];

test.each(someOf(kSignals))(
  '%s under run is gone after %j, and so is everything that run started',
  async (script, signals) => {
    const started = spawn(process.execPath, [cli.command, 'run', '-o', kOut, script], {
      cwd: cli.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((done) => started.once('close', done));
    const pid = Number(await new Promise((said) => started.stdout.once('data', said)));
    const family = childrenOf(started.pid ?? 0);
    expect(family).toContain(pid);
    for (const signal of signals) started.kill(signal);
    await ended;
    await expect.poll(() => family.filter(isRunning), { timeout: 20_000 }).toEqual([]);
  },
);

/** The processes that a process has started. */
function childrenOf(parent: number): number[] {
  const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}
