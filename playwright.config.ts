// Tests and demos in a real browser, against the built page.
//
//   npx playwright test --project=e2e      tests/e2e
//   npx playwright test --project=demo     tests/demo: plays the scenarios, writes pictures to build/demo
//
// The browser is the one that tools/find_chromium.mjs finds; nothing is downloaded here.

import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';
import { launchOptions } from './tools/find_chromium.mjs';

// Several runs may test at once, also in one checkout: port and folders come from the first process' id, which its
// workers are told. Linux gives the ports from 32,768 on to whoever connects, so the port stays below them.
process.env['HG_TEST_PORT'] ??= String(20_000 + (process.pid % 12_000));
const port = Number(process.env['HG_TEST_PORT']);
const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  outputDir: `build/playwright/${port}`,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  workers: 3, // on two cores: a browser test waits a tenth of its time, and the third one fills that
  retries: 1, // docs/decisions/0017-second-try.md
  forbidOnly: true,
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: { width: 1440, height: 900 },
    trace: 'on-first-retry', // recording each test takes a quarter of the time of all
    launchOptions: launchOptions(),
  },
  projects: [
    { name: 'e2e', testDir: 'tests/e2e' },
    { name: 'demo', testDir: 'tests/demo', fullyParallel: false },
  ],
  webServer: {
    command: `node tools/built.mjs page && npx vite preview --outDir ${root}build/built/page --host 127.0.0.1 --strictPort --port ${port}`,
    url: `http://127.0.0.1:${port}/`,
    cwd: root,
    timeout: 120_000,
  },
});
