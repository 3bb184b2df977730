// The site, built and then served by the plainest static server below a path of its own.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../tools/find_chromium.mjs';
import { kScenes } from '../../web/src/scenes/index.ts';
import { serve } from '../package/static_server.ts';

const kEntries = ['index', 'trace', 'attach', 'instrumented', 'visualizer', 'define'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const kPath = 'some/where';
const host = mkdtempSync(join(tmpdir(), 'heapglass-site-'));
const folder = join(host, kPath);
let server: Awaited<ReturnType<typeof serve>> | undefined;
let browser: Browser | undefined;

beforeAll(async () => {
  mkdirSync(join(host, 'some'));
  execFileSync(process.execPath, [join(root, 'site/build.mjs'), '--out', folder], { stdio: 'pipe' });
  server = await serve(host);
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(host, { recursive: true, force: true });
});

const pages = () => readdirSync(folder).filter((name) => name.endsWith('.html') && name !== '404.html');
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

/** The names that an entry of the package exports, as its source lists them. */
const exportsOf = (source: string) =>
  [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => name.trim().replace(/^type /, '') || []),
  );

/** A page of the site, and everything that went wrong on it. */
async function open(name: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
  if (browser === undefined || server === undefined) throw new Error('the site is not served');
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol === 'http:' && !pathname.startsWith(`/${kPath}/`)) problems.push(`asked for ${pathname}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${server.address}/${kPath}/${name}`);
  return { page, problems };
}

describe('the site', () => {
  test('has no link, picture or script outside of its folder, and none that leads nowhere', () => {
    const wrong: string[] = [];
    for (const name of pages()) {
      const html = readFileSync(join(folder, name), 'utf8');
      for (const [, address = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(https?:|data:|mailto:)/.test(address)) continue;
        const [file = '', fragment = ''] = address.replace(/\?.*$/, '').split('#');
        const target = file === '' ? name : file.replace(/^\.\//, '').replace(/^$/, 'index.html');
        if (file.startsWith('/') || !existsSync(join(folder, target))) wrong.push(`${name}: ${address}`);
        else if (fragment !== '' && !target.startsWith('glass/')) {
          const ids = idsOf(target === name ? html : readFileSync(join(folder, target), 'utf8'));
          if (!ids.has(decodeURIComponent(fragment))) wrong.push(`${name}: ${address}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('has every document, every scene and a reference of every command', () => {
    const names = pages();
    for (const document of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))
      expect(names).toContain(document.replace(/\.md$/, '.html'));
    const learn = readFileSync(join(folder, 'learn.html'), 'utf8');
    for (const { id } of kScenes) expect(learn).toContain(`#scene=${id}"`);
    const commands = readFileSync(join(folder, 'reference_command_line.html'), 'utf8');
    for (const option of ['--stacks', '--assert', '--advise']) expect(commands).toContain(option);
    const c = readFileSync(join(folder, 'reference_c.html'), 'utf8');
    for (const name of ['hg_heap_allocate', 'hg_heap_command', 'hg_pool_create']) expect(c).toContain(name);
  });

  test('has a reference of every public export, with its words, members and code', () => {
    const html = readFileSync(join(folder, 'reference_javascript.html'), 'utf8');
    const titles = [...html.matchAll(/<h3 id="[^"]+"[^>]*>(\w+) /g)].map(([, name]) => name);
    const exported = kEntries.flatMap((entry) => exportsOf(readFileSync(join(root, `package/${entry}.ts`), 'utf8')));
    expect(titles).toEqual(exported);
    expect(exported).toContain('attach');
    const text = html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'");
    for (const words of [
      'A heap in WebAssembly memory, for Node, pages and workers', // a function
      'function createHeap(options?: HeapOptions): Promise<Heap>;', // of which all overloads are there
      'allocate(size: number): number: A block of at least size bytes', // a member
      'attach.toPage(target: Attachable | Promise<Attachable>', // what is assigned to a function
      'readonly count: number: Events so far.', // a getter without a setter
      'live: boolean: Whether new events of heap or recorder are shown', // one with a setter
      'poolShaped: 41;', // a constant whose members have no words
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('#private');
  });

  test('opens below a sub-path with a live heap, and leads from page to page without another load', async () => {
    const { page, problems } = await open('index.html');
    const glass = page.frameLocator('.hg-glass');
    await glass.locator('.hg-badge[data-badge=verified]').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Learn in 17 scenes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Learn: what an allocator does' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/${kPath}/learn.html`);
    const scene = page.frameLocator('iframe[title="Scene: What a heap is"]');
    await scene.getByRole('button', { name: 'Next' }).click({ timeout: 60_000 });
    await scene.getByText('Where will they lie? Click there on the map.').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('finds what is searched for', async () => {
    const { page, problems } = await open('malloc.html');
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('designated victim');
    const first = page.getByRole('listbox').getByRole('link').first();
    await first.click({ timeout: 60_000 });
    await page.waitForURL((url) => url.pathname.startsWith(`/${kPath}/`) && !url.pathname.endsWith('/malloc.html'));
    await page.getByText('designated victim').first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});
