// npm run check:hosts: heapglass/webpack in builds of webpack 5: in development everything is recorded and a key shows it; in production a
// sample; without the plugin nothing.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import webpack from 'webpack';
import { samplingMean } from '../../../web/src/trace/sampling.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import type { Installed } from '../installed.ts';
import { type App, installApp } from '../vite_app.ts';
import { type Shown, shown } from '../vite_builds.ts';

let installed: Installed;
let browser: Browser;
let heapglass: (options?: object) => { apply(compiler: unknown): void };

let app: App<{ apply(compiler: unknown): void }>;
beforeAll(async () => {
  app = await installApp('webpack');
  ({ installed, browser, heapglass } = app);
});
afterAll(() => app?.dispose());

interface Packed {
  readonly folder: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly said: readonly string[];
}

function packed(name: string, mode: 'development' | 'production', plugins: object[]): Promise<Packed> {
  const folder = join(installed.folder, name);
  cpSync(join(installed.folder, 'public'), folder, { recursive: true });
  writeFileSync(
    join(folder, 'sampled.html'),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="main.js"></script>',
  );
  const configuration = {
    mode,
    context: installed.folder,
    entry: './sampled.js',
    output: { path: folder, filename: 'main.js', chunkFilename: '[name].[contenthash].js' },
    performance: { hints: false },
    infrastructureLogging: { level: 'none' },
    plugins,
  } as webpack.Configuration;
  return new Promise((resolve, reject) => {
    webpack(configuration, (error, stats) => {
      if (error !== null || stats === undefined) return reject(error);
      const { errors = [], warnings = [] } = stats.toJson({ errors: true, warnings: true });
      if (errors.length > 0) return reject(new Error(errors.map(({ message }) => message).join('\n')));
      const names = readdirSync(folder);
      const files = new Map(names.map((one) => [one, readFileSync(join(folder, one))]));
      resolve({ folder, files, said: warnings.map(({ message }) => message) });
    });
  });
}

const wasmOf = ({ files }: Packed): string[] =>
  [...files.keys()].filter((name) => /^[0-9a-f]{20}\.wasm$/.test(name)).sort();

describe('webpack 5', () => {
  let plain: Packed;
  let without: Shown;
  beforeAll(async () => {
    plain = await packed('plain', 'production', [heapglass()]);
    without = await shown(plain, browser);
    expect(without).toMatchObject({ traces: [], inWorker: 0, problems: [] });
  });

  test('a build samples what it emits, under other names', async () => {
    const sampled = await packed('sampled', 'production', [heapglass({ record: 'sampled', sample: 512 })]);
    const withIt = await shown(sampled, browser);
    expect(withIt).toMatchObject({ found: without.found, inWorker: 1, problems: [] });
    const read = decodeTraceFile(withIt.traces[0] as Uint8Array);
    if (!read.ok) throw new Error(read.error.message);
    expect(samplingMean(read.value.trace)).toBe(512);
    expect(read.value.trace.count).toBeGreaterThan(10);
    const changed = wasmOf(sampled).filter((name) => !plain.files.has(name));
    expect(changed).toHaveLength(1);
    for (const [name, data] of sampled.files)
      if (/[0-9a-f]{20}/.test(name) && plain.files.has(name))
        expect([name, data.equals(plain.files.get(name) as Buffer)]).toEqual([name, true]);
    expect(sampled.said).toEqual([]);
  });

  test('in development all is recorded, and a key shows page and workers', async () => {
    const developed = await packed('developed', 'development', [heapglass()]);
    const withIt = await shown(developed, browser, async (page) => {
      await page.keyboard.press('Alt+Shift+KeyH');
      const programs = page.locator('.hg-dock__choice option');
      await expect.poll(() => programs.count(), { timeout: 15_000 }).toBe(3);
    });
    expect(withIt).toMatchObject({ found: without.found, inWorker: 1, problems: [] });
    const read = decodeTraceFile(withIt.traces[0] as Uint8Array);
    if (!read.ok) throw new Error(read.error.message);
    expect(samplingMean(read.value.trace)).toBeUndefined();
    expect(read.value.trace.count).toBeGreaterThan(1000);
  });

  test('options that cannot be are refused', () => {
    expect(() => heapglass({ recrod: true })).toThrow(/no option "recrod"/);
  });
});
