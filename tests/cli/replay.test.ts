// heapglass replay as the package has it: the modules beside it, its answers and its complaints.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplayReport } from '../../web/src/replay/replay_types.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { axeOn } from '../axe.ts';
import { someOf } from '../every.ts';
import { buildForTests, type CommandLine } from './command_line.ts';
import { launchBrowser, watchedPage } from './viewed.ts';

const kList = Array.from({ length: 400 }, (_, i) => `a ${i} ${16 + i * 40}\n${i % 3 === 0 ? `f ${i}\n` : ''}`).join('');
const kBlocks = 400;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  writeFileSync(join(cli.folder, 'list.rep'), kList);
  cli.run('convert', 'list.rep', 'list.hgtrace');
});
afterAll(() => cli?.dispose());

test('replay compares the allocators that are asked for, and the one the program has', () => {
  const { stdout, stderr, status } = cli.run('replay', 'list.hgtrace', '--on', 'fast,emmalloc', '--rounds', '1');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toMatch(/operations +534, of them 400 malloc, 0 realloc, 134 free\n/);
  expect([...stdout.matchAll(/^ {2}(\w+) +[\d.]+ /gm)].map(([, name]) => name)).toEqual([
    'fast',
    'emmalloc',
    'dlmalloc',
  ]);
});

test('--json is for programs, --rounds 0 is memory alone, --from sets the comparison', () => {
  const given = ['--json', '--rounds', '0', '--on', 'small', '--from', 'emmalloc'];
  const { stdout, status } = cli.run('replay', 'list.hgtrace', ...given);
  expect(status).toBe(0);
  const report = JSON.parse(stdout) as ReplayReport;
  expect(report.program).toMatchObject({ operations: 534, mallocs: kBlocks });
  expect(report.measured).toMatchObject({ rounds: 0, compared_with: 'emmalloc' });
  expect(
    report.allocators.map(({ name, time, peak_footprint_ratio }) => [name, time, peak_footprint_ratio > 0]),
  ).toEqual([
    ['small', null, true],
    ['emmalloc', null, true],
  ]);
});

test("--trace writes the operations as a trace of heapglass's malloc, which report reads", () => {
  const { status } = cli.run('replay', 'list.hgtrace', '--rounds', '0', '--on', 'fast', '--trace', 'played.hgtrace');
  expect(status).toBe(0);
  const { totals, trace } = JSON.parse(cli.run('report', '--json', 'played.hgtrace').stdout) as Report;
  expect(totals).toMatchObject({ allocations: kBlocks, frees: 134 });
  expect(trace).toMatchObject({ title: 'list.hgtrace, replayed on heapglass', proof: { equal: true } });
});

test('the trace of an instrumented module is replayed: the same calls, and advice that names its call site', () => {
  const script = cli.compile('nodes', '-sENVIRONMENT=node', '--profiling-funcs');
  const wasm = script.replace('.js', '.wasm');
  renameSync(join(cli.folder, wasm), join(cli.folder, 'nodes_original.wasm'));
  expect(cli.run('instrument', 'nodes_original.wasm', '--stacks', '-o', wasm).status).toBe(0);
  expect(cli.run('run', '--symbols', 'nodes_original.wasm', '-o', 'foreign.hgtrace', script).status).toBe(0);
  const { totals, peak } = JSON.parse(cli.run('report', '--json', 'foreign.hgtrace').stdout) as Report;
  expect(totals.allocations).toBeGreaterThanOrEqual(20_000);
  const given = ['foreign.hgtrace', '--rounds', '0', '--on', 'fast', '--advise', '--json'];
  const { program, advice } = JSON.parse(cli.run('replay', ...given).stdout) as ReplayReport;
  expect(program).toMatchObject({ mallocs: totals.allocations, frees: totals.frees });
  expect(program).toMatchObject({ reallocs: totals.reallocations, peak_live_bytes: peak.live.bytes });
  const pool = advice?.list.find(({ kind }) => kind === 'pool');
  expect(JSON.stringify(pool)).toContain('make_node');
}, 60_000);

test('--advise tells what a replay confirmed: here a pool, and a profile with less code', () => {
  writeFileSync(join(cli.folder, 'nodes.rep'), Array.from({ length: 20_000 }, (_, i) => `a ${i} 20\n`).join(''));
  cli.run('convert', 'nodes.rep', 'nodes.hgtrace');
  const given = ['nodes.hgtrace', '--rounds', '0', '--on', 'fast,small', '--advise'];
  const { advice } = JSON.parse(cli.run('replay', ...given, '--json').stdout) as ReplayReport;
  expect(advice?.list.map(({ kind, request_bytes }) => [kind, request_bytes])).toContainEqual(['pool', 20]);
  const { stdout } = cli.run('replay', ...given);
  expect(stdout).toMatch(/Advice, each replayed\n {2}1\. link heapglass \w+ in place of dlmalloc: .* less code\.\n/);
  expect(stdout).toMatch(/ take the 20,000 blocks of 20 B from a pool: a peak of .* instead of .*, .* more code\.\n/);
});

test.each([
  [['list.hgtrace', '--on', 'fast,jemalloc'], 'there is no allocator "jemalloc" to replay on; there are fast, small'],
  [['list.hgtrace', '--rounds', 'x'], 'It must be a whole number, 0 or more.'],
  [['absent.hgtrace'], '"absent.hgtrace": there is no such file or folder'],
  [['list.rep'], 'heapglass convert list.rep out.hgtrace makes one of it'],
])('replay %j is refused with a sentence', (given, sentence) => {
  const { stderr, stdout, status } = cli.run('replay', ...given);
  expect(stderr).toContain(sentence);
  expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
});

test('--html is one page without a script: curves, tables, no network, no overflow', async () => {
  cli.run('replay', 'list.hgtrace', '--rounds', '1', '--html', 'replay.html');
  expect(existsSync(join(cli.folder, 'replay.html'))).toBe(true);
  expect(readFileSync(join(cli.folder, 'replay.html'), 'utf8')).not.toContain('<script');
  const browser = await launchBrowser();
  try {
    for (const [width, height, colorScheme] of someOf([
      [390, 844, 'dark'],
      [1440, 900, 'light'],
    ] as const)) {
      const { page, problems } = await watchedPage(browser, width, height, { colorScheme, offline: true });
      await page.goto(pathToFileURL(join(cli.folder, 'replay.html')).href);
      expect(await page.locator('figure svg').count()).toBe(2);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(problems).toEqual([]);
      const { violations } = await axeOn(page).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([]);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
});
