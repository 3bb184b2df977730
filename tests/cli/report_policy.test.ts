// A report's page under its own policy in Chromium: it draws its plots without a violation, and nothing that is injected runs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../axe.ts';
import { type BareCommand, buildBareCommand } from './bare_command.ts';
import { namedTrace } from './named_trace.ts';
import { launchBrowser, watchedPage } from './viewed.ts';

const kPages: readonly (readonly [name: string, given: readonly string[], hasScript: boolean])[] = [
  ['report.html', ['report', 'a.hgtrace'], true],
  ['diff.html', ['diff', 'a.hgtrace', 'b.hgtrace'], false],
];

let cli: BareCommand;
let browser: Browser;
beforeAll(async () => {
  cli = await buildBareCommand();
  cli.write('a.hgtrace', namedTrace('one', [100, 300, 500], true));
  cli.write('b.hgtrace', namedTrace('one', [100, 300, 70_000]));
  for (const [name, given] of kPages) expect(cli.run(...given, '--html', name).status).toBe(0);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  cli?.dispose();
});

test.each(kPages)('%s works under its policy, without a violation', async (name, _, hasScript) => {
  const { page, problems } = await watchedPage(browser, 1440, 900);
  await page.addInitScript(() => {
    const seen: string[] = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => seen.push(violatedDirective));
    Object.assign(globalThis, { seen });
  });
  await page.goto(pathToFileURL(join(cli.folder, name)).href);
  if (hasScript) await page.locator('svg').first().waitFor();
  for (const plot of await page.locator('figure svg').all()) await plot.hover();
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([]);
  expect(problems).toEqual([]);
  await page.context().close();
});

const kInjected = [
  '<script>document.title = "owned"</script>',
  '<img src="data:x" onerror="document.title = `owned`">',
  '<svg onload="document.title = `owned`"></svg>',
  '<iframe srcdoc="<script>parent.document.title = `owned`</script>"></iframe>',
  '<base href="https://attacker.example/">',
  '<a id="link" href="javascript:document.title = `owned`">x</a>',
];

test.each(kPages)('what is written into %s by whoever does not run', async (name) => {
  const whole = readFileSync(join(cli.folder, name), 'utf8');
  const { page } = await watchedPage(browser, 1440, 900);
  for (const [nth, injected] of kInjected.entries()) {
    cli.write(
      `injected_${nth}.html`,
      whole.replace('</main>', () => `${injected}</main>`),
    );
    await page.goto(pathToFileURL(join(cli.folder, `injected_${nth}.html`)).href);
    const link = page.locator('#link');
    if ((await link.count()) > 0) await link.click();
    expect(await page.title(), injected).not.toBe('owned');
    expect(await page.evaluate(() => document.baseURI), injected).toMatch(/^file:/);
  }
  await page.context().close();
});

test('no text becomes an element or code in a report, whoever asks', async () => {
  const { page } = await watchedPage(browser, 1440, 900);
  await page.goto(pathToFileURL(join(cli.folder, 'report.html')).href);
  const outcomes = await page.evaluate(() =>
    [
      () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
      () => Object.assign(document.createElement('p'), { innerHTML: '<b>x</b>' }),
      () => Object.assign(document.createElement('script'), { text: '1' }),
      () => new Worker('data:text/javascript,1'),
    ].map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    }),
  );
  expect(outcomes).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError']);
  await page.context().close();
});
