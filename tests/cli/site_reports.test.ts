// A program that writes its call sites: reported, judged, drawn and compared by the commands alone.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Diff } from '../../web/src/diff/diff_types.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { axeOn } from '../axe.ts';
import { build } from '../diff/planted.ts';
import { kEvery, someOf } from '../every.ts';
import { buildForTests, type CommandLine } from './command_line.ts';
import { launchBrowser, watchedPage } from './viewed.ts';

const kRequests = '400';
const kLeak = 2; // one token in forty is forgotten

let cli: CommandLine;
let browser: Browser;
beforeAll(async () => {
  cli = await buildForTests();
  const record = (trace: string, script: string, seed: number) => {
    const { status, stderr } = cli.run('run', '-o', trace, script, String(seed), kRequests);
    if (status !== 0) throw new Error(stderr);
  };
  const before = build(cli, 0, 0);
  const after = build(cli, kLeak, 9);
  for (const [i, seed] of [31, 32].entries()) record(`a${i}.hgtrace`, before, seed);
  for (const [i, seed] of [33, 34].entries()) record(`b${i}.hgtrace`, after, seed);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  cli?.dispose();
});

describe('report', () => {
  test('names the call site of a leak with its line, and between which marks it grew', () => {
    const { stdout } = cli.run('report', 'b0.hgtrace', '--json', '--between', 'morning', 'noon');
    const { sites } = JSON.parse(stdout) as Report;
    const line = readFileSync(new URL('../diff/program.cpp', import.meta.url), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('void *token = CALL'));
    const leak = sites.list.find((site) => site.function === 'parse_token');
    expect(leak).toMatchObject({ file: 'program.cpp', line: line + 1 + 9 });
    expect(leak?.between_blocks).toBeGreaterThan(10);
    expect(leak?.between_left_blocks).toBe(leak?.between_blocks);
    expect(sites.unknown.allocations).toBeLessThan(10);
    expect(cli.run('report', 'b0.hgtrace').stdout).toMatch(
      /\d+ {2}.*B {2}parse_token program\.cpp:\d+ < parse program\.cpp/,
    );
  });

  test('judges call sites: held, broken, and no such site', () => {
    const judged = (trace: string, ...given: string[]) => cli.run('report', trace, '--assert', ...given);
    expect(judged('a0.hgtrace', 'site:parse* leaks=0 count>100', 'lost=0')).toMatchObject({ status: 0, stderr: '' });
    const broken = judged('b0.hgtrace', 'site:parse*', 'leaks=0');
    expect(broken.status).toBe(1);
    expect(broken.stderr).toMatch(/^heapglass: broken: leaks of site:parse\* is \d+ \(its blocks live at the end\)/);
    const none = judged('b0.hgtrace', 'site:prase* leaks=0');
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/^heapglass: no function of the trace fits site:prase\*; there are /);
  });

  test('says which marks there are', () => {
    const { status, stderr } = cli.run('report', 'b0.hgtrace', '--between', 'morning', 'evening');
    expect(status).toBe(2);
    expect(stderr).toBe(
      'heapglass: the trace has no mark "evening" behind the first mark "morning"; it has "morning", "noon"\n',
    );
    expect(cli.run('report', 'b0.hgtrace', '--between', 'morning').stderr).toContain('takes the names of two marks');
  });

  const screens = [{ width: 1440, colorScheme: 'light' } as const, { width: 390, colorScheme: 'dark' } as const];
  test.each(someOf(screens))(
    'draws a flame graph to click and type at, and sorts its table ($width, $colorScheme)',
    async (screen) => {
      const { width, colorScheme } = screen;
      expect(cli.run('report', 'b0.hgtrace', '--html', 'sites.html', '--between', 'morning', 'noon').status).toBe(0);
      const { page, problems } = await watchedPage(browser, width, 900, { colorScheme, offline: true });
      await page.goto(pathToFileURL(join(cli.folder, 'sites.html')).href);
      const frames = page.locator('.flame button');
      const wide = async (name: string) => (await frames.filter({ hasText: name }).first().boundingBox())?.width ?? 0;
      await frames.first().waitFor();
      await page.getByRole('button', { name: 'Blocks allocated' }).click();
      const before = await wide('parse program.cpp');
      await frames.filter({ hasText: 'parse program.cpp' }).first().click();
      expect(await wide('parse program.cpp')).toBeGreaterThan(before);
      expect(await frames.filter({ hasText: 'render_row program.cpp' }).count()).toBe(0);
      for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key); // its caller's caller
      expect(await frames.filter({ hasText: 'render_row program.cpp' }).count()).toBe(1);
      const table = page.getByRole('region', { name: 'Call sites', exact: true });
      for (const column of [1, 2]) {
        const cell = await table.locator(`tbody tr:first-child td:nth-child(${column})`).boundingBox();
        expect((cell?.x ?? width) + (cell?.width ?? 0)).toBeLessThanOrEqual(width); // whose, and its bytes, are in sight
      }
      await table.getByRole('button', { name: 'blocks' }).click();
      const counts = await table.locator('tbody tr td:nth-child(6)').allInnerTexts();
      const numbers = counts.map((text) => Number(text.replaceAll(',', '')));
      expect(numbers).toEqual([...numbers].sort((x, y) => y - x));
      expect(numbers.length).toBeGreaterThan(8);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(problems).toEqual([]);
      const { violations } = await axeOn(page).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([]);
      await page.context().close();
    },
  );
});

test.runIf(kEvery)(
  'a report folds the frames of libraries, in its tables and in its flame graph, until they are wanted',
  async () => {
    const trace = fileURLToPath(new URL('../../web/public/traces/words.hgtrace', import.meta.url));
    expect(cli.run('report', trace, '--html', 'words.html').status).toBe(0);
    const { page, problems } = await watchedPage(browser, 1440, 900, { colorScheme: 'light', offline: true });
    await page.goto(pathToFileURL(join(cli.folder, 'words.html')).href);
    const frames = page.locator('.flame button');
    await frames.first().waitFor();
    await page.getByRole('button', { name: 'Blocks allocated' }).click();
    const table = page.getByRole('region', { name: 'Call sites', exact: true }).filter({ visible: true });
    const ofLibrary = () =>
      Promise.all(
        [frames, table.locator('td.text')].map(
          async (all) =>
            (await all.filter({ visible: true }).allInnerTexts()).filter((text) =>
              /^(operator new|std::|malloc)/.test(text),
            ).length,
        ),
      );
    expect(await ofLibrary()).toEqual([0, 0]);
    const sites = await table.locator('td.text').filter({ visible: true }).allInnerTexts();
    expect(sites.length).toBeGreaterThan(4);
    expect(new Set(sites).size).toBe(sites.length); // what differs in frames of libraries alone is one row
    expect(await table.innerText()).toMatch(/remember_note words\.cpp:30/);
    await page.getByRole('searchbox', { name: /in the flame graph/ }).fill('remember_');
    await page.getByText(/^remember_: 86, 1\.4 % of all\.$/).waitFor();
    expect(await page.locator('.flame button:not(.other)').allInnerTexts()).toEqual(
      (await frames.allInnerTexts()).filter((text) => text.startsWith('remember_')),
    );
    await page.getByRole('checkbox', { name: 'Library frames' }).check();
    for (const count of await ofLibrary()) expect(count).toBeGreaterThan(0);
    expect(await page.getByRole('button', { name: 'Blocks allocated' }).getAttribute('aria-pressed')).toBe('true');
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

describe('diff', () => {
  const noise = ['--noise', 'a1.hgtrace', 'b1.hgtrace'];

  test('names what grew, and ends with 1 when nothing may grow', () => {
    const { stdout, status } = cli.run('diff', 'a0.hgtrace', 'b0.hgtrace', '--json', ...noise);
    const { sites, noise: known, counts } = JSON.parse(stdout) as Diff;
    expect(status).toBe(0);
    expect(known.known).toBe(true);
    expect(counts.new + counts.gone).toBe(0); // all lines have moved
    expect(sites[0]).toMatchObject({ kind: 'grew', function: 'parse_token' });
    const asserted = cli.run('diff', 'a0.hgtrace', 'b0.hgtrace', '--assert-no-growth', ...noise);
    expect(asserted.status).toBe(1);
    expect(asserted.stdout).toMatch(/parse_token program\.cpp:\d+ < .* grew\n {2}live at the end: 0 B to /);
    expect(asserted.stderr).toBe('heapglass: broken: something grew, and --assert-no-growth was given\n');
    expect(cli.run('diff', 'a0.hgtrace', 'a0.hgtrace', '--assert-no-growth').status).toBe(0);
  });

  test('says what is wrong with the command', () => {
    const odd = cli.run('diff', 'a0.hgtrace', 'b0.hgtrace', '--noise', 'a1.hgtrace');
    expect([odd.status, odd.stderr]).toEqual([
      2,
      'heapglass: --noise takes further runs of a and b in turn: a2 b2 ...; there are 1\n',
    ]);
    expect(cli.run('diff', 'a0.hgtrace').status).toBe(2);
    expect(cli.run('diff', 'a0.hgtrace', 'none.hgtrace').stderr).toContain('there is no such file or folder');
  });

  test('is one page without a script', async () => {
    expect(cli.run('diff', 'a0.hgtrace', 'b0.hgtrace', '--html', 'diff.html', ...noise).stdout).toBe('');
    const { page, problems } = await watchedPage(browser, 390, 844, { offline: true });
    await page.goto(pathToFileURL(join(cli.folder, 'diff.html')).href);
    await page.getByRole('heading', { name: /^parse_token program.cpp:\d+ .* grew$/ }).waitFor();
    expect(await page.locator('script').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
    const { violations } = await axeOn(page).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([]);
    await page.context().close();
  });
});

test('convert writes profiles of call sites', () => {
  for (const name of ['heap.pb.gz', 'heap.speedscope.json']) {
    expect(cli.run('convert', 'b0.hgtrace', name).stderr).toMatch(/events as (pprof|speedscope)/);
    expect(statSync(join(cli.folder, name)).size).toBeGreaterThan(200);
  }
});
