// heapglass/vite with record: 'sampled', in builds of Vite from the tarball: a page with a module from npm, in the page and in workers.

import type { Browser } from '@playwright/test';
import * as vite from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import type { Installed } from './installed.ts';
import { type App, installApp } from './vite_app.ts';
import { type Built, built, shown } from './vite_builds.ts';

const kSample = 512; // bytes

let installed: Installed;
let browser: Browser;
let heapglass: (options?: object) => vite.Plugin[];

let app: App<vite.Plugin[]>;
beforeAll(async () => {
  app = await installApp('vite');
  ({ installed, browser, heapglass } = app);
});
afterAll(() => app?.dispose());

test('a build samples the modules that it emits; results are the same, and what it does not emit stays as it is', async () => {
  const plain = await built(vite, installed.folder, 'plain', [heapglass()]);
  const sampled = await built(vite, installed.folder, 'sampled', [heapglass({ record: 'sampled', sample: kSample })]);
  const rarer = await built(vite, installed.folder, 'rarer', [heapglass({ record: 'sampled', sample: 2 * kSample })]);
  const without = await shown(plain, browser);
  const withIt = await shown(sampled, browser);
  expect(without).toMatchObject({ traces: [], inWorker: 0, problems: [] });
  expect(withIt).toMatchObject({ found: without.found, inWorker: 1, problems: [] });

  expect(withIt.traces).toHaveLength(1);
  const [file] = withIt.traces;
  const read = decodeTraceFile(file as Uint8Array);
  if (!read.ok) throw new Error(read.error.message);
  expect(samplingMean(read.value.trace)).toBe(kSample);
  expect(read.value.trace.count).toBeGreaterThan(10);

  // What it costs: bytes of the module and of the scripts, which are compressed by whoever serves them.
  const bytes = ({ files }: Built, kind: RegExp) =>
    [...files].filter(([name]) => kind.test(name)).reduce((sum, [, data]) => sum + data.length, 0);
  expect(bytes(sampled, /squoosh.*\.wasm$/) - bytes(plain, /squoosh.*\.wasm$/)).toBeLessThan(4 * 1024);
  expect(bytes(sampled, /\.js$/) - bytes(plain, /\.js$/)).toBeLessThan(40 * 1024);

  // A name with a checksum stands for the same bytes in all builds: browsers keep such files for a year.
  const assets = [plain, sampled, rarer].flatMap(({ files }) => [...files].filter(([name]) => /^assets/.test(name)));
  const bytesOf = new Map(assets);
  for (const [name, data] of assets) expect([name, data.equals(bytesOf.get(name) as Buffer)]).toEqual([name, true]);
  expect([...bytesOf.keys()].filter((name) => /squoosh/.test(name))).toHaveLength(3);
  expect(sampled.files.get('unnamed.wasm')).toEqual(plain.files.get('unnamed.wasm'));

  const about = (words: RegExp) => sampled.said.filter((text) => words.test(text));
  expect(about(/squoosh_png_bg\S*\.wasm records a sample of its heap: .* instrumented in \d+ ms/)).toHaveLength(1);
  expect(about(/records nothing/)).toEqual([]);
  expect(about(/empty\.wasm, unnamed\.wasm lie in the public folder and are left as they are/)).toHaveLength(1);
}, 120_000);
