import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kNodeWithoutFetch } from '../../package/cli/without_fetch.ts';
import { launchOptions } from '../../tools/find_chromium.mjs';
import type {} from '../../web/src/elements/heap_map_element.ts'; // the tag's type
import { kEvery, kLevel } from '../every.ts';
import { type Installed, installPacked, root } from './installed.ts';
import { serve } from './static_server.ts';

let installed: Installed;
let browser: Browser | undefined;

beforeAll(() => {
  installed = installPacked();
});
afterAll(async () => {
  await browser?.close();
  installed?.dispose();
});

describe('the tarball', () => {
  test('holds what the exports name, and nothing of the repository beside it', () => {
    const folder = join(installed.folder, 'node_modules/heapglass');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
    };
    for (const target of Object.values(manifest.exports)) {
      for (const path of typeof target === 'string' ? [target] : Object.values(target)) {
        expect(existsSync(join(folder, path.replace('*', ''))), path).toBe(true);
      }
    }
    expect(readdirSync(folder).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD_PARTY_LICENSES.md',
      'dist',
      'package.json',
    ]);
    expect(readdirSync(join(installed.folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'heapglass', // no dependencies
    ]);
  });

  test.runIf(kEvery)('is what npm and TypeScript expect of it', () => {
    const check = spawnSync(process.execPath, [join(root, 'tools/check_package.mjs')], { encoding: 'utf8' });
    expect(check.status, `${check.stdout}${check.stderr}`).toBe(0);
  });

  test('names no file of this machine', () => {
    const dist = join(installed.folder, 'node_modules/heapglass/dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
    const naming = files.filter((name) => readFileSync(join(dist, name)).includes(root.slice(0, -1)));
    expect(naming).toEqual([]);
  });
});

describe('Node', () => {
  test('a script uses the heap: expansion, bursts, pools, arrays, heaps, misuse', () => {
    const found = JSON.parse(installed.run('node', 'use_heap.mjs')) as Record<string, unknown>;
    expect(found).toMatchObject({
      kept: 1,
      burst: 1000,
      pool: { nodeSize: 24, nodesInUse: 100 },
      points: 300,
      broken: null,
      misuse: { isHeapError: true, code: 'misuse', message: expect.stringContaining('double free') },
    });
    expect(found['events']).toBeGreaterThan(1000);
  });

  test('heapglass/trace reads the trace file and rebuilds the same heap', () => {
    const heap = JSON.parse(installed.run('node', 'use_heap.mjs')) as {
      events: number;
      stats: { chunksInUse: number };
    };
    const found = JSON.parse(installed.run('node', 'use_trace.mjs')) as {
      readonly checkpoint: { readonly hash: number; readonly records: number };
    };
    expect(found).toMatchObject({
      events: heap.events,
      whole: true,
      notice: null,
      chunksInUse: heap.stats.chunksInUse,
      rebuilt: found.checkpoint,
      inUseAtStart: 0,
    });
    expect(found.checkpoint.records).toBeGreaterThan(100);
  });
});

describe('TypeScript', () => {
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    test(`a strict project compiles against the declarations (${moduleResolution})`, () => {
      const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--noEmit'];
      const given = ['--module', module, '--moduleResolution', moduleResolution];
      expect(installed.runTool('tsc', '--ignoreConfig', ...options, ...given, 'consumer.ts')).toBe('');
    });
  }
});

describe('C', () => {
  test('a program links the archive by emcc and runs without JavaScript glue', () => {
    const folder = 'node_modules/heapglass/dist/emscripten';
    for (const variant of ['release', 'trace', 'checked']) {
      const flags = [kLevel, `-I${folder}/include`, '-sSTANDALONE_WASM', '--no-entry', '-sALLOW_MEMORY_GROWTH'];
      const library = `${folder}/lib/libheapglass-${variant}.a`;
      installed.run(join(root, 'wasm-build.sh'), 'emcc', 'app.c', library, ...flags, '-o', `app-${variant}.wasm`);
      const answer = JSON.parse(installed.run('node', 'run_c.mjs', `app-${variant}.wasm`)) as unknown;
      expect(answer).toEqual({ sum: (((100_000 * 100_001) / 2) % 2 ** 32) | 0, chained: 2000, sound: 1 });
    }
  });
});

describe('the command heapglass', () => {
  const shell = (line: string) => installed.run('sh', '-c', line);
  const emcc = join(root, 'wasm-build.sh');
  const heapglass = 'node_modules/.bin/heapglass'; // what npx runs, a second later

  test('its flags make it the malloc of a program', () => {
    shell(
      `${emcc} emcc malloc_app.c $(npx heapglass --ldflags --cflags) ${kLevel} -sSTANDALONE_WASM -o malloc_app.wasm`,
    );
    expect(shell('node --no-warnings run_wasi.mjs malloc_app.wasm')).toBe('heapglass is malloc: 1\n');
  });

  test('hardened without JavaScript draws its key from the WASI host', () => {
    const flags = '--ldflags --cflags --profile hardened --standalone';
    shell(`${emcc} emcc malloc_app.c $(${heapglass} ${flags}) ${kLevel} -sSTANDALONE_WASM -o hardened_app.wasm`);
    expect(shell('node --no-warnings run_wasi.mjs hardened_app.wasm')).toBe('heapglass is malloc: 1\n');
    const module = new WebAssembly.Module(readFileSync(join(installed.folder, 'hardened_app.wasm')));
    const imported = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
    expect(imported).toContain('wasi_snapshot_preview1.random_get');
    expect(imported.filter((name) => !name.startsWith('wasi_'))).toEqual([]);
    expect(shell(`${heapglass} --ldflags --profile trace --standalone`)).toMatch(/^\S*-malloc-trace\.a\n$/); // no recorder
  });

  test.runIf(kEvery)('a program linked with --shrink gives memory back by heapglass/shrink', () => {
    const flags = `$(${heapglass} --ldflags --shrink) ${kLevel} -sALLOW_MEMORY_GROWTH -sMODULARIZE`;
    const exported = '-sEXPORTED_FUNCTIONS=_hold,_let_go,_main -sEXPORTED_RUNTIME_METHODS=HEAPU8';
    shell(`${emcc} emcc shrink_app.c ${flags} ${exported} -o shrink_app.cjs`);
    const found = JSON.parse(shell(`${kNodeWithoutFetch} shrink_program.mjs`)) as Record<string, number>;
    expect(found['before']).toBeGreaterThan(50_000_000);
    expect(found['after']).toBeLessThan(20_000_000);
    expect(found['length']).toBe(found['after']);
  });

  test.runIf(kEvery)('each profile has an archive, with and without threads but for two', () => {
    for (const profile of ['fast', 'small', 'hardened', 'checked', 'trace', 'freestanding']) {
      const flags = shell(`${heapglass} --ldflags --profile ${profile}`);
      const recorder = ['checked', 'trace'].includes(profile)
        ? ' -Wl,-u,hg_recorder_drain( --js-library \\S+\\.js)+'
        : '';
      expect(flags).toMatch(new RegExp(`^\\S*/lib/libheapglass-malloc-${profile}\\.a${recorder}\n$`));
      if (['small', 'freestanding'].includes(profile)) continue;
      const threads = shell(`${heapglass} --ldflags --threads --profile ${profile}`);
      expect(threads).toMatch(new RegExp(`/lib/libheapglass-malloc-${profile}-threads\\.a${recorder} -pthread`));
    }
  });

  test('the flags for the compiler say what the archive was made with', () => {
    expect(shell(`${heapglass} --cflags`)).toMatch(/^-I\S*\/emscripten\/include\n$/);
    expect(shell(`${heapglass} --cflags --profile checked --threads`)).toMatch(
      / -DHG_TRACE=1 -DHG_CHECKED=1 -DHG_THREADS=1 -pthread\n$/,
    );
    expect(shell(`${heapglass} --version`)).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(shell(`${heapglass}`)).toContain('--profile <name>');
  });

  test('in a folder whose name a shell would take apart its paths are relative', () => {
    const folder = join(installed.folder, 'a folder');
    cpSync(join(installed.folder, 'node_modules/heapglass/dist'), join(folder, 'dist'), { recursive: true });
    const flags = (from: string) => shell(`cd "${from}" && node "${folder}/dist/bin/heapglass.mjs" --ldflags`);
    expect(flags(folder)).toBe('dist/emscripten/lib/libheapglass-malloc-fast.a\n');
    expect(() => flags(installed.folder)).toThrow(/a shell would take this path apart/);
  });

  test.each([
    [
      '--ldflags --profile fastest',
      'there is no profile "fastest"; there are fast, small, hardened, checked, trace, freestanding',
    ],
    ['--ldflags --profile small --threads', 'the profile "small" is not made for threads'],
    ['--ldflags --profile freestanding --threads', 'the profile "freestanding" is not made for threads'],
    ['--ldflags --threads --standalone', '--threads and --standalone exclude each other'],
    ['--ldflags --threads --shrink', '--threads and --shrink exclude each other'],
    ['--profile fast', 'nothing was asked for'],
    ['--ldflag', "Unknown option '--ldflag'"],
  ])('%s is refused with a reason and prints nothing', (given, reason) => {
    const printed = shell(`${heapglass} ${given} 2>problem.txt || echo "status $?"`);
    expect(printed).toBe('status 1\n');
    expect(readFileSync(join(installed.folder, 'problem.txt'), 'utf8')).toContain(reason);
  });

  test('an archive that is not there is named', () => {
    const folder = join(installed.folder, 'without');
    cpSync(join(installed.folder, 'node_modules/heapglass/dist/bin'), join(folder, 'dist/bin'), { recursive: true });
    const ask = () => shell(`node "${folder}/dist/bin/heapglass.mjs" --ldflags`);
    expect(ask).toThrow(/libheapglass-malloc-fast\.a is missing/);
  });
});

describe('C++', () => {
  const folder = 'node_modules/heapglass/dist/emscripten';
  const common = ['-std=c++20', kLevel, '-fno-exceptions', `-I${folder}/include`];
  const standalone = ['-sSTANDALONE_WASM', '--no-entry', '-sALLOW_MEMORY_GROWTH'];
  const exported = '-sEXPORTED_FUNCTIONS=_sum_by_growing,_count_chained,_is_sound_and_empty';
  const emcc = (...args: string[]) => installed.run(join(root, 'wasm-build.sh'), 'emcc', ...args);

  test('containers use the headers and the archive', () => {
    emcc('app.cpp', `${folder}/lib/libheapglass-release.a`, ...common, ...standalone, exported, '-o', 'app-cpp.wasm');
    const answer = JSON.parse(installed.run('node', 'run_c.mjs', 'app-cpp.wasm')) as unknown;
    expect(answer).toEqual({ sum: (((100_000 * 100_001) / 2) % 2 ** 32) | 0, chained: 2000, sound: 1 });
  });

  test('a program with threads links the archive made for them, on shared memory', () => {
    emcc('app.cpp', '-c', '-pthread', '-DHG_THREADS=1', ...common, '-o', 'app-threads.o');
    const shared = ['-sIMPORTED_MEMORY=1', '-sMAXIMUM_MEMORY=1073741824', '-Wl,--shared-memory,--no-check-features'];
    emcc(
      'app-threads.o',
      `${folder}/lib/libheapglass-threads.a`,
      ...standalone,
      ...shared,
      exported,
      '-o',
      'app-threads.wasm',
    );
    const module = new WebAssembly.Module(readFileSync(join(installed.folder, 'app-threads.wasm')));
    expect(WebAssembly.Module.imports(module)).toContainEqual({ module: 'env', name: 'memory', kind: 'memory' });
  });
});

describe('the page', () => {
  async function open(address: string): Promise<{ page: Page; problems: string[] }> {
    browser ??= await chromium.launch(launchOptions());
    const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
    await page.goto(address);
    return { page, problems };
  }

  /** What the fixtures leave on the page for us. */
  interface UserPage {
    readonly shown?: { readonly seq: number; readonly head: number; readonly chunks: number };
    readonly wrong?: string;
    readonly fromWorker?: unknown;
    readonly heap: { allocate(size: number): number; trace(): Uint8Array<ArrayBuffer>; readonly eventCount: number };
  }
  const wait = { timeout: 20_000 };
  const shown = (page: Page) => page.evaluate(() => (globalThis as unknown as UserPage).shown);

  /** The element shows the live heap, follows it and paints it. */
  async function expectWorks(page: Page, problems: readonly string[]): Promise<void> {
    await expect.poll(async () => (await shown(page))?.chunks ?? 0, wait).toBeGreaterThan(300);
    const before = (await shown(page))?.seq ?? 0;
    await page.evaluate(() => (globalThis as unknown as UserPage).heap.allocate(100_000));
    await expect.poll(async () => (await shown(page))?.seq ?? 0, wait).toBeGreaterThan(before);
    const colours = await page.evaluate(() => {
      const canvas = document.getElementById('map')?.shadowRoot?.querySelector('canvas');
      if (!canvas?.width || !canvas.height) return 0;
      // A copy is read: Chromium warns of a canvas that is read often.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0);
      const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
    });
    expect(colours).toBeGreaterThan(4);
    expect(problems).toEqual([]);
  }

  test('built by Vite, it shows a live heap in <hg-heap-map>', async () => {
    installed.runTool(
      'vite',
      'build',
      'page',
      '--base',
      './',
      '--outDir',
      '../built',
      '--emptyOutDir',
      '--logLevel',
      'warn',
    );
    const assets = readdirSync(join(installed.folder, 'built/assets'));
    expect(assets.some((name) => /^heapglass-trace-.*\.wasm$/.test(name))).toBe(true);
    const server = await serve(join(installed.folder, 'built'));
    try {
      const { page, problems } = await open(`${server.address}/index.html`);
      await expectWorks(page, problems);
      await expect
        .poll(() => page.evaluate(() => (globalThis as unknown as UserPage).fromWorker), wait)
        .toEqual({ chunksInUse: 1, broken: null });
      await page.close();
    } finally {
      server.close();
    }
  });

  test('served as it is, without a bundler, it shows a live heap, a trace at any moment, and what is wrong', async () => {
    const server = await serve(installed.folder);
    try {
      const { page, problems } = await open(`${server.address}/plain.html`);
      await expectWorks(page, problems);
      // Counted in the same step as the trace is taken: the live map may make the heap write until then.
      const events = await page.evaluate(() => {
        const map = document.querySelector('hg-heap-map') as HTMLElementTagNameMap['hg-heap-map'];
        const { heap } = globalThis as unknown as UserPage;
        map.live = false;
        map.trace = heap.trace();
        map.seq = 100;
        return heap.eventCount;
      });
      await expect.poll(() => shown(page), wait).toMatchObject({ seq: 100, head: events });

      await page.evaluate(() => {
        const map = document.querySelector('hg-heap-map') as HTMLElementTagNameMap['hg-heap-map'];
        map.seq = undefined;
        map.src = URL.createObjectURL(new Blob([(globalThis as unknown as UserPage).heap.trace()]));
      });
      await expect.poll(() => shown(page), wait).toMatchObject({ seq: events, head: events });

      await page.evaluate(() => document.querySelector('hg-heap-map')?.setAttribute('src', 'missing.hgtrace'));
      const wrong = () => page.evaluate(() => (globalThis as unknown as UserPage).wrong);
      await expect.poll(wrong, wait).toBe('missing.hgtrace: 404 Not Found');
      await page.close();
    } finally {
      server.close();
    }
  });
});
