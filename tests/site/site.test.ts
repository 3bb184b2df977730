// The site, built and then served by the plainest static server below a path of its own.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageOf } from '../../site/pages.mjs';
import { kPlots } from '../../site/plots/list.mjs';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { kScenes } from '../../web/src/scenes/index.ts';
import { axeOn } from '../axe.ts';
import { serve } from '../package/static_server.ts';
import { type PlotEntry, plotsOf, plotsShown, wrongIn } from './plots_on_pages.ts';

const kEntries = ['index', 'full', 'trace', 'attach', 'instrumented', 'visualizer', 'define'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const kPath = 'some/where';
/** Pages that axe reads beside two daily ones: npm run check:site. */
const kMore = process.env['HG_SITE'] === 'all' ? ['learn', 'experiments', 'malloc', 'reference_javascript'] : [];
const host = mkdtempSync(join(tmpdir(), 'heapglass-site-'));
const folder = join(host, kPath);
let server: Awaited<ReturnType<typeof serve>> | undefined;
let browser: Browser | undefined;

beforeAll(async () => {
  mkdirSync(join(host, 'some'));
  execFileSync(process.execPath, [join(root, 'site/build.mjs'), '--out', folder], { stdio: 'pipe' });
  server = await serve(host);
  browser = await chromium.launch(launchOptions());
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

interface Opened {
  readonly page: Page;
  readonly problems: string[];
}

/** A page of the site, and everything that went wrong on it. */
async function open(name: string, options: BrowserContextOptions = {}): Promise<Opened> {
  if (browser === undefined || server === undefined) throw new Error('the site is not served');
  const context = await browser.newContext(options);
  const page = await context.newPage();
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

  test('runs under its policy: text is no script and no elements, and nothing is loaded from elsewhere', async () => {
    const { page } = await open('malloc.html');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const ran = await page.evaluate(async () => {
      const stopped = new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (blockedURI.endsWith('/stolen')) resolve(effectiveDirective);
        });
      });
      const refused = (act: () => void): string => {
        try {
          act();
          return 'done';
        } catch (error) {
          return error instanceof Error ? error.name : 'refused';
        }
      };
      const script = document.createElement('script');
      const outcomes = {
        text: refused(() => {
          script.textContent = 'globalThis.hgRan = true';
        }),
        html: refused(() => {
          document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="globalThis.hgRan = true">');
        }),
      };
      script.append(document.createTextNode('globalThis.hgRan = true'));
      document.body.append(script);
      const elsewhere = await fetch('http://127.0.0.1:1/stolen', { mode: 'no-cors' }).then(
        () => 'sent',
        () => 'refused',
      );
      return { ...outcomes, elsewhere, by: await stopped, ran: 'hgRan' in globalThis };
    });
    expect(ran).toMatchObject({
      text: 'TypeError',
      html: 'TypeError',
      elsewhere: 'refused',
      by: 'connect-src',
      ran: false,
    });
    for (const name of [...pages(), '404.html'])
      expect(readFileSync(join(folder, name), 'utf8')).toMatch(
        /<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'self';/,
      );
  });

  test('has every document, every scene and a reference of every command', () => {
    const names = pages();
    for (const document of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))
      expect(names).toContain(`${pageOf(`docs/${document}`)}.html`);
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
    await glass
      .locator('.hg-answer__sentence')
      .filter({ hasText: /^At event [\d,]+ the program asked for/ })
      .waitFor();
    await page.getByRole('link', { name: /^Learn in \d+ scenes$/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Learn: what an allocator does' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/${kPath}/learn.html`);
    const scene = page.frameLocator('iframe[title="Scene: What a heap is"]');
    await scene.getByRole('button', { name: 'Next' }).click({ timeout: 60_000 });
    await scene.getByText('Where will the block lie? Click there on the map.').waitFor();
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

  test.each(Object.entries<readonly PlotEntry[]>(kPlots))(
    'shows tables of %s as plots, figure by figure',
    async (path, entries) => {
      const { page, problems } = await open(`${basename(path, '.md')}.html`);
      const shown = await plotsShown(page);
      const wrong = entries.flatMap((entry) => {
        const own = plotsOf(shown, entry);
        const many = own.length > 1 && entry.each !== true;
        return own.length === 0 || many
          ? [`${entry.heading}: ${own.length} plots`]
          : own.flatMap((plot) => wrongIn(plot, entry));
      });
      expect(wrong).toEqual([]);
      expect(shown.filter(({ words }) => !/^Plot\. .* from -?[\d.]+ \(.*The table below/.test(words))).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  test.each(['light', 'dark'] as const)(
    'fits a phone, and has no violation that axe finds, when %s',
    async (colorScheme) => {
      const wrong: string[] = [];
      for (const name of ['index', 'replay', ...kMore]) {
        const { page } = await open(`${name}.html`, { colorScheme, viewport: { width: 390, height: 844 } });
        const beyond = await page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - innerWidth);
        if (beyond > 0) wrong.push(`${name}: ${beyond} pixels beyond the window`);
        const { violations } = await axeOn(page).exclude('iframe').analyze();
        for (const { id, nodes } of violations) wrong.push(`${name}: ${id}, ${nodes[0]?.html}`);
        await page.context().close();
      }
      expect(wrong).toEqual([]);
    },
  );

  test('is walked by keyboard: search, a page, a scene and its answer', async () => {
    const { page, problems } = await open('index.html');
    const box = page.getByRole('searchbox');
    const opened = async () => {
      await page.keyboard.press('Control+k'); // not heard before the page's script runs
      return box.isVisible();
    };
    await expect.poll(opened, { timeout: 60_000, interval: 200 }).toBe(true);
    await box.fill('what an allocator does');
    await page.getByRole('listbox').getByRole('link', { name: /Learn/ }).first().press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Learn: what an allocator does' }).waitFor();
    const link = page.getByRole('link', { name: 'Joining', exact: true });
    await link.focus();
    await page.keyboard.press('Enter');
    const scene = page.locator('.hg-panel--learn');
    await scene.getByText('1 of 5').waitFor({ timeout: 60_000 });
    const next = scene.getByRole('button', { name: 'Next', exact: true });
    await next.and(page.locator(':enabled')).focus();
    await page.keyboard.press('Enter');
    await scene.getByRole('button', { name: 'Two', exact: true }).focus();
    await page.keyboard.press('Enter');
    await scene.getByRole('status').filter({ hasText: 'Right. There are two: B lies between them' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('a newcomer, from the front page to a drawing of the own workload, in three actions', () => {
  /** Opens the front page; `act` counts what the visitor does. */
  async function visit() {
    const { page, problems } = await open('index.html');
    await page.locator('.hg-front').waitFor();
    let actions = 0;
    const act = async (what: Promise<unknown>) => {
      actions++;
      await what;
    };
    return { page, problems, act, actions: () => actions };
  }
  const verified = (page: Page) => page.locator('.hg-badge[data-badge=verified]').waitFor({ timeout: 60_000 });

  test('a script that they type', async () => {
    const { page, problems, act, actions } = await visit();
    await act(page.getByRole('link', { name: 'Draw your own workload' }).click());
    const editor = page.getByRole('textbox', { name: 'Script' });
    await editor.waitFor({ timeout: 60_000 });
    await act(editor.fill('for (let i = 0; i < 7; i++) heap.allocate(1000);'));
    await act(page.keyboard.press('ControlOrMeta+Enter'));
    await page.getByRole('status').filter({ hasText: '7 calls on the heap.' }).waitFor({ timeout: 60_000 });
    await verified(page);
    expect(actions()).toBe(3);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('a trace that they recorded', async () => {
    const { page, problems, act, actions } = await visit();
    await act(page.getByRole('link', { name: 'Open the page' }).click());
    const chosen = page.waitForEvent('filechooser', { timeout: 90_000 });
    await act(page.getByRole('button', { name: 'A trace file' }).click({ timeout: 60_000 }));
    await act((await chosen).setFiles(join(root, 'tests/web/trace/golden/version_5_all.hgtrace')));
    await page.getByRole('button', { name: /version_5_all/ }).waitFor({ timeout: 60_000 });
    await verified(page);
    expect(actions()).toBe(3);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
