// A leak, a temporary and a peak planted in a program of C++ and one of Rust: the trace names each with file and line.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery } from '../every.ts';
import { sitesOf } from '../web/instrument/sites_of.ts';
import { buildForTests, type CommandLine, root } from './command_line.ts';

/** npm run check:stacks: without optimization too. */
const kFull = process.env['HG_STACK_SEEDS'] !== undefined;
const programs = join(root, 'tests/web/instrument/programs');
const kRust = 'wasm32-unknown-unknown';
const rustc = process.env['RUSTC'] ?? 'rustc';
const hasRust =
  spawnSync(rustc, ['--target', kRust, '--crate-type', 'cdylib', '-o', '/dev/null', '-'], { input: '' }).status === 0;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
}, 60_000);
afterAll(() => cli?.dispose());

const inFolder = (name: string) => join(cli.folder, name);

interface Recorded {
  readonly trace: Trace;
  readonly report: Report;
}

/** Replaces the module by the instrumented one, runs the script, and reads the trace, with the names that it has by itself, and the report on it. */
function recorded(script: string, wasm: string): Recorded {
  renameSync(inFolder(wasm), inFolder('original.wasm'));
  const made = cli.run('instrument', 'original.wasm', '--stacks', '-o', wasm);
  expect(made.status, made.stderr).toBe(0);
  const ran = cli.run('run', '-o', 'sites.hgtrace', script);
  expect(ran.status, ran.stderr).toBe(0);
  const symbolized = cli.run('symbolize', '-o', 'symbolized.hgtrace', 'sites.hgtrace', 'original.wasm');
  expect(symbolized.stderr).toMatch(/symbolized.hgtrace: (\d+) of \1 sites have names from original.wasm/);
  const decoded = decodeTraceFile(readFileSync(inFolder('sites.hgtrace')));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return { trace: decoded.value.trace, report: JSON.parse(cli.run('report', 'sites.hgtrace', '--json').stdout) };
}

interface Planted {
  readonly leak: string;
  readonly temporary: string;
  readonly peak: string;
}

/** For each: the innermost frame, of the file `source`, of the site with most of it. Undefined for a linked program: its heap is no foreign one. */
function worstLines(trace: Trace, source: string): Planted | undefined {
  const sites = sitesOf(trace);
  const live = new Map<number, { readonly site: number; readonly size: number; readonly at: number }>();
  const temporaries = new Map<number, number>();
  const add = (map: Map<number, number>, site: number, n: number) => map.set(site, (map.get(site) ?? 0) + n);
  const bySite = () => {
    const bytes = new Map<number, number>();
    for (const { site, size } of live.values()) add(bytes, site, size);
    return bytes;
  };
  let site = 0;
  let allocations = 0;
  let bytes = 0;
  let most = 0;
  let peak = bySite();
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.siteEntered) site = trace.a(event);
    if (kind === EventKind.blockAllocated) {
      live.set(trace.a(event), { site, size: trace.b(event), at: ++allocations });
      bytes += trace.b(event);
      if (bytes > most) {
        most = bytes;
        peak = bySite();
      }
      site = 0;
    }
    if (kind !== EventKind.blockFreed) continue;
    const block = live.get(trace.a(event));
    live.delete(trace.a(event));
    bytes -= block?.size ?? 0;
    if (block?.at === allocations) add(temporaries, block.site, 1);
  }
  const worst = (map: ReadonlyMap<number, number>) => {
    const [most = 0] = [...map].sort(([, one], [, other]) => other - one).map(([number]) => number);
    return sites.pathOf(most).findLast((frame) => frame.includes(source)) ?? 'nowhere';
  };
  if (allocations === 0) return undefined;
  return { leak: worst(bySite()), temporary: worst(temporaries), peak: worst(peak) };
}

/** The lines with the comments. */
function plantedIn(source: string): Planted {
  const lines = readFileSync(join(programs, source), 'utf8').split('\n');
  const at = (what: string) => `${source}:${lines.findIndex((line) => line.endsWith(`// ${what}`)) + 1}`;
  return { leak: at('leak'), temporary: at('temporary'), peak: at('peak') };
}

/** Both by the events alone, and as the first site that `report` lists for each. */
function expectNamed({ trace, report }: Recorded, source: string, names: Planted): void {
  const planted = plantedIn(source);
  const found = worstLines(trace, source);
  const first = (figure: 'live_bytes' | 'temporaries' | 'peak_bytes') => {
    const [site] = report.sites.list.toSorted((one, other) => other[figure] - one[figure]);
    return `${site?.function} ${site?.file}:${site?.line}`;
  };
  const listed = { leak: first('live_bytes'), temporary: first('temporaries'), peak: first('peak_bytes') };
  for (const what of ['leak', 'temporary', 'peak'] as const) {
    if (found !== undefined) expect(found[what]).toContain(names[what]);
    if (found !== undefined) expect(found[what].endsWith(planted[what]), `${what}: ${found[what]}`).toBe(true);
    expect(listed[what]).toContain(names[what]);
    expect(listed[what].endsWith(planted[what]), `${what} in the report: ${listed[what]}`).toBe(true);
  }
}

const kNamesInCpp: Planted = { leak: 'add_entry(int)', temporary: 'check_entry(', peak: 'sort_all()' };

describe('what was planted is named with file and line', () => {
  const kLevels = kFull ? ['-O0', '-O2'] : ['-O2'];
  test.each([
    ...kLevels.map((level) => ({ level, linked: false })),
    ...(kFull || kEvery ? kLevels : []).map((level) => ({ level, linked: true })), // daily: linked_sites.test.ts
  ])(
    'in C++, $level, linked with heapglass: $linked',
    ({ level, linked }) => {
      const given = ['emcc', join(programs, 'planted.cpp'), '-std=c++20', '-g', '-gdwarf-4', level];
      const ours = linked ? cli.run('--ldflags', '--profile', 'trace').stdout.trim().split(' ') : [];
      const flags = [...ours, '-sALLOW_MEMORY_GROWTH', '-sENVIRONMENT=node', '-o', 'planted.js'];
      execFileSync(join(root, 'wasm-build.sh'), [...given, ...flags], { cwd: cli.folder, stdio: 'pipe' });
      expectNamed(recorded('planted.js', 'planted.wasm'), 'planted.cpp', kNamesInCpp);
    },
    120_000,
  );

  test.skipIf(!hasRust).each(kFull ? [['-Copt-level=0'], ['-Copt-level=2']] : [['-Copt-level=2']])(
    'in Rust %s',
    (...flags) => {
      copyFileSync(join(programs, 'planted.rs'), inFolder('planted.rs'));
      const given = ['--target', kRust, '--crate-type', 'cdylib', '--edition', '2021', '-g', ...flags];
      execFileSync(rustc, [...given, 'planted.rs', '-o', 'planted_rust.wasm'], { cwd: cli.folder, stdio: 'pipe' });
      const script = `const wasm = new WebAssembly.Module(require('fs').readFileSync('planted_rust.wasm'));
new WebAssembly.Instance(wasm, {}).exports.run(300);`;
      writeFileSync(inFolder('planted_rust.cjs'), script);
      const made = recorded('planted_rust.cjs', 'planted_rust.wasm');
      expectNamed(made, 'planted.rs', { leak: 'add_entry', temporary: 'check_entry', peak: 'sort_all' });
    },
    120_000,
  );
});
