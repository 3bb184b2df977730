// npm run check:hosts: heapglass/vite in each version of Vite that it names: a dev server, and a build that samples.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import type { createServer, Plugin } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Installed } from '../installed.ts';
import { type App, installApp } from '../vite_app.ts';
import { built, shown, type Vite } from '../vite_builds.ts';

const kVersions = ['6', '7', '8'];

let installed: Installed;
let browser: Browser;
let heapglass: (options?: object) => Plugin[];

let app: App<Plugin[]>;
beforeAll(async () => {
  app = await installApp('vite');
  ({ installed, browser, heapglass } = app);
  for (const version of kVersions) {
    const folder = join(installed.folder, `vite${version}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `vite@${version}`], { cwd: folder });
  }
});
afterAll(() => app?.dispose());

async function viteOf(
  version: string,
): Promise<Vite & { readonly createServer: typeof createServer; readonly version: string }> {
  const from = join(installed.folder, `vite${version}/node_modules/vite/dist/node/index.js`);
  return import(/* @vite-ignore */ pathToFileURL(from).href);
}

test.each(kVersions)('Vite %s', async (version) => {
  const vite = await viteOf(version);
  expect(vite.version).toMatch(new RegExp(`^${version}\\.`));
  const plain = await shown(await built(vite, installed.folder, `plain${version}`, [heapglass()]), browser);
  const sampled = await built(vite, installed.folder, `sampled${version}`, [
    heapglass({ record: 'sampled', sample: 512, key: 'Alt+K' }),
  ]);
  const withIt = await shown(sampled, browser, async (page) => {
    await page.keyboard.press('Alt+KeyK');
    const programs = page.locator('.hg-dock__choice option');
    await expect.poll(() => programs.count(), { timeout: 15_000 }).toBe(3); // the page, and two workers
  });
  expect(withIt).toMatchObject({ found: plain.found, inWorker: 1, problems: [] });
  expect(withIt.traces).toHaveLength(1);
  expect(withIt.traces[0]?.length).toBeGreaterThan(500);

  const server = await vite.createServer({
    root: installed.folder,
    configFile: false,
    cacheDir: join(installed.folder, `cache-dev${version}`),
    logLevel: 'silent',
    plugins: [heapglass()],
    optimizeDeps: { exclude: ['@jsquash/png'] },
    server: { port: 0, host: '127.0.0.1' },
  });
  await server.listen();
  const page = await browser.newPage();
  await page.goto(`${server.resolvedUrls?.local[0]}hot.html`);
  await page.waitForFunction(() => (globalThis as { found?: number }).found);
  await page.keyboard.press('Alt+Shift+KeyH');
  const numbers = page.locator('.hg-dock__numbers');
  await expect.poll(() => numbers.textContent(), { timeout: 15_000 }).toMatch(/in use\s600\sB/);
  await page.close();
  await server.close();
});
