// What the commands show in a browser: the glass with a trace, and a report's page without any network.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../web/src/report/report_types.ts';
import { axeOn } from '../axe.ts';
import { someOf } from '../every.ts';
import { buildForTests, type CommandLine } from './command_line.ts';
import { headOf, launchBrowser, startView, type Viewed, watchedPage } from './viewed.ts';

const kTrace = 'my first.hgtrace'; // a name that an address must quote

let cli: CommandLine;
let browser: Browser;
let report: Report;
const views: Viewed[] = [];

beforeAll(async () => {
  cli = await buildForTests();
  cli.run('run', '-o', kTrace, cli.link('known', 'trace'), '3000');
  report = JSON.parse(cli.run('report', kTrace, '--json').stdout) as Report;
  browser = await launchBrowser();
});
afterAll(async () => {
  for (const viewed of views) viewed.end();
  await browser?.close();
  cli?.dispose();
});

async function view(...args: readonly string[]): Promise<readonly string[]> {
  const viewed = await startView(cli.command, cli.folder, ...args);
  views.push(viewed);
  return viewed.addresses;
}

test('view serves the glass, which shows each trace at its address, and nothing else of the disk', async () => {
  cpSync(join(cli.folder, kTrace), join(cli.folder, 'second.hgtrace'));
  const [first = '', second = ''] = await view(kTrace, 'second.hgtrace');
  const { page, problems } = await watchedPage(browser, 1440, 900);
  await page.goto(first);
  const time = page.getByRole('slider', { name: 'Time, in events' });
  await expect.poll(() => headOf(page), { timeout: 20_000 }).toBe(String(report.trace.events));
  expect(await page.title()).toContain(kTrace);
  const badge = page.locator('.hg-badge');
  await page.goto(`${first}&event=${report.trace.events}`);
  await expect.poll(() => time.getAttribute('aria-valuenow'), { timeout: 20_000 }).toBe(String(report.trace.events));
  await expect.poll(() => badge.getAttribute('data-badge'), { timeout: 20_000 }).toBe('verified');
  await page.goto(second);
  await expect.poll(() => page.title(), { timeout: 20_000 }).toContain('second.hgtrace');
  expect(problems).toEqual([]);
  const { origin } = new URL(first);
  for (const path of ['/traces/2/x', '/../package.json', '/%2e%2e/package.json', '/traces/-1/x', '/absent.js']) {
    expect((await fetch(origin + path)).status, path).toBe(404);
  }
  await page.context().close();
});

test('view says when an address names no trace', async () => {
  const [first = ''] = await view(kTrace);
  const { page } = await watchedPage(browser, 1000, 700);
  await page.goto(`${new URL(first).origin}/#trace=traces/7/gone.hgtrace`);
  await expect
    .poll(() => page.locator('body').innerText(), { timeout: 20_000 })
    .toContain('traces/7/gone.hgtrace: 404 Not Found');
  await page.context().close();
});

test('a port that is taken is named', async () => {
  const [first = ''] = await view(kTrace);
  const { status, stderr } = cli.run('view', kTrace, '--port', new URL(first).port);
  expect(status).toBe(1);
  expect(stderr).toContain(`port ${new URL(first).port} is taken by another program`);
});

const kScreens = [
  [1440, 900, 'light'],
  [390, 844, 'dark'],
] as const;
test.each(someOf(kScreens))(
  'a report is one page: plots, tables, no network, no overflow (%i x %i, %s)',
  async (width, height, colorScheme) => {
    expect(cli.run('report', kTrace, '--html', 'report.html').stdout).toBe('');
    const { page, problems } = await watchedPage(browser, width, height, { colorScheme, offline: true });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(join(cli.folder, 'report.html')).href);
    await expect.poll(() => page.locator('figure svg').count()).toBe(4);
    const bars = page.locator('figure[data-plot="sizes"] svg rect');
    expect(await bars.count()).toBe(report.sizes.histogram.length);
    expect(await page.locator('.tile strong').allInnerTexts()).toContain(
      report.totals.allocations.toLocaleString('en-US'),
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(asked).toHaveLength(1);
    expect(problems).toEqual([]);
    const { violations } = await axeOn(page).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([]);
    await page.context().close();
  },
);
