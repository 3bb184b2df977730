// Modules without any name of an allocator: functions are tried, and what behaves like malloc and free is offered, and not taken.

import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { triedAllocator, triedCompanions } from '../../package/recorded/trial.ts';
import { importsOf } from '../../package/recorded/trial_imports.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { readModule } from '../../web/src/symbols/index.ts';
import { buildForTests, type CommandLine } from '../cli/command_line.ts';
import { countedBy } from '../cli/known.ts';
import { kEvery } from '../every.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
});
afterAll(() => cli?.dispose());

const at = (name: string): string => join(cli.folder, name);

/** What the linker called the functions that are offered, by role. */
function truthOf(symbols: string, offered: ReadonlyMap<string, string>): Record<string, string> {
  const names = new Map(
    readFileSync(at(symbols), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(':', 2) as [string, string]),
  );
  return Object.fromEntries([...offered].map(([role, index]) => [role, names.get(index) ?? '']));
}

describe('a program of which only main is exported', () => {
  test('is offered dlmalloc, and recorded as it counts itself when that is named', () => {
    const script = cli.compile('known', '-O3', '-sMALLOC=dlmalloc', '--emit-symbol-map');
    const wasm = script.replace('.js', '.wasm');
    mkdirSync(at('alone'), { recursive: true });
    copyFileSync(at(wasm), at('alone/app.wasm'));
    const { stderr, status } = cli.run('instrument', 'alone/app.wasm', '-o', 'out.wasm');
    expect(status).toBe(1);
    expect(existsSync(at('out.wasm'))).toBe(false); // offered only
    const options =
      /tried alone, functions \d+ and \d+ behave like malloc and free.*: (--malloc .*)$/m.exec(stderr)?.[1] ?? '';
    const offered = new Map(
      [...options.matchAll(/--(\w+) (\d+)/g)].map(([, role, index]) => [role ?? '', index ?? '']),
    );
    const truth = truthOf(`${script}.symbols`, offered);
    expect([...offered.keys()].sort()).toEqual(['calloc', 'free', 'malloc', 'memalign', 'realloc']);
    expect(truth).toMatchObject({ malloc: expect.stringMatching(/malloc$/), free: expect.stringMatching(/free$/) });
    for (const [role, name] of Object.entries(truth))
      expect(name).toMatch(new RegExp(role === 'memalign' ? 'memalign|aligned' : role));
    expect(cli.run('instrument', 'alone/app.wasm', '-o', wasm, ...options.trim().split(' ')).status).toBe(0);
    const { stdout } = cli.run('run', '-o', 'tried.hgtrace', script, '3000', 'all');
    const report = JSON.parse(cli.run('report', 'tried.hgtrace', '--json').stdout) as Report;
    const { live_blocks, frees } = countedBy(report);
    expect({ live_blocks, frees }).toMatchObject({ live_blocks: 0, frees: JSON.parse(stdout).frees });
    expect(report.totals.unknown_frees).toBe(0);
  });
});

describe('where only malloc has a name', () => {
  test.runIf(kEvery)('free is found by a trial, and the program is recorded as it counts itself', () => {
    const script = cli.compile('known', '-O3', '-sMALLOC=dlmalloc', '-sEXPORTED_FUNCTIONS=_main,_malloc');
    const wasm = script.replace('.js', '.wasm');
    copyFileSync(at(wasm), at('alone/giver.wasm'));
    const { stderr } = cli.run('instrument', 'alone/giver.wasm', '--glue', script, '-o', wasm);
    expect(stderr).toMatch(/found malloc .*, free \(by a trial\) in function \d+/);
    const { stdout } = cli.run('run', '-o', 'giver.hgtrace', script, '3000', 'all');
    const report = JSON.parse(cli.run('report', 'giver.hgtrace', '--json').stdout) as Report;
    expect(countedBy(report)).toMatchObject({ live_blocks: 0, frees: JSON.parse(stdout).frees });
    expect(report.totals.unknown_frees).toBe(0);
  });
});

describe.runIf(kEvery)('where only malloc and free have names', () => {
  test.each([
    ['aligned', 'posix_memalign', 40],
    ['known', 'memalign', 0],
  ] as const)(
    'the secret function that gives aligned blocks of "%s" is found by a trial: %s',
    (name, role, aligned) => {
      const script = cli.compile(name, '-O3', '-sMALLOC=dlmalloc', '-sEXPORTED_FUNCTIONS=_main,_malloc,_free');
      const wasm = script.replace('.js', '.wasm');
      copyFileSync(at(wasm), at('alone/secret.wasm'));
      const { stderr } = cli.run('instrument', 'alone/secret.wasm', '--glue', script, '-o', wasm);
      expect(stderr).toMatch(new RegExp(`found .*, ${role} \\(by a trial\\) in function \\d+`));
      cli.run('run', '-o', 'secret.hgtrace', script, '3000', 'all');
      const { totals } = JSON.parse(cli.run('report', 'secret.hgtrace', '--json').stdout) as Report;
      expect(totals.unknown_frees).toBe(0);
      if (aligned > 0) expect(totals.allocations).toBeGreaterThanOrEqual(2 * aligned);
    },
  );
});

/** malloc that gives what was freed last, else the next 8 KiB; the module has the globals $free and $next. */
const kListMalloc = `(func (param i32) (result i32) (local i32)
  (local.set 1 (global.get $free))
  (if (local.get 1) (then (global.set $free (i32.load (local.get 1))) (return (local.get 1))))
  (local.set 1 (global.get $next))
  (global.set $next (i32.add (global.get $next) (i32.const 8192)))
  (local.get 1))`;

test('a function that gives aligned blocks by a size alone is one more malloc; what only calls malloc is none', async () => {
  const places = '(i32.or (i32.and (local.get 0) (i32.const -8192)) (i32.const 8))'; // a block in each 8 KiB
  const aligned = (size: string) =>
    `(i32.and (i32.add (call 0 (i32.add ${size} (i32.const 64))) (i32.const 63)) (i32.const -64))`;
  const text = `(module (memory 16) (global $next (mut i32) (i32.const 8200)) (global $free (mut i32) (i32.const 0))
    ${kListMalloc}
    (func (param i32)
      (local.set 0 ${places})
      (i32.store (local.get 0) (global.get $free))
      (global.set $free (local.get 0)))
    (func (param i32) (result i32) (call 0 (local.get 0)))
    (func (param i32) (result i32)
      (if (i32.and (local.get 0) (i32.const 63)) (then (return (i32.const 0)))) ;; as aligned_alloc
      ${aligned('(local.get 0)')})
    (func (param i32) (result i32) (drop (call 0 (i32.const 1))) (call 3 (local.get 0))))`;
  const { buffer } = (await wabt()).parseWat('m.wat', text).toBinary({});
  expect(triedCompanions(readModule(buffer), 0, 1)).toEqual({ malloc: [3] });
});

test('where JavaScript writes to memory in which place the heap begins, the trial finds the place', async () => {
  const kStack = 0x2_0000; // the stack's pointer: the heap begins there
  const list = (
    more = '',
  ) => `(module (memory 16) (global (mut i32) (i32.const ${kStack})) (data (i32.const 1024) "data")
    (func (param i32) (result i32) (local i32) ;; the free list is at 2048, and the heap's end at 2052
      (if (i32.ne (i32.load (i32.const 1024)) (i32.const 0x61746164)) (then unreachable)) ;; its data are written over
      (local.set 1 (i32.load (i32.const 2048)))
      (if (local.get 1) (then (i32.store (i32.const 2048) (i32.load (local.get 1))) (return (local.get 1))))
      (local.set 1 (i32.add (i32.load (i32.const 2052)) (i32.const 8)))
      (i32.store (i32.const 2052) (i32.add (local.get 1) (i32.const 8184)))
      ${more}
      (local.get 1))
    (func (param i32) (i32.store (local.get 0) (i32.load (i32.const 2048))) (i32.store (i32.const 2048) (local.get 0))))`;
  const bytes = async (text: string) => (await wabt()).parseWat('m.wat', text).toBinary({}).buffer;
  const begun = await bytes(list());
  expect(triedCompanions(readModule(begun), 0, undefined)).toEqual({ free: [1] });
  expect(triedAllocator(begun)).toEqual({ malloc: 0, free: [1] });
  const other = list('(i32.store (i32.const 4096) (i32.add (local.get 1) (i32.const 4)))'); // as likely a place, and another
  expect(triedAllocator(await bytes(other))).toEqual({ malloc: 0, free: [1] });
  const lies = list('(local.set 1 (i32.const 4096))'); // no place makes its blocks lie behind the stack
  expect(triedAllocator(await bytes(lies))).toBeUndefined();
});

describe('nothing is offered', () => {
  const tried = async (functions: string) => {
    const text = `(module (memory 16) (global $next (mut i32) (i32.const 1024)) ${functions})`;
    return triedAllocator((await wabt()).parseWat('m.wat', text).toBinary({}).buffer);
  };
  const bump = `(func (param i32) (result i32) (global.get $next)
    (global.set $next (i32.add (global.get $next) (i32.and (i32.add (local.get 0) (i32.const 15)) (i32.const -16)))))`;

  test('of an allocator that gives nothing back, and of functions that hang', async () => {
    const hangs = '(func (param i32) (loop (br 0)))';
    expect(await tried(`${bump} (func (param i32)) ${hangs}`)).toBeUndefined();
  });

  test('of a function that asks the system for ever: it is stopped by the number of its calls', async () => {
    const text = '(module (import "env" "write" (func (param i32) (result i32))))';
    const { write } = importsOf((await wabt()).parseWat('m.wat', text).toBinary({}).buffer)['env'] ?? {};
    let calls = 0;
    const untilStopped = () => {
      for (; ; ++calls) (write as () => number)();
    };
    expect(untilStopped).toThrow('too often');
    expect(calls).toBe(10_000);
  });

  test('of one whose blocks overlap', async () => {
    const same = '(func (param i32) (result i32) (i32.const 4096))';
    expect(await tried(`${same} (func (param i32))`)).toBeUndefined();
  });

  test('of one whose free overwrites other blocks; without that it is', async () => {
    const list = (more: string) => `(global $free (mut i32) (i32.const 0))
      ${kListMalloc}
      (func (param i32) (i32.store (local.get 0) (global.get $free)) (global.set $free (local.get 0)) ${more})`;
    expect(await tried(list('(i32.store (i32.const 1024) (i32.const 77))'))).toBeUndefined();
    expect(await tried(list(''))).toEqual({ malloc: 0, free: [1] });
    const copy = '(func (param i32) (i32.store (local.get 0) (global.get $free)) (global.set $free (local.get 0)))';
    expect(await tried(`${list('')} ${copy}`)).toEqual({ malloc: 0, free: [1, 2] }); // copies of free are all its own
    const caller = '(func (drop (call 2 (i32.const 1))))';
    const layer = `(func (param i32) (result i32) (call 3 (i32.shl (local.get 0) (i32.const 2)) (i32.const 4)))
      (func (param i32 i32) (result i32) (call 0 (local.get 0))) ${caller} ${caller}`;
    expect(await tried(`${list('')} ${layer}`)).toMatchObject({ malloc: 0, free: [1] }); // above it, although it does not call it itself
  });
});
