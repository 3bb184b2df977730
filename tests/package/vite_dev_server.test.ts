// heapglass/vite in Vite's own dev server, from the tarball: a page with a module from npm, in the page and in workers.

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { createLogger, createServer, type Plugin, type PluginOption, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Model } from '../../web/src/model/time/model.ts';
import type { Recorder } from '../../web/src/record/recorder_types.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery } from '../every.ts';
import { figuresAt, lineOf, modelOf, rowOf } from '../handles/handle_rows.ts';
import { bumpAllocator, namedAllocator, padded, sharedAllocator } from './bump_allocator.ts';
import { type Installed, root } from './installed.ts';
import { type App, installApp } from './vite_app.ts';

interface Found {
  readonly here: string;
  readonly inWorker: string;
  readonly inPlainWorker: string;
  readonly heap: boolean;
  readonly unnamed: readonly string[];
}

let installed: Installed;
let browser: Browser;
let heapglass: (options?: object) => Plugin[];

let app: App<Plugin[]>;
beforeAll(async () => {
  app = await installApp('vite');
  ({ installed, browser, heapglass } = app);
});
afterAll(() => app?.dispose());

interface Served {
  readonly address: string;
  readonly said: readonly string[];
  close(): Promise<void>;
}

async function serve(plugins: PluginOption[], cacheDir: string): Promise<Served> {
  const said: string[] = [];
  const logger = createLogger('info', { allowClearScreen: false });
  logger.info = (text) => said.push(text);
  logger.warn = (text) => said.push(text);
  logger.error = (text) => said.push(text);
  const server: ViteDevServer = await createServer({
    root: installed.folder,
    configFile: false,
    cacheDir,
    customLogger: logger,
    plugins,
    optimizeDeps: { exclude: ['@jsquash/png'] },
    server: { port: 0, host: '127.0.0.1' },
  });
  await server.listen();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  return { address, said, close: () => server.close() };
}

interface Opened {
  readonly page: Page;
  readonly problems: readonly string[];
  readonly found: Found;
}

async function open(address: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(address);
  const found = await page.waitForFunction(() => (globalThis as { found?: Found }).found, undefined, {
    timeout: 30_000,
  });
  return { page, problems, found: (await found.jsonValue()) as Found };
}

const newCache = (): string => mkdtempSync(join(installed.folder, 'cache-'));

const about = (said: readonly string[], words: RegExp): readonly string[] => said.filter((text) => words.test(text));

test('page, worker and results are as without it, every module of theirs is recorded, and a key shows the heaps', async () => {
  const cache = newCache();
  const plain = await serve([heapglass({ record: false })], cache);
  const without = await open(plain.address);
  expect(without.problems).toEqual([]);
  expect(without.found).toMatchObject({ inPlainWorker: 'it runs', heap: true, unnamed: ['memory', 'a', 'b'] });
  expect(without.found.inWorker).toBe(without.found.here);
  expect(about(plain.said, /heapglass/)).toEqual([]);
  await without.page.close();
  await plain.close();

  const served = await serve([heapglass()], cache);
  const { page, problems, found } = await open(served.address);
  expect(found).toEqual(without.found);
  expect(about(served.said, /squoosh_png_bg\.wasm records its heap: .* instrumented in \d+ ms/)).toHaveLength(1);
  expect(about(served.said, /\/unnamed\.wasm is served as it is and records nothing: /)).toHaveLength(1);
  expect(about(served.said, /\/empty\.wasm records its heap/)).toHaveLength(1); // in a worker that Vite serves as it is

  const dock = page.locator('.hg-dock');
  const numbers = dock.locator('.hg-dock__numbers');
  await page.keyboard.press('Alt+Shift+KeyH');
  await expect.poll(() => numbers.textContent(), { timeout: 15_000 }).toMatch(/in use\s0\sB of\s[\d.]+\sMiB/);
  const programs = dock.locator('.hg-dock__choice option');
  await expect.poll(() => programs.allTextContents()).toHaveLength(3);
  const [first, ...others] = await programs.allTextContents();
  expect([first, ...others.sort()]).toEqual(['Pictures', 'Pictures, a worker', 'Pictures, worker pictures']);
  await dock.locator('.hg-dock__choice').selectOption('Pictures, worker pictures');
  await expect.poll(() => numbers.textContent()).toMatch(/in use\s0\sB of\s[\d.]+\sMiB/);
  await page.keyboard.press('Alt+Shift+KeyH');
  await expect.poll(() => dock.count()).toBe(0);
  await page.keyboard.press('Alt+Shift+KeyH');
  await expect.poll(() => dock.count()).toBe(1);
  expect(problems).toEqual([]);
  await page.close();
  await served.close();

  // The next server finds what this one has made.
  expect(readdirSync(join(cache, 'heapglass'))).toHaveLength(2);
  const again = await serve([heapglass()], cache);
  expect((await open(again.address)).found).toEqual(without.found);
  expect(about(again.said, /instrumented in/)).toEqual([]);
  await again.close();
}, 120_000);

test('a module of the app that is edited is exchanged in the page, and the dock shows the heap on', async () => {
  const served = await serve([heapglass()], newCache());
  const { page, problems } = await open(`${served.address}hot.html`);
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const dock = page.locator('.hg-dock');
  const numbers = dock.locator('.hg-dock__numbers');
  await page.keyboard.press('Alt+Shift+KeyH');
  await expect.poll(() => numbers.textContent(), { timeout: 15_000 }).toMatch(/in use\s600\sB/);

  const edited = join(installed.folder, 'hot_part.js');
  writeFileSync(edited, readFileSync(edited, 'utf8').replace('600', '300'));
  await expect.poll(() => numbers.textContent(), { timeout: 15_000 }).toMatch(/in use\s900\sB/);
  expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true);
  expect(await dock.count()).toBe(1);
  expect(problems).toEqual([]);
  await page.close();
  await served.close();
}, 60_000);

test.runIf(kEvery)(
  'glue that stands beside a module says which its functions are, and who only reads the module has it as it is',
  async () => {
    const folder = join(installed.folder, 'public/glued');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'unnamed.wasm'), bumpAllocator('a', 'b'));
    writeFileSync(
      join(folder, 'glue.js'),
      'var _malloc = (wasmExports) => { _malloc = wasmExports.a }; _free = wasmExports["b"];',
    );
    const served = await serve([heapglass()], newCache());
    const { page } = await open(served.address);
    const bytes = await page.evaluate(async () => {
      const read = await (await fetch('/glued/unnamed.wasm')).arrayBuffer();
      await WebAssembly.instantiate(read); // its address is known from when it was read
      return read.byteLength;
    });
    expect(bytes).toBe(bumpAllocator('a', 'b').length);
    expect(about(served.said, /\/glued\/unnamed\.wasm records its heap/)).toHaveLength(1);
    await page.close();
    await served.close();
  },
  60_000,
);

test('modules that lie in scripts are recorded, those of a worker from a text, too', async () => {
  const literal = (bytes: Uint8Array): string => `bytesOf('${Buffer.from(bytes).toString('base64')}')`;
  const bytesOf = 'const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));';
  const feature = 'Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)';
  writeFileSync(
    join(installed.folder, 'inline.html'),
    `<!doctype html><link rel="icon" href="data:," /><script type="module" src="./inline.js"></script>`,
  );
  const worker = `${bytesOf} WebAssembly.instantiate(${literal(bumpAllocator('malloc', 'free'))}).then(({ instance }) => {
    postMessage(instance.exports.malloc(8));
  });`;
  writeFileSync(
    join(installed.folder, 'inline.js'),
    `import { recorders } from 'heapglass/instrumented';
    ${bytesOf}
    await WebAssembly.compile(${feature});
    const first = await WebAssembly.instantiate(${literal(bumpAllocator('malloc', 'free'))});
    const second = new WebAssembly.Instance(new WebAssembly.Module(${literal(padded(bumpAllocator('a', 'b'), 5000))}));
    const wasmExports = second.exports;
    const _malloc = wasmExports.a;
    const _free = wasmExports.b;
    const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}])));
    const inWorker = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
    const blocks = [first.instance.exports.malloc(40), _malloc(48), inWorker];
    globalThis.found = { blocks, recorded: recorders.map(({ count }) => count > 0) };`,
  );
  const served = await serve([heapglass()], newCache());
  const { page, found } = await open(`${served.address}inline.html`);
  expect(found).toEqual({ blocks: [1024, 1024, 1024], recorded: [true, true] });
  expect(about(served.said, /heapglass: /)).toEqual([
    expect.stringMatching(/a module that inline\.js brings records its heap/),
    expect.stringMatching(/a module that inline\.js brings records its heap/),
  ]);
  await page.close();
  await served.close();
}, 60_000);

test.runIf(kEvery)(
  'handles of a worker in TypeScript have its lines',
  async () => {
    for (const file of ['counters.js', 'counters_bg.wasm'])
      copyFileSync(join(root, 'tests/handles/counters', file), join(installed.folder, file));
    const worker = `import { recorders } from 'heapglass/instrumented';
    interface Kept {
      readonly free: () => void;
    }
    import init, { Counter } from './counters.js';
    const loaded = init();
    const kept: Kept[] = [];
    self.onmessage = async () => {
      await loaded;
      if (kept.length === 0) for (let nth = 0; nth < 3; ++nth)
        kept.push(new Counter(nth)); // counter
      self.postMessage(recorders[0]?.trace());
    };`;
    writeFileSync(join(installed.folder, 'counting.ts'), worker);
    writeFileSync(
      join(installed.folder, 'counting.html'),
      `<!doctype html><link rel="icon" href="data:," /><script type="module">
      globalThis.found = new Worker(new URL('./counting.ts', import.meta.url), { type: 'module' });
    </script>`,
    );
    const served = await serve([heapglass()], newCache());
    const { page } = await open(`${served.address}counting.html`);
    const rows = async (): Promise<readonly string[]> => {
      const bytes = await page.evaluate(async () => {
        const { found: asked } = globalThis as unknown as { found: Worker };
        asked.postMessage('go on');
        const trace = await new Promise<Uint8Array>((resolve) => {
          asked.onmessage = ({ data }) => resolve(data as Uint8Array);
        });
        return [...trace];
      });
      const model = modelOf(Uint8Array.from(bytes));
      return figuresAt(model, model.trace.count).groups.map(rowOf);
    };
    await expect
      .poll(rows, { timeout: 10_000 })
      .toEqual([expect.stringContaining(`counting.ts:${lineOf(worker, 'counter')} 3 handles`)]);
    await page.close();
    await served.close();
  },
  60_000,
);

test('a module that the page compiles and its workers run has a recorder in each, with threads, too', async () => {
  writeFileSync(join(installed.folder, 'public/shared.wasm'), sharedAllocator());
  writeFileSync(
    join(installed.folder, 'threads.html'),
    `<!doctype html><link rel="icon" href="data:," /><script type="module">
      import { recorders } from 'heapglass/instrumented';
      const found = { here: [], there: [] };
      for (const file of ['/shared.wasm', '/empty.wasm']) {
        const { module, instance } = await WebAssembly.instantiateStreaming(fetch(file));
        const thread = 'onmessage = ({ data }) => postMessage(new WebAssembly.Instance(data).exports.malloc(8));';
        const worker = new Worker(URL.createObjectURL(new Blob([thread])));
        worker.postMessage(module);
        found.there.push(await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); }));
        found.here.push(instance.exports.malloc(8));
      }
      globalThis.found = { ...found, recorded: recorders.map(({ count }) => count > 0) };
    </script>`,
  );
  const served = await serve([heapglass()], newCache());
  const { page, found, problems } = await open(`${served.address}threads.html`);
  expect(found).toEqual({ here: [1024, 1024], there: [1024, 1024], recorded: [true, true] });
  expect(problems).toEqual([]);
  await page.close();
  await served.close();
}, 60_000);

test.runIf(kEvery)(
  'with stacks, sites have the names of the module',
  async () => {
    writeFileSync(join(installed.folder, 'public/named.wasm'), namedAllocator());
    const served = await serve([heapglass({ stacks: true })], newCache());
    const { page } = await open(served.address);
    const bytes = await page.evaluate(async () => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch('/named.wasm'));
      (instance.exports as { load_level(): void }).load_level();
      const recorders = (globalThis as unknown as Record<symbol, WeakMap<object, Recorder>>)[
        Symbol.for('heapglass.recorders')
      ];
      return Array.from(recorders?.get(instance)?.trace() ?? []);
    });
    const decoded = decodeTraceFile(Uint8Array.from(bytes));
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { history } = new Model(decoded.value.trace);
    history.fold();
    expect([...history.sites.all()].map(({ frame }) => frame)).toEqual(['load_level', 'read_file']);
    await page.close();
    await served.close();
  },
  60_000,
);

describe('options that cannot be are refused', () => {
  test.each([
    [{ recrod: true }, /no option "recrod"; there are record, sample, key/],
    [{ record: 'all' }, /record is true, false or "sampled", not "all"/],
    [{ record: 'sampled', sample: 0 }, /sample is a number of bytes from 1 to 1073741824, not 0/],
    [{ sample: 4096 }, /sample needs record: "sampled"/],
    [{ stacks: 'yes' }, /stacks is a boolean, not "yes"/],
    [{ key: 'Alt+Shift+' }, /"Alt\+Shift\+" is no key/],
    [{ malloc: 'a' }, /free is missing/],
    [{ free: 'b' }, /malloc is missing/],
  ])('%j', (options, message) => {
    expect(() => heapglass(options)).toThrow(TypeError);
    expect(() => heapglass(options)).toThrow(message);
  });
});
