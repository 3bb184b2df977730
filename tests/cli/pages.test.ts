// What the commands show in a browser: the glass with a trace, and a report's page without any network.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../tools/find_chromium.mjs';
import type { Report } from '../../web/src/report/report_types.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

const kTrace = 'my first.hgtrace'; // a name that an address must quote

let cli: CommandLine;
let browser: Browser;
let report: Report;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  cli = await buildForTests({ page: true });
  cli.run('run', '-o', kTrace, cli.link('known', 'trace'), '3000');
  report = JSON.parse(cli.run('report', kTrace, '--json').stdout) as Report;
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser = await chromium.launch({ executablePath: findChromium(), args });
});
afterAll(async () => {
  for (const server of servers) server.kill();
  await browser?.close();
  cli?.dispose();
});

/** A page whose errors, warnings and failed requests are kept. */
async function watchedPage(
  width: number,
  height: number,
  more: object = {},
): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext({ viewport: { width, height }, ...more })).newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
  return { page, problems };
}

/** Starts view; the addresses that it prints. */
async function startView(...args: readonly string[]): Promise<string[]> {
  const server = spawn(process.execPath, [cli.command, 'view', ...args], { cwd: cli.folder });
  servers.push(server);
  let said = '';
  await new Promise<void>((ready, failed) => {
    server.stdout.on('data', (data) => {
      said += String(data);
      if (said.includes('Ctrl+C')) ready();
    });
    server.on('exit', () => failed(new Error(`view ended: ${said}`)));
  });
  return [...said.matchAll(/http:\S+/g)].map(([address]) => address);
}

test('view serves the glass, which shows each trace at its address, and nothing else of the disk', async () => {
  cpSync(join(cli.folder, kTrace), join(cli.folder, 'second.hgtrace'));
  const [first = '', second = ''] = await startView(kTrace, 'second.hgtrace');
  const { page, problems } = await watchedPage(1440, 900);
  await page.goto(first);
  const time = page.getByRole('slider', { name: 'Time, in events' });
  const events = () => time.getAttribute('aria-valuemax');
  await expect.poll(events, { timeout: 20_000 }).toBe(String(report.trace.events));
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
  const [first = ''] = await startView(kTrace);
  const { page } = await watchedPage(1000, 700);
  await page.goto(`${new URL(first).origin}/#trace=traces/7/gone.hgtrace`);
  await expect
    .poll(() => page.locator('body').innerText(), { timeout: 20_000 })
    .toContain('traces/7/gone.hgtrace: 404 Not Found');
  await page.context().close();
});

test('a port that is taken is named', async () => {
  const [first = ''] = await startView(kTrace);
  const { status, stderr } = cli.run('view', kTrace, '--port', new URL(first).port);
  expect(status).toBe(1);
  expect(stderr).toContain(`port ${new URL(first).port} is taken by another program`);
});

test.each([
  [1440, 900, 'light'],
  [390, 844, 'dark'],
] as const)(
  'a report is one page: plots, tables, no network, no overflow (%i x %i, %s)',
  async (width, height, colorScheme) => {
    expect(cli.run('report', kTrace, '--html', 'report.html').stdout).toBe('');
    const { page, problems } = await watchedPage(width, height, { colorScheme, offline: true });
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
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([]);
    await page.context().close();
  },
);
