// Stacks of a program with threads against the engine's own, at every allocation: recursion, virtual and indirect calls, exceptions and
// longjmp in five threads at once (tests/web/instrument/programs/stacks.cpp), recorded in one trace.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { functionNames } from '../../web/src/symbols/function_names.ts';
import { readModule } from '../../web/src/symbols/index.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { buildForTests, type CommandLine, root } from '../cli/command_line.ts';
import { someOf } from '../every.ts';
import { sitesOf } from '../web/instrument/sites_of.ts';
import { kExceptions } from '../web/instrument/stacks_cases.ts';
import { checkedTrace } from './crowd_trace.ts';

/** npm run check:stacks: more. */
const kSeeds = Number(process.env['HG_STACK_SEEDS'] ?? 2);
/** Those by JavaScript. Exceptions of wasm end the program itself, before it is instrumented: Emscripten 3.1.6 has them without threads. */
const [[, kFlags]] = kExceptions as [(typeof kExceptions)[0]];
const kThreads = 5;
const kOracle = join(root, 'tests/instrument/stack_oracle.mjs');

let cli: CommandLine;
const at = (name: string): string => join(cli.folder, name);
beforeAll(async () => {
  cli = await buildForTests();
});
afterAll(() => cli?.dispose());

/** By its name, as the instrumented module carries it, or by its number; callers are scripts. */
const isOfModule = (frame: string): boolean => !/\.m?js:\d+$/.test(frame);

/** Of each thread the blocks that it got, in order, each with the names of its stack, the innermost first. */
type Allocations = ReadonlyMap<string, readonly string[]>;

function toldBy(trace: Trace, names: ReadonlyMap<number, string>): Allocations {
  const { pathOf } = sitesOf(trace);
  const nameOf = (frame: string) => {
    const [, index] = /^wasm-function\[(\d+)\]/.exec(frame) ?? [];
    return index === undefined ? frame : (names.get(Number(index)) ?? '?');
  };
  const threads = new Map<number, string[]>();
  let thread = 1;
  let site = 0;
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.threadChanged) thread = trace.a(event);
    else if (kind === EventKind.siteEntered) site = trace.a(event);
    else if (kind === EventKind.blockAllocated) {
      const stack = pathOf(site).filter(isOfModule).map(nameOf).reverse().join(' ');
      const lines = threads.get(thread) ?? [];
      lines.push(`${trace.a(event)} ${trace.b(event)} ${stack}`);
      threads.set(thread, lines);
      site = 0;
    }
  }
  return new Map([...threads].map(([number, lines]) => [`${number}`, lines]));
}

/** Frames outside of the module. */
function callersIn(trace: Trace): readonly string[] {
  const { entered, pathOf } = sitesOf(trace);
  return [...new Set(entered)].flatMap(pathOf).filter((frame) => !isOfModule(frame));
}

/** shift: so many imports stand before the functions that were not there before. */
function seenByEngine(names: ReadonlyMap<number, string>, shift: number): Allocations {
  const files = readdirSync(cli.folder).filter((name) => name.startsWith('oracle-'));
  return new Map(
    files.map((name) => {
      const lines = readFileSync(at(name), 'utf8').split('\n').slice(0, -1);
      const named = lines.map((line) => {
        const [address, size, ...frames] = line.split(' ');
        return [address, size, ...frames.map((index) => names.get(Number(index) - shift) ?? '?')].join(' ');
      });
      return [name, named];
    }),
  );
}

const importsIn = (wasm: string): number => readModule(new Uint8Array(readFileSync(at(wasm)))).imports.length;

/** With callers a stack is the same and goes on: JavaScript that started the thread. */
test.each(someOf(['--callers', '--stacks']))(
  'in every thread every allocation has the stack that the engine has: %s',
  (option) => {
    const source = join(root, 'tests/web/instrument/programs/stacks.cpp');
    const given = [
      '-std=c++20',
      '-O1',
      '-DTHREADS',
      '-pthread',
      '--profiling-funcs',
      '-sALLOW_MEMORY_GROWTH',
      ...kFlags,
    ];
    const threads = ['-sPTHREAD_POOL_SIZE=4', '-sEXIT_RUNTIME=1', '-o', 'stacks.js'];
    const emcc = ['emcc', source, ...given, ...threads];
    execFileSync(join(root, 'wasm-build.sh'), emcc, { cwd: cli.folder, stdio: 'pipe' });
    copyFileSync(at('stacks.wasm'), at('before.wasm'));
    expect(cli.run('instrument', 'before.wasm', option, '-o', 'stacks.wasm').status).toBe(0);
    const { NODE_OPTIONS: before, HEAPGLASS_ORACLE: _ } = process.env;
    Object.assign(process.env, { NODE_OPTIONS: `--import=${kOracle}`, HEAPGLASS_ORACLE: at('oracle') });
    const ran = cli.run('run', '-o', 'stacks.hgtrace', 'stacks.js', `${kSeeds}`);
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
    expect(ran.status, ran.stderr).toBe(0);
    const names = functionNames(readModule(new Uint8Array(readFileSync(at('before.wasm')))));
    const trace = checkedTrace(readFileSync(at('stacks.hgtrace')));
    const told = toldBy(trace, names);
    expect(callersIn(trace).some((frame) => /stacks\.(worker\.)?js:\d+$/.test(frame))).toBe(option === '--callers');
    const seen = seenByEngine(names, importsIn('stacks.wasm') - importsIn('before.wasm'));
    expect([told.size, seen.size]).toEqual([kThreads, kThreads]);
    const blocks = (lines: readonly string[]) => lines.map((line) => line.split(' ').slice(0, 2).join(' ')).join();
    const byBlocks = new Map([...told.values()].map((lines) => [blocks(lines), lines]));
    for (const lines of seen.values()) {
      expect(byBlocks.get(blocks(lines))).toEqual(lines);
      expect(lines.length).toBeGreaterThan(100 * kSeeds);
      expect(Math.max(...lines.map((line) => line.split(' ').length))).toBeGreaterThan(12);
    }
  },
);
