// Scripts of a visitor's, typed and run: what the map shows then, errors, loops without end, links.

import type { Page } from '@playwright/test';
import { axeOn } from '../axe.ts';
import { expect, headOf, inAll, openTab, settled, shownEvent, test } from './open.ts';

const panelOf = (page: Page) => page.locator('.hg-panel--script');
const editorOf = (page: Page) => panelOf(page).getByRole('textbox', { name: 'Script' });
const button = (page: Page, name: string) => panelOf(page).getByRole('button', { name, exact: true });
const saidOf = (page: Page) => panelOf(page).getByRole('status');
const problemOf = (page: Page) => panelOf(page).getByRole('alert');
const badge = (page: Page) => page.locator('.hg-badge');

const testAll = inAll(test);

async function openScripts(page: Page): Promise<void> {
  await page.goto('./#scenario=burst_list&event=100&tab=script');
  await expect(editorOf(page)).toBeVisible();
}

async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

test('a script runs, the map shows its blocks, and Rewind leads to its beginning', async ({ page }) => {
  await openScripts(page);
  await write(
    page,
    "chapter('One block');\nconst a = heap.allocate(5000);\nchapter('Two');\nheap.allocate(300);\nconsole.log(hex(a));",
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(saidOf(page)).toHaveText('2 calls on the heap.');
  const address = await panelOf(page).getByRole('log').innerText();
  expect(address).toMatch(/^0x[0-9a-f]{4}_[0-9a-f]{4}$/);
  await expect.poll(() => headOf(page)).toBeGreaterThan(4);
  await expect.poll(async () => (await shownEvent(page)) === (await headOf(page))).toBe(true);
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
  await page.getByRole('button', { name: /table/i }).first().click();
  const rows = page.getByRole('region', { name: 'Table of chunks' }).getByRole('row');
  const used = rows.filter({ hasText: 'in use' });
  await expect(used).toHaveCount(2);
  await expect(page.locator('.hg-timeline__marks g')).toHaveCount(2);

  await button(page, 'Rewind').click();
  await expect.poll(() => shownEvent(page)).toBe(0);
  await page.keyboard.press('End');
  await expect(used).toHaveCount(2);
});

test('an error is named at its line, in the editor too, and the calls before it are shown', async ({ page }) => {
  await openScripts(page);
  await write(page, 'const a = heap.allocate(100);\nheap.deallocate(a);\nheap.deallocate(a);\n');
  await button(page, 'Run').click();
  await expect(problemOf(page)).toHaveText(
    /^Line 3: TypeError: heap\.deallocate\(0x[0-9a-f_]+\): .* it was freed before$/,
  );
  await expect(panelOf(page).locator('.cm-lintRange-error')).toHaveText('deallocate(a);');
  await expect(saidOf(page)).toHaveText('2 calls on the heap.');
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
  await write(page, 'heap.allocate(1);\n}\n');
  await button(page, 'Run').click();
  await expect(problemOf(page)).toHaveText('Line 2: The script cannot be read: Unexpected token');
  const { violations } = await axeOn(page).include('.hg-panel--script').analyze();
  expect(violations.map((found) => `${found.id} ${found.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
});

test('letters that are typed are no shortcuts, and Escape and Tab lead out of the editor', async ({ page }) => {
  await openScripts(page);
  await write(page, '');
  await page.keyboard.type('// s g b t ? v');
  await expect(editorOf(page)).toHaveText('// s g b t ? v');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(editorOf(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Run')).toBeFocused();
});

test('an endless loop is stopped by hand, and the page lives with the calls made before it', async ({ page }) => {
  await openScripts(page);
  await write(page, "heap.allocate(1000);\nconsole.log('here');\nfor (;;) {}");
  await button(page, 'Run').click();
  await expect(panelOf(page).getByRole('log')).toHaveText('here');
  await button(page, 'Stop').click();
  await expect(problemOf(page)).toHaveText(
    'The script was stopped. The map shows the calls that were made until then.',
  );
  await expect(saidOf(page)).toHaveText('1 call on the heap.');
  await expect.poll(() => headOf(page)).toBeGreaterThan(1);
  await write(page, 'heap.allocate(1);');
  await button(page, 'Run').click();
  await expect(problemOf(page)).toBeHidden();
  await expect(saidOf(page)).toHaveText('1 call on the heap.');
});

// The limit is 5 s; with a shorter one it is in tests/web/client/script_client.test.ts.
testAll('an endless loop ends by itself at the limit', async ({ page }) => {
  await openScripts(page);
  await write(page, 'const a = heap.allocate(1000);\nfor (;;) try { heap.deallocate(a); } catch {}');
  await button(page, 'Run').click();
  await expect(problemOf(page)).toContainText('did not end within 5 s and was stopped', { timeout: 45_000 });
  await expect(saidOf(page)).toHaveText('2 calls on the heap.');
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
});

testAll('memory that is exhausted is an error with its words, and the page lives', async ({ page }) => {
  await openScripts(page);
  await write(page, 'for (;;) heap.allocate(2 ** 29);');
  await button(page, 'Run').click();
  await expect(problemOf(page)).toHaveText(/^Line 1: heap\.allocate: out of memory: no free chunk fits/);
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
  await expect.poll(() => headOf(page)).toBeGreaterThan(1);
});

test('a link brings the script along, and it runs only when its reader says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScripts(page);
  const text = "// from a link: ü\nheap.allocate(77);\nconsole.log('ran');";
  await write(page, text);
  await button(page, 'Copy link').click();
  await expect(saidOf(page)).toContainText('The link is copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#script=[\w-]+$/);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(saidOf(page)).toHaveText('This script came with the link. Read it, then press Run.');
  await expect(editorOf(page)).toContainText('// from a link: ü');
  await expect(panelOf(page).getByRole('log')).toBeEmpty();
  const head = await headOf(page);
  await button(page, 'Run').click();
  await expect(panelOf(page).getByRole('log')).toHaveText('ran');
  await expect.poll(() => headOf(page)).toBeGreaterThan(head);
  await expect.poll(() => page.url()).toContain(link.slice(link.indexOf('#script=')));
  await page.goto('about:blank');
  await page.goto('./#script=AAAA');
  await expect(saidOf(page)).toHaveText('The link is damaged: the script in it cannot be read.');
});

test('the first load brings no editor; completion offers the calls of the heap', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('./');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(0);
  expect(asked.filter((url) => /editor|script-/.test(url))).toEqual([]);
  await openTab(page, 'Script');
  await expect(editorOf(page)).toBeVisible();
  expect(asked.some((url) => /editor.*\.js$/.test(url))).toBe(true);
  await write(page, '');
  await page.keyboard.type('heap.allocateM');
  await page.getByRole('option', { name: /allocateMany/ }).click();
  await expect(editorOf(page)).toHaveText('heap.allocateMany');
});

testAll(
  'an editor that cannot be loaded is asked for once, and again when the visitor says so',
  async ({ page, errors }) => {
    const asked: string[] = [];
    await page.route(/editor-[^/]*\.js/, (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await page.goto('./#scenario=burst_list&event=100&tab=script');
    await expect(panelOf(page)).toContainText('The editor could not be loaded');
    for (const key of ['.', '.', '.', ',']) await page.keyboard.press(key); // each a frame that the panel shows
    await settled(page);
    expect(asked).toHaveLength(1);
    await button(page, 'Try again').click();
    await expect(panelOf(page)).toContainText('The editor could not be loaded');
    (errors as string[]).length = 0; // the browser's own words about the file that did not come
  },
);
