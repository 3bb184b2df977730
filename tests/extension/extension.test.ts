// The extension in Chromium without a screen, its panel in DevTools included: pages that know nothing of it have equal results, and the
// panel shows their heaps.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kDatabase } from '../../extension/kept_modules.ts';
import { buildExtension } from '../../tools/build_extension.mjs';
import { kEvery, someOf } from '../every.ts';
import { bumpAllocator } from '../package/bump_allocator.ts';
import { root } from '../package/installed.ts';
import { kIsolated, serve } from '../package/static_server.ts';
import { asked, type Inspected, inspect, kEvents, kInsecureHost, settled, type Tab, type Target } from './devtools.ts';

const kPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; frame-src 'none'; img-src data:";
const kServers = {
  plain: {},
  closed: { 'content-security-policy': kPolicy },
  strict: { 'content-security-policy': `${kPolicy}; require-trusted-types-for 'script'` },
  isolated: kIsolated,
};

let folder: string;
let inspected: Inspected;
const servers = new Map<string, Awaited<ReturnType<typeof serve>>>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-extension-'));
  cpSync(fileURLToPath(new URL('./pages', import.meta.url)), folder, { recursive: true });
  cpSync(join(root, 'node_modules/@jsquash/png'), join(folder, 'png'), { recursive: true });
  writeFileSync(join(folder, 'bump.wasm'), bumpAllocator('Ia', 'Ja'));
  writeFileSync(join(folder, 'own.wasm'), bumpAllocator('malloc', 'free'));
  for (const [name, headers] of Object.entries(kServers)) servers.set(name, await serve(folder, headers));
  inspected = await inspect(await buildExtension(join(folder, 'extension')));
});
afterAll(async () => {
  await inspected?.close();
  for (const server of servers.values()) server.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const found = (page = inspected.page): Promise<unknown> =>
  page.waitForFunction(() => (globalThis as { found?: unknown }).found).then((handle) => handle.jsonValue());

const press = (panel: Target): Promise<void> => panel.evaluate(`document.getElementById('record').click()`);
const title = (panel: Target): Promise<string> => panel.evaluate(`document.getElementById('status').textContent`);
const problems = (panel: Target): Promise<string> => panel.evaluate(`document.getElementById('problems').innerText`);
interface Shown {
  readonly plain: unknown;
  readonly recorded: unknown;
  readonly panel: Target;
}

/** A page as it is, and recorded. */
async function show(server: keyof typeof kServers, page: string, host = '127.0.0.1'): Promise<Shown> {
  await inspected.page.goto(`${servers.get(server)?.address.replace('127.0.0.1', host)}/${page}.html`);
  const plain = await found();
  const panel = await inspected.panel();
  return { plain, recorded: await recordAgain(inspected.page, panel), panel };
}

/** What a page finds out behind a press on Record. */
async function recordAgain(page: Tab['page'], panel: Target): Promise<unknown> {
  await page.evaluate(() => {
    (globalThis as { found?: unknown }).found = undefined;
  });
  await press(panel);
  return found(page);
}

test.each(someOf(['strict', 'plain', 'isolated'] as const))(
  'a page of a server (%s) with a module from npm is unchanged, and its heap is in the panel',
  async (server) => {
    const { plain, recorded, panel } = await show(server, 'png');
    expect(recorded).toBe(plain);
    await panel.until(`${kEvents} > 50`);
    expect(await title(panel)).toBe('png, module 1');
    expect(await problems(panel)).toBe('');
    expect(await inspected.page.evaluate(() => crossOriginIsolated)).toBe(server === 'isolated');
  },
);

test('a page is not recorded before Record is pressed, nor by its next reload', async () => {
  await inspected.page.goto(`${servers.get('plain')?.address}/png.html`);
  const isNative = () => /\[native code\]/.test(String(WebAssembly.compile));
  expect(await inspected.page.evaluate(isNative)).toBe(true);
  const panel = await inspected.panel();
  await press(panel);
  await panel.until<number>(kEvents);
  expect(await inspected.page.evaluate(isNative)).toBe(false);
  await inspected.page.reload();
  expect(await inspected.page.evaluate(isNative)).toBe(true);
  await panel.until(`document.querySelector('hg-glass') === null`);
});

/** An expression: the keys of the modules that the extension's database has. */
const kKept = `new Promise((resolve) => {
  const opening = indexedDB.open('${kDatabase}');
  opening.onsuccess = () => {
    const asked = opening.result.transaction('modules').objectStore('modules').getAllKeys();
    asked.onsuccess = () => resolve(asked.result.join());
  };
})`;

test('the second time a module comes from the database', async () => {
  const { panel } = await show('plain', 'png');
  await panel.until<number>(kEvents);
  const before = await panel.until<string>(kKept);
  const again = await show('plain', 'png');
  expect(again.recorded).toBe(again.plain);
  await panel.until(`${kEvents} > 50`);
  expect(await panel.evaluate<string>(kKept)).toBe(before);
});

test.runIf(kEvery)('a page by http, for which the browser makes no checksum, is recorded, too', async () => {
  const { plain, recorded, panel } = await show('plain', 'png', kInsecureHost);
  expect(await inspected.page.evaluate(() => isSecureContext)).toBe(false);
  expect(recorded).toBe(plain);
  await panel.until(`${kEvents} > 50`);
});

test('what a page says that the checksum of a module is does not decide where it is kept', async () => {
  const { plain, recorded, panel } = await show('plain', 'wrong_checksum');
  expect([plain, recorded]).toEqual([2, 2]);
  await panel.until<number>(kEvents);
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, 'own.wasm')))
    .digest('hex');
  expect(await panel.until<string>(`${kKept}.then((keys) => keys.includes('${sum}') && keys)`)).not.toContain(
    '00000000',
  );
});

test('a module whose names are minified is recorded by what the page’s scripts say', async () => {
  const { plain, recorded, panel } = await show('plain', 'minified');
  expect([plain, recorded]).toEqual([10, 10]);
  await panel.until(`${kEvents} > 17`);
  expect(await problems(panel)).toBe('');
});

test('with call stacks the panel names the line of JavaScript that holds the memory', async () => {
  const panel = await inspected.panel();
  const choose = () => panel.evaluate(`document.getElementById('callers').click()`);
  await choose();
  await show('plain', 'minified');
  await choose();
  await panel.until(`${kEvents} > 17`);
  const line =
    1 +
    readFileSync(join(folder, 'minified.js'), 'utf8')
      .split('\n')
      .findIndex((each) => each.includes('_malloc(40)'));
  expect(await panel.until<string>(asked('Who holds it', `minified.js:${line}`))).toContain('holds');
});

test.each(someOf(['isolated', 'plain'] as const))('modules of workers are recorded (%s)', async (server) => {
  const { plain, recorded, panel } = await show(server, 'worker');
  expect(recorded).toBe(plain);
  await panel.until(`${kEvents} > 50`);
  expect(await title(panel)).toBe('worker encoder, module 1');
});

test.runIf(kEvery)('a worker that is no module finds its files and its own address', async () => {
  const { plain, recorded, panel } = await show('plain', 'plain_worker');
  expect([plain, recorded]).toEqual(['10 /', '10 /']);
  await panel.until<boolean>(`document.getElementById('status').textContent.includes('plain_worker.js')`);
});

test.runIf(kEvery)('workers that a worker makes are recorded, too', async () => {
  const { plain, recorded, panel } = await show('plain', 'nested_worker');
  expect([plain, recorded]).toEqual(['10 /', '10 /']);
  await panel.until(`${kEvents} > 17`);
  expect(await title(panel)).toBe('worker inner, module 1');
});

test('a worker from a text whose address the page gives back runs, and its module is recorded', async () => {
  const { plain, recorded, panel } = await show('plain', 'blob_worker');
  expect([plain, recorded]).toEqual(['10', '10']);
  await panel.until(`${kEvents} > 17`);
});

test('where the policy forbids what workers need, they run as they are, and the panel says so', async () => {
  const { plain, recorded, panel } = await show('closed', 'worker');
  expect(recorded).toBe(plain);
  const said = await panel.until<string>(`document.getElementById('problems').innerText`);
  expect(said).toContain('png_worker.js is a worker that the page');
});

test.runIf(kEvery)('a module that is compiled at once runs as it is, and the panel says so', async () => {
  const { plain, recorded, panel } = await show('plain', 'sync');
  expect(recorded).toBe(plain);
  expect(await panel.until<string>(`document.getElementById('problems').innerText`)).toContain(
    'new WebAssembly.Module()',
  );
});

test.runIf(kEvery)('a module without an allocator runs as it is, and the panel says why', async () => {
  writeFileSync(join(folder, 'bump.wasm'), bumpAllocator('Ka', 'La'));
  const { panel } = await show('plain', 'png');
  await inspected.page.evaluate(() => WebAssembly.compileStreaming(fetch('./bump.wasm')));
  expect(await panel.until<string>(`document.getElementById('problems').innerText`)).toContain(
    'bump.wasm is not recorded: ',
  );
  writeFileSync(join(folder, 'bump.wasm'), bumpAllocator('Ia', 'Ja'));
});

test.runIf(kEvery)(
  'two tabs record at once, one is reloaded, one is closed: each panel has its own page alone',
  async () => {
    const { panel: first } = await show('plain', 'png');
    const alone = await settled(first);
    const second = await inspected.tab();
    await second.page.goto(`${servers.get('plain')?.address}/minified.html`);
    const other = await second.panel();
    await Promise.all([recordAgain(inspected.page, first), recordAgain(second.page, other)]);
    const others = await settled(other);
    expect(others).toBeGreaterThan(17);
    expect(others).not.toBe(alone);
    await recordAgain(second.page, other);
    expect(await settled(other)).toBe(others);
    expect(await title(other)).not.toContain('png');
    await inspected.page.bringToFront(); // a panel behind another tab draws nothing
    expect(await settled(first)).toBe(alone);
    await second.page.close();
    expect(await title(first)).toBe('png, module 1');
    expect(await problems(first)).toBe('');
    await recordAgain(inspected.page, first);
    expect(await settled(first)).toBe(alone);
  },
);

test('a panel that closes leaves the page running', async () => {
  const { panel } = await show('plain', 'png');
  await panel.until<number>(kEvents);
  await inspected.devtools.evaluate('close()').catch(() => {}); // its target ends with it
  const bytes = readFileSync(join(folder, 'bump.wasm'), 'base64');
  const exports = await inspected.page.evaluate(async (text) => {
    const wasm = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(wasm);
    return Object.keys(instance.exports).length;
  }, bytes);
  expect(exports).toBeGreaterThan(1);
});
