// The page under its own policy: what is written into it becomes no element, no code and no worker, and the page itself works whole
// without breaking a rule. HG_TEST=all: in every scene and scenario.

import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BrowserContext, type Page, test as plain } from '@playwright/test';
import { kScenarios } from '../../web/src/scenarios/index.ts';
import { kScenes } from '../../web/src/scenes/index.ts';
import {
  expect,
  headOf,
  inAll,
  kEveryLook,
  openByHand,
  openExperiment,
  openTab,
  runExperiment,
  settled,
  test,
  timeOf,
} from './open.ts';

// Daily what breaks the policy fails whichever test opens it: the browser writes it to the console as an error (open.ts).
const testAll = inAll(test);

type Watched = typeof globalThis & { readonly broken: string[]; readonly ran?: unknown };
type Factory = { readonly trustedTypes: { createPolicy(name: string, rules: object): unknown } };

/** Notes what breaks the policy, from the first line of each document on. */
const watchPolicy = (context: BrowserContext) =>
  context.addInitScript(() => {
    const broken: string[] = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      broken.push(`${violatedDirective}: ${blockedURI} ${sample}`),
    );
    Object.assign(globalThis, { broken });
  });
const brokenIn = (page: Page) => page.evaluate(() => (globalThis as Watched).broken);

/** In the page. */
declare function later(call: () => unknown): Promise<unknown>;
const addLater = (page: Page) =>
  page.addInitScript(() => {
    const later = (call: () => unknown) =>
      new Promise((done, failed) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          try {
            done(call());
          } catch (error) {
            failed(error);
          }
        };
        port2.postMessage(0);
      });
    Object.assign(globalThis, { later });
  });

const kHtml = '<img src="data:x" onerror="ran = `markup`"><script>ran = "script"</script>';

/** A text, or an address of nobody's, where a browser makes more of it. */
const kWritten: readonly (readonly [string, (html: string) => unknown])[] = [
  ['innerHTML', (html) => Object.assign(document.body.appendChild(document.createElement('p')), { innerHTML: html })],
  ['outerHTML', (html) => Object.assign(document.body.appendChild(document.createElement('p')), { outerHTML: html })],
  ['insertAdjacentHTML', (html) => document.body.insertAdjacentHTML('beforeend', html)],
  ['document.write', (html) => document.write(html)],
  ['a fragment', (html) => document.body.append(document.createRange().createContextualFragment(html))],
  ['srcdoc', (html) => document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: html }))],
  ['a parser', (html) => new DOMParser().parseFromString(html, 'text/html')],
  [
    'a shadow root',
    (html) => Object.assign(document.createElement('p').attachShadow({ mode: 'open' }), { innerHTML: html }),
  ],
  ['the text of a script', () => Object.assign(document.createElement('script'), { text: 'ran = 1' })],
  ['the content of a script', () => Object.assign(document.createElement('script'), { textContent: 'ran = 1' })],
  ['the address of a script', () => Object.assign(document.createElement('script'), { src: 'data:,ran = 1' })],
  ['a handler', () => document.body.setAttribute('onclick', 'ran = 1')],
  // Later, because while a tester's call runs, the browser lets it make code.
  // biome-ignore lint/security/noGlobalEval: it must not work
  ['eval', () => later(() => globalThis.eval('ran = 1'))],
  ['a function', () => later(() => new Function('ran = 1')())],
  ['a worker of data', () => new Worker('data:text/javascript,1')],
  ['a worker of a blob', () => new Worker(URL.createObjectURL(new Blob(['1'])))],
  ['a worker of this site', () => new Worker('assets/any.js')],
  ['a shared worker', () => new SharedWorker('data:text/javascript,1')],
  ['a policy of another name', () => (globalThis as unknown as Factory).trustedTypes.createPolicy('mine', {})],
  ['the policy again', () => (globalThis as unknown as Factory).trustedTypes.createPolicy('heapglass', {})],
  ['a default policy', () => (globalThis as unknown as Factory).trustedTypes.createPolicy('default', {})],
];

// Each is an error in the console, so the plain test looks on.
for (const document of ['index.html', 'glass.html'])
  plain(`${document}: what is written into the page becomes no element, no code and no worker`, async ({ page }) => {
    await addLater(page);
    await page.goto(`./${document}`);
    await expect(page.locator('.hg-page').first()).toBeVisible();
    const outcomes: string[] = [];
    for (const [name, body] of kWritten)
      outcomes.push(
        await page.evaluate(body, kHtml).then(
          () => `${name}: done`,
          (error) => `${name}: ${/\b(TypeError|EvalError)\b/.exec(String(error))?.[1] ?? String(error)}`,
        ),
      );
    const ending = (name: string) => (name === 'eval' || name === 'a function' ? 'EvalError' : 'TypeError');
    expect(outcomes).toEqual(kWritten.map(([name]) => `${name}: ${ending(name)}`));
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    expect(await page.evaluate(() => (globalThis as Watched).ran)).toBeUndefined();
  });

test('scenes and scenarios open without breaking the policy: daily every twelfth', async ({ page, context }) => {
  test.setTimeout(180_000);
  await watchPolicy(context);
  const all = [
    ...kScenes.map(({ id }) => `scene=${id}&seed=5`),
    ...kScenarios.map(({ info }) => `scenario=${info.id}`),
  ];
  expect(all.length).toBeGreaterThan(12);
  const places = all.filter((_, nth) => kEveryLook || nth % 12 === 0);
  for (const place of places) {
    await page.goto('about:blank'); // else only the address changes, and one document serves all
    await page.goto(`./#${place}&event=50`);
    await expect(timeOf(page)).not.toHaveAttribute('aria-valuemax', '0');
    expect(await brokenIn(page), place).toEqual([]);
  }
});

testAll(
  'every panel, a script, an experiment and a dropped file work without breaking the policy',
  async ({ page, context }) => {
    await watchPolicy(context);
    await openByHand(page);
    const tabs = await page.getByRole('tab', { includeHidden: true }).allTextContents();
    expect(tabs.length).toBeGreaterThan(8);
    for (const tab of tabs) expect((await openTab(page, tab)) || tab === 'Chunk', tab).toBe(true); // Chunk: when one is selected
    await settled(page);

    await openTab(page, 'Script');
    const panel = page.locator('.hg-panel--script');
    await panel.getByRole('textbox', { name: 'Script' }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('heap.al'); // the editor's list of names
    await expect(page.locator('.cm-tooltip-autocomplete')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('heap.allocate(100);');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(panel.getByRole('status')).toHaveText('1 call on the heap.');

    await openExperiment(page, 'BE1');
    await runExperiment(page);
    await expect(page.locator('.hg-chart__svg pattern rect').first()).toBeAttached();

    const golden = fileURLToPath(new URL('../web/trace/golden/version_5_all.hgtrace', import.meta.url));
    const bytes = [...(await readFile(golden))];
    await page.evaluate((content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(content)], 'dropped.hgtrace'));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector('.hg-page')
          ?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }, bytes);
    await expect(page.getByRole('button', { name: /^trace dropped/ })).toBeVisible();
    await settled(page);
    expect(await brokenIn(page)).toEqual([]);
  },
);

testAll('the page saved with its trace opens from disk without breaking the policy', async ({ page, context }) => {
  await watchPolicy(context);
  await page.goto('./#scenario=adaptive_pool&event=500');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '500');
  await settled(page);
  await page.keyboard.press('s');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Page and trace as HTML', exact: true }).click();
  const path = join(await mkdtemp(join(tmpdir(), 'heapglass-policy-')), 'saved.html');
  await (await coming).saveAs(path);
  const opened = await context.newPage();
  await opened.goto(pathToFileURL(path).href);
  await expect(timeOf(opened)).toHaveAttribute('aria-valuenow', '500');
  expect(await headOf(opened)).toBe(await headOf(page));
  expect([...(await brokenIn(page)), ...(await brokenIn(opened))]).toEqual([]);
});
