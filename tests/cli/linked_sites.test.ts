// A program linked with --profile trace and instrumented with --stacks: its trace has sites beside the structure of its heap, with
// threads, and when only the last events are kept. The size of each block says which function asked for it (programs/sited.c).

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordOptions } from '../../package/recorded/record_options.ts';
import { makeRecorded } from '../../package/recorded/recorded_wasm.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { ProgramCalls } from '../../web/src/report/program_calls.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { kEvery } from '../every.ts';
import { toldByPage } from '../instrument/told_by_page.ts';
import { prove, recorderFlags, traceOfFile } from '../record/recorded_program.ts';
import { buildForTests, type CommandLine, root } from './command_line.ts';

/** npm run check:stacks. */
const kFull = process.env['HG_STACK_SEEDS'] !== undefined;
const kFirst = 2000;
const kSites = 6;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
}, 60_000);
afterAll(() => cli?.dispose());

const inFolder = (name: string) => join(cli.folder, name);

/** The script of sited.c, its module instrumented; the original is `<name>_original.wasm`. */
function build(name: string, flags: readonly string[], level = '-O1'): string {
  const source = join(root, 'tests/cli/programs/sited.c');
  const given = ['emcc', source, level, '--profiling-funcs', ...flags, '-o', `${name}.js`];
  execFileSync(join(root, 'wasm-build.sh'), given, { cwd: cli.folder, stdio: 'pipe' });
  copyFileSync(inFolder(`${name}.wasm`), inFolder(`${name}_original.wasm`));
  const made = cli.run('instrument', `${name}_original.wasm`, '--stacks', '-o', `${name}.wasm`);
  expect(made.stderr).toContain('it is linked with heapglass and records itself');
  return `${name}.js`;
}

function recorded(script: string, given: readonly string[], ...options: readonly string[]): Trace {
  const ran = cli.run('run', ...options, '-o', 'sited.hgtrace', script, ...given);
  expect(ran.status, ran.stderr).toBe(0);
  return traceOfFile(inFolder('sited.hgtrace')).trace;
}

interface Told {
  readonly allocations: number;
  /** Allocations whose site is not the function that their size names. */
  readonly wrong: readonly string[];
  /** How many calls of `work` stand in the stacks: another number for each thread. */
  readonly depths: ReadonlySet<number>;
}

function told(trace: Trace): Told {
  const { history } = new Model(trace);
  history.fold();
  let stack: readonly string[] = [];
  let allocations = 0;
  const wrong: string[] = [];
  const depths = new Set<number>();
  const seen = (request: number) => {
    if (request < kFirst || request >= kFirst + kSites) return;
    ++allocations;
    const name = `site_${request - kFirst}`;
    if (stack[0] !== name) wrong.push(`${name}: ${stack.join(' < ')}`);
    depths.add(stack.filter((frame) => frame === 'work').length);
  };
  const nothing = () => {};
  new ProgramCalls(trace, 4, {
    entered: (site) => {
      stack = history.sites.stack(site);
    },
    allocated: (_, request) => seen(request),
    resized: (_, __, request) => seen(request),
    has: () => true,
    freed: nothing,
    failed: nothing,
    lost: nothing,
    forgotten: nothing,
    found: nothing,
    ended: nothing,
    revived: nothing,
  }).readTo(trace.count);
  return { allocations, wrong, depths };
}

const kPage = `<!doctype html><link rel="icon" href="data:," /><script type="module">
  import './instrumented.js';
  const tell = () => {
    Module.heapglass.checkpoint();
    globalThis.told = Array.from(Module.heapglass.trace());
  };
  globalThis.Module = { arguments: ['3000'], postRun: [tell] };
  document.head.append(Object.assign(document.createElement('script'), { src: 'SCRIPT' }));
</script>`;

describe('a linked program with stacks', () => {
  let script = '';
  beforeAll(() => {
    script = build('sited', [...recorderFlags('trace'), '-sALLOW_MEMORY_GROWTH']);
  }, 60_000);

  test('each allocation has its site, and the heap is what the model says', () => {
    const trace = recorded(script, ['3000']);
    const { wrong, allocations, depths } = told(trace);
    expect(wrong).toEqual([]);
    expect(allocations).toBe(3000);
    expect(depths.size).toBe(1);
    expect(prove(trace).problem).toBeUndefined();
  });

  test('the sites of the beginning are known when only the last events are kept', () => {
    const trace = recorded(script, ['60000'], '--keep', '40000');
    const { wrong, allocations } = told(trace);
    expect(trace.count).toBeLessThan(90_000);
    expect(wrong).toEqual([]);
    expect(allocations).toBeGreaterThan(3000);
    expect(prove(trace).problem).toBeUndefined();
  });

  test.runIf(kEvery)(
    'in a page each allocation has its site too',
    async () => {
      writeFileSync(inFolder('page.html'), kPage.replace('SCRIPT', script));
      const entryPoints = { instrumented: join(root, 'package/instrumented.ts') };
      await esbuild({ entryPoints, outdir: cli.folder, bundle: true, format: 'esm', logLevel: 'warning' });
      writeFileSync(inFolder('page.hgtrace'), Uint8Array.from(await toldByPage<number[]>(cli.folder, 'page.html')));
      const { trace } = traceOfFile(inFolder('page.hgtrace'));
      const { wrong, allocations } = told(trace);
      expect(wrong).toEqual([]);
      expect(allocations).toBe(3000);
      expect(prove(trace).problem).toBeUndefined();
    },
    120_000,
  );

  test.skipIf(!kFull)('-O3 shortens the names of exports: those of functions are enough', () => {
    const trace = recorded(build('sited_o3', [...recorderFlags('trace'), '-sALLOW_MEMORY_GROWTH'], '-O3'), ['3000']);
    const { history } = new Model(trace);
    history.fold();
    expect([...history.sites.all()].map(({ frame }) => frame)).toContain('main');
    expect(history.sites.areEntered).toBe(true);
  });

  test('bundlers and tests of pages serve it with its sites, where they are asked for', async () => {
    const original = new Uint8Array(readFileSync(inFolder('sited_original.wasm')));
    const nothing = { note: () => {}, warn: (text: string) => expect.unreachable(text) };
    const served = (options: RecordOptions, module = original) =>
      makeRecorded(options, inFolder('cache'), nothing)(module, 'sited.wasm', undefined);
    const before = new Uint8Array(readFileSync(inFolder('sited.wasm')));
    expect(Buffer.from(before).equals(await served({ stacks: true }))).toBe(true);
    expect(Buffer.from(before).equals(await served({ callers: true }))).toBe(true);
    expect(await served({})).toBe(original);
    expect(await served({ stacks: true }, before)).toBe(before); // it has them already
  });

  test('without --stacks there is nothing to instrument', () => {
    const { status, stderr } = cli.run('instrument', 'sited_original.wasm');
    expect(status).toBe(1);
    expect(stderr).toContain('"sited_original.wasm" is linked with heapglass and records itself');
    const again = cli.run('instrument', '--stacks', 'sited.wasm');
    expect(again.stderr).toContain('it is instrumented already');
  });
});

test('threads of a linked program have their own stacks in one trace', () => {
  const flags = ['-pthread', '-sINITIAL_MEMORY=64MB', '-sEXIT_RUNTIME', '-sPTHREAD_POOL_SIZE=3'];
  const script = build('sited_threads', [...recorderFlags('trace-threads'), ...flags]);
  const trace = recorded(script, ['10000', '3']);
  const { wrong, allocations, depths } = told(trace);
  expect(wrong).toEqual([]);
  expect(allocations).toBe(4 * 10_000);
  expect(depths.size).toBe(4);
  expect(prove(trace).problem).toBeUndefined();
}, 60_000);
