// heapglass/instrumented in an isolated page of Chromium: a program with threads, whose workers load the loader before their own script.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { kIsolated, serve } from '../package/static_server.ts';
import { type Counted, checkedTrace, countIn, threadsIn } from './crowd_trace.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const kFlags = ['-O1', '-g2', '-pthread', '-sPTHREAD_POOL_SIZE=4', '-sEXIT_RUNTIME=1', '-sINITIAL_MEMORY=67108864'];

const kPage = `<!doctype html><link rel="icon" href="data:," /><script type="module">
  import { firstRecorder, recordThreads } from './instrumented.js';
  recordThreads('thread_worker.js');
  const printed = [];
  globalThis.Module = {
    arguments: ['1', '2000'],
    print: (text) => printed.push(text),
    async onExit() {
      const recorder = await firstRecorder();
      recorder.mark('ended');
      globalThis.told = { printed: printed.join(''), count: recorder.count, trace: Array.from(recorder.trace()) };
    },
  };
  const script = document.createElement('script');
  script.src = 'crowd.js';
  document.body.append(script);
</script><body></body>`;

interface Told {
  readonly printed: string;
  readonly count: number;
  readonly trace: number[];
}

async function toldByPage(folder: string): Promise<Told> {
  const server = await serve(folder, kIsolated);
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(`${server.address}/page.html`);
    const told = page.waitForFunction('globalThis.told !== undefined', undefined, { timeout: 100_000 });
    await told.catch((error) => {
      throw new Error([String(error), ...problems].join('\n'));
    });
    return (await page.evaluate('globalThis.told')) as Told;
  } finally {
    await browser.close();
    server.close();
  }
}

test('a program with threads is recorded in a page as it counted itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-threads-'));
  try {
    const given = ['emcc', join(root, 'tests/instrument/programs/crowd.c'), ...kFlags, '-o', 'crowd.js'];
    execFileSync(join(root, 'wasm-build.sh'), given, { cwd: folder, stdio: 'pipe' });
    const wasm = join(folder, 'crowd.wasm');
    writeFileSync(wasm, instrumentStacks(binaryen, readFileSync(wasm)).binary);
    writeFileSync(join(folder, 'page.html'), kPage);
    const page = { instrumented: join(root, 'package/instrumented.ts') };
    const worker = { thread_worker: join(root, 'web/src/instrument/thread_worker.ts') };
    const common = { outdir: folder, bundle: true, logLevel: 'warning' } as const;
    await build({ ...common, entryPoints: page, format: 'esm' });
    await build({ ...common, entryPoints: worker, format: 'iife' });
    const told = await toldByPage(folder);
    const trace = checkedTrace(Uint8Array.from(told.trace));
    expect(trace.count).toBe(told.count);
    const { unseen, ...counts } = countIn(trace);
    expect({ ...counts, wrong: 0 }).toEqual(JSON.parse(told.printed) as Counted);
    expect(unseen).toBe(0);
    expect(threadsIn(trace)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(trace.count).toBeGreaterThan(2 * 16_384); // more than one buffer
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
