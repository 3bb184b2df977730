// npm run check:hosts: modules from npm that have nothing to do with heapglass, each in a page of Vite's dev server, without and with the
// plugin, and recorded by Playwright's fixture: equal results, and a heap to be seen.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { createLogger, createServer, type Plugin } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordedHeap, RecordOptions } from '../../../package/playwright.ts';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { answer } from '../../../web/src/answers/answer.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { type Installed, installPacked, root } from '../installed.ts';
import { kWork } from './apps.ts';

const kPatience = 240_000; // milliseconds: RDKit's module has 7 MB, and is instrumented on its way

/** Package, the address of its module where the package leaves that to the page, and what the page finds out with it. */
const kApps: readonly (readonly [name: string, script: string])[] = [
  [
    'sql.js',
    `import init from 'sql.js';
    import wasm from 'sql.js/dist/sql-wasm-browser.wasm?url';
    const db = new (await init({ locateFile: () => wasm })).Database();
    ${kWork['sql.js']}`,
  ],
  [
    '@sqlite.org/sqlite-wasm',
    `import init from '@sqlite.org/sqlite-wasm';
    const db = new (await init()).oo1.DB(':memory:');
    ${kWork['@sqlite.org/sqlite-wasm']}`,
  ],
  [
    '@electric-sql/pglite',
    `import { PGlite } from '@electric-sql/pglite';
    const db = new PGlite();
    ${kWork['@electric-sql/pglite']}`,
  ],
  [
    '@resvg/resvg-wasm',
    `import { initWasm, Resvg } from '@resvg/resvg-wasm';
    import wasm from '@resvg/resvg-wasm/index_bg.wasm?url';
    await initWasm(fetch(wasm));
    ${kWork['@resvg/resvg-wasm']}`,
  ],
  [
    '@jsquash/webp',
    `import { encode } from '@jsquash/webp';
    const data = Uint8ClampedArray.from({ length: 4 * 64 * 64 }, (_, at) => at % 251);
    globalThis.found = new Uint8Array(await encode({ width: 64, height: 64, data, colorSpace: 'srgb' })).join();`,
  ],
  [
    '@opencvjs/web',
    `import { loadOpenCV } from '@opencvjs/web';
    const cv = await loadOpenCV();
    ${kWork['@opencvjs/web']}`,
  ],
  [
    'pyodide',
    `import { loadPyodide } from 'pyodide';
    const python = await loadPyodide({ indexURL: '/node_modules/pyodide/' });
    ${kWork.pyodide}`,
  ],
  [
    '@rdkit/rdkit',
    `import init from '@rdkit/rdkit';
    import wasm from '@rdkit/rdkit/RDKit_minimal.wasm?url';
    const kit = await init({ locateFile: () => wasm });
    ${kWork['@rdkit/rdkit']}`,
  ],
  [
    '@cornerstonejs/codec-openjpeg',
    `import init from '@cornerstonejs/codec-openjpeg/wasmjs';
    import wasm from '@cornerstonejs/codec-openjpeg/wasm?url';
    const library = await init({ locateFile: () => wasm });
    const kept = (globalThis.kept = []);
    for (let nth = 0; nth < 60; ++nth) {
      const encoder = new library.J2KEncoder();
      const shape = { width: 64, height: 64, bitsPerSample: 8, componentCount: 1, isSigned: false };
      encoder.getDecodedBuffer(shape).fill(nth); // leak
      encoder.encode();
      kept.push(encoder);
    }
    globalThis.found = kept.map((each) => [...each.getEncodedBuffer()].join()).join(';');`,
  ],
  [
    '@automerge/automerge',
    `import * as library from '@automerge/automerge/slim';
    import wasm from '@automerge/automerge/automerge.wasm?url';
    await library.initializeWasm(wasm);
    const kept = (globalThis.kept = []);
    for (let nth = 0; nth < 60; ++nth)
      kept.push(library.from({ words: ['word', nth] }, { actor: 'aa' })); // leak
    globalThis.found = kept.map((each) => each.words.join()).join(';');`,
  ],
];
/** The apps with a line that leaks. */
const kLeaky = kApps.filter(([, script]) => script.includes('// leak'));
/** Scripts of CommonJS, which Vite bundles first; the others find their modules beside their own scripts. */
const kCommonJs = new Set(['sql.js', '@rdkit/rdkit', '@cornerstonejs/codec-openjpeg']);
const folderOf = (name: string): string => name.replaceAll(/\W/g, '_');

let installed: Installed;
let browser: Browser;
let heapglass: (options?: object) => Plugin;
let fixture: { readonly RecordedHeap: typeof RecordedHeap };
beforeAll(async () => {
  installed = installPacked();
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...kApps.map(([name]) => name)], {
    cwd: installed.folder,
  });
  symlinkSync(join(root, 'node_modules/binaryen'), join(installed.folder, 'node_modules/binaryen'));
  for (const [name, script] of kApps) {
    const folder = join(installed.folder, folderOf(name));
    mkdirSync(folder);
    const head = `<!doctype html><link rel="icon" href="data:," /><title>${name}</title>`;
    writeFileSync(join(folder, 'index.html'), `${head}<script type="module" src="./main.js"></script>`);
    writeFileSync(join(folder, 'main.js'), script);
  }
  symlinkSync(join(root, 'node_modules/@playwright'), join(installed.folder, 'node_modules/@playwright'));
  const entry = (path: string) =>
    pathToFileURL(join(installed.folder, 'node_modules/heapglass/dist/package', path)).href;
  ({ heapglass } = (await import(/* @vite-ignore */ entry('vite/plugin.js'))) as { heapglass: typeof heapglass });
  fixture = (await import(/* @vite-ignore */ entry('playwright/fixture.js'))) as typeof fixture;
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  installed?.dispose();
});

/** What `look` sees of the app's page, and what the page finds out. */
async function shown<T>(
  name: string,
  plugins: Plugin[],
  look: (page: Page) => Promise<T>,
  before: (page: Page) => Promise<void> = async () => {},
): Promise<{ readonly found: unknown; readonly seen: T }> {
  const server = await createServer({
    root: installed.folder,
    configFile: false,
    customLogger: createLogger('silent'),
    plugins,
    optimizeDeps: { exclude: kApps.map(([app]) => app).filter((app) => !kCommonJs.has(app)) },
    server: { port: 0, host: '127.0.0.1' },
  });
  await server.listen();
  const context = await browser.newContext();
  const page = await context.newPage();
  const failed = new Promise<never>((_, reject) => page.on('pageerror', reject));
  try {
    await before(page);
    await page.goto(`${server.resolvedUrls?.local[0] ?? ''}${folderOf(name)}/`);
    const isFound = page.waitForFunction(() => (globalThis as { found?: string }).found, undefined, {
      timeout: kPatience,
    });
    const found = await Promise.race([isFound, failed]);
    return { found: await found.jsonValue(), seen: await look(page) };
  } finally {
    await context.close();
    await server.close();
  }
}

async function dockOf(page: Page): Promise<string> {
  await page.keyboard.press('Alt+Shift+KeyH');
  const numbers = page.locator('.hg-dock__numbers');
  let dock = '';
  const read = async (): Promise<string> => {
    dock = (await numbers.textContent()) ?? '';
    return dock;
  };
  await expect.poll(read, { timeout: 60_000 }).toMatch(/in use\s[1-9]/);
  return dock;
}

/** Recorded by Playwright's fixture: the trace of each module. */
async function recordedByFixture(name: string, options: RecordOptions = {}) {
  let heap: RecordedHeap | undefined;
  const begin = async (page: Page): Promise<void> => {
    heap = new fixture.RecordedHeap(page, (file) => join(installed.folder, folderOf(name), file));
    await heap.record(page.context(), options);
  };
  return shown(name, [], async () => (await heap?.traces()) ?? [], begin);
}

test.each(kApps.map(([name]) => name))(
  '%s',
  async (name) => {
    const plain = await shown(name, [], async () => {});
    const recorded = await shown(name, [heapglass()], dockOf);
    const inTest = await recordedByFixture(name);
    const events = inTest.seen.map((each) => each.events);
    console.log(`${name}: ${recorded.seen.replaceAll(/\s/g, ' ')}; in Playwright ${events.join(', ')} events`);
    expect([recorded.found, inTest.found]).toEqual([plain.found, plain.found]);
    expect(Math.max(...events)).toBeGreaterThan(100);
  },
  2 * kPatience,
);

const kSlice = 24 * 1024 * 1024; // bytes of one answer: a trace of pyodide is longer than a text may be

/** Texts for the page: Vitest would put its own import into a function. The second gives a part of a trace. */
const kTraces = `import('/@id/heapglass/instrumented').then(({ recorders }) => {
  globalThis.traces = recorders.map((recorder) => new Blob([recorder.trace()]));
  return globalThis.traces.map(({ size }) => size);
})`;
const partOf = (trace: number, from: number): string => `new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(',')[1]);
  reader.readAsDataURL(globalThis.traces[${trace}].slice(${from}, ${from + kSlice}));
})`;

/** The trace of each module that the plugin records in this page. */
async function tracesIn(page: Page): Promise<Buffer[]> {
  const traces: Buffer[] = [];
  for (const [trace, size] of (await page.evaluate<number[]>(kTraces)).entries()) {
    const parts: Buffer[] = [];
    for (let from = 0; from < size; from += kSlice)
      parts.push(Buffer.from(await page.evaluate<string>(partOf(trace, from)), 'base64'));
    traces.push(Buffer.concat(parts));
  }
  return traces;
}

function leakIn(file: Uint8Array): string {
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  return answer({ model, event: model.trace.count, heap: 0 }, { ask: 'leaked' }).sentence;
}

test.each(kLeaky)(
  'the leak of the page with %s has the line of its script',
  async (name, script) => {
    const line = 1 + script.split('\n').findIndex((each) => each.includes('// leak'));
    const plain = await shown(name, [], async () => {});
    const inServer = await shown(name, [heapglass({ callers: true })], tracesIn);
    const inTest = await recordedByFixture(name, { callers: true });
    const files = [inServer.seen, inTest.seen.map(({ path }) => readFileSync(path))];
    const sentences = files.map((each) => each.map((file) => leakIn(file)));
    console.log(`${name}: ${sentences.map((each) => each.join('; ')).join(' | ')}`);
    expect([inServer.found, inTest.found]).toEqual([plain.found, plain.found]);
    for (const each of sentences)
      expect(each.filter((sentence) => sentence.includes(`main.js:${line}`))).toHaveLength(1);
  },
  3 * kPatience,
);
