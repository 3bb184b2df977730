// The package from its tarball, bundled by what people bundle with, and run: in Chromium, and in Node where that makes sense. No
// hand step, or an error that names the way out.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import nodeResolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { type Installed, installPacked } from './installed.ts';
import { kIsolated, serve } from './static_server.ts';

let installed: Installed;
let browser: Browser;

beforeAll(async () => {
  installed = installPacked();
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  installed?.dispose();
});

type Entry = 'plain' | 'full' | 'inline' | 'address';

/** Bundles an entry into a folder of its own, as `main.js` and what belongs to it. */
const kBundlers = {
  vite: async (entry: Entry, out: string) => {
    const page = join(installed.folder, `${out}.page`);
    mkdirSync(page);
    writeFileSync(join(page, 'index.html'), `<script type="module" src="../bundled/${entry}.js"></script>`);
    installed.runTool(
      'vite',
      'build',
      page,
      '--base',
      './',
      '--outDir',
      join(installed.folder, out),
      '--logLevel',
      'warn',
    );
  },
  webpack: async (entry: Entry, out: string) => {
    const config = join(installed.folder, `${out}.config.mjs`);
    const given = { mode: 'production', entry: `./bundled/${entry}.js`, output: { path: join(installed.folder, out) } };
    writeFileSync(config, `export default ${JSON.stringify(given)};`);
    installed.runTool('webpack', '--config', config, '--stats', 'errors-warnings');
    page(out);
  },
  esbuild: async (entry: Entry, out: string) => {
    const flags = ['--bundle', '--format=esm', '--loader:.wasm=file', '--log-level=warning'];
    installed.runTool('esbuild', `bundled/${entry}.js`, ...flags, `--outfile=${out}/main.js`);
    page(out);
  },
  rollup: async (entry: Entry, out: string) => {
    const input = join(installed.folder, `bundled/${entry}.js`);
    const bundle = await rollup({ input, plugins: [nodeResolve()], onwarn: (warning) => expect.fail(warning.message) });
    await bundle.write({ dir: join(installed.folder, out), entryFileNames: 'main.js', format: 'es' });
    page(out);
  },
} as const;

/** The page of a bundle that brings none. */
function page(out: string): void {
  writeFileSync(join(installed.folder, out, 'index.html'), '<script type="module" src="./main.js"></script>');
}

/** What the bundle left on the page. */
async function openedInChromium(folder: string, headers = {}): Promise<unknown> {
  const server = await serve(join(installed.folder, folder), headers);
  try {
    const opened = await browser.newPage();
    await opened.goto(`${server.address}/index.html`);
    const found = await opened.waitForFunction(() => (globalThis as { found?: unknown }).found, undefined, {
      timeout: 20_000,
    });
    const value = await found.jsonValue();
    await opened.close();
    return value;
  } finally {
    server.close();
  }
}

/** The wasm files below a folder. */
const wasmIn = (folder: string): string[] =>
  readdirSync(join(installed.folder, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.wasm'),
  );

const works = { chunksInUse: 1, broken: null, placed: 0 };

describe('in Chromium', () => {
  test.each([
    ['vite', 'plain'],
    ['vite', 'inline'],
    ['webpack', 'plain'],
    ['vite', 'full'],
    ['webpack', 'full'],
    ['esbuild', 'inline'],
    ['esbuild', 'address'],
    ['rollup', 'inline'],
  ] as const)('the bundle of %s (%s) has a heap', async (bundler, entry) => {
    await kBundlers[bundler](entry, `out-${bundler}-${entry}`);
    expect(await openedInChromium(`out-${bundler}-${entry}`)).toEqual(works);
  });

  test.each([
    ['vite', 'plain', 1],
    ['webpack', 'plain', 1],
    ['esbuild', 'address', 1],
    ['vite', 'full', 7],
    ['webpack', 'full', 7],
  ] as const)('%s emits for the entry of %s.js %i wasm files', async (bundler, entry, count) => {
    const out = `out-${bundler}-${entry}-count`;
    await kBundlers[bundler](entry, out);
    expect(wasmIn(out)).toHaveLength(count);
  });

  test.each(['esbuild', 'rollup'] as const)('the bundle of %s without its module says what to do', async (bundler) => {
    await kBundlers[bundler]('plain', `out-${bundler}-plain`);
    expect(await openedInChromium(`out-${bundler}-plain`)).toEqual({
      code: 'no_module',
      message: expect.stringMatching(
        /404.*'heapglass\/inline'.*copy heapglass\/heap\.wasm.*createHeap\(\{ wasm: address \}\)/,
      ),
    });
  });
});

test('a page and two workers of its own use one heap at once', async () => {
  const flags = ['--bundle', '--format=esm', '--log-level=warning', '--outdir=out-shared'];
  installed.runTool('esbuild', 'bundled/shared.js', 'bundled/shared_worker.js', ...flags);
  writeFileSync(join(installed.folder, 'out-shared/index.html'), '<script type="module" src="./shared.js"></script>');
  expect(await openedInChromium('out-shared', kIsolated)).toEqual({ blocks: 3000, wrong: 0, left: 0, broken: null });
});

describe('in Node', () => {
  test.each(['esbuild', 'rollup'] as const)('the bundle of %s (inline) has a heap', async (bundler) => {
    await kBundlers[bundler]('inline', `out-node-${bundler}`);
    writeFileSync(join(installed.folder, `out-node-${bundler}/package.json`), '{ "type": "module" }');
    expect(JSON.parse(installed.run('node', `out-node-${bundler}/main.js`))).toEqual(works);
  });

  test('a bundle that is split loads the module it needs, and no other', async () => {
    const { outputs } = { outputs: 'out-rollup-split' };
    await kBundlers.rollup('inline', outputs);
    const names = installed.run('ls', outputs).split('\n');
    expect(names.filter((name) => name.includes('release'))).toHaveLength(1);
    expect(names.filter((name) => name.endsWith('.js')).length).toBeGreaterThan(7);
  });
});
