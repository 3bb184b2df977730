// Runs of emptiness take one row of the map: opened by click, key and zoom, passed by hand, link and search.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, inAll, openAt, settled, test } from './one_page.ts';

const testAll = inAll(test);

/** Addresses that the map shows, [from, to). */
async function shown(page: Page): Promise<readonly [number, number]> {
  const text = await page.locator('.hg-minimap').getAttribute('aria-valuetext');
  const [from = '', to = ''] = (text ?? '').replaceAll('_', '').split(' to ');
  return [Number(from), Number(to)];
}

const bytesShown = async (page: Page): Promise<number> => {
  const [from, to] = await shown(page);
  return to - from;
};

/** The words of the folds in view, and how far down they are, out of the map's picture as shapes. */
async function folds(page: Page): Promise<readonly { readonly text: string; readonly y: number }[]> {
  await page.keyboard.press('s');
  const panel = page.getByRole('dialog', { name: 'Share and save' });
  const coming = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Map, SVG', exact: true }).click();
  const svg = await readFile(await (await coming).path(), 'utf8');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  return [...svg.matchAll(/<text[^>]* y="([\d.]+)"[^>]*>▸ ([^<]*)</g)].map(([, y, text]) => ({
    text: (text ?? '').replaceAll('\u202f', ' '),
    y: Number(y),
  }));
}

const surface = (page: Page) => page.locator('.hg-map__surface');

async function openTop(page: Page) {
  // Between two operations, whether or not the compiler's memory had to grow first: that is one event more.
  await openAt(page, 'forward_expansion', 63);
  await expect.poll(() => bytesShown(page)).toBeGreaterThanOrEqual(0xf900);
  const all = await folds(page);
  expect(all.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^61\.\d KiB top$/));
  const top = all.find(({ text }) => text.endsWith('top'));
  const box = await surface(page).boundingBox();
  if (top === undefined || box === null) throw new Error('no fold');
  return { x: box.x + box.width / 2, y: box.y + top.y };
}

test('all of a heap that is mostly free is shown near, its top in one row, which a click opens', async ({ page }) => {
  const fold = await openTop(page);
  await expect(page.locator('.hg-map__row-bytes')).toHaveText(/^(32|64|128|256).B a row$/);
  await page.mouse.move(fold.x, fold.y);
  await expect(page.locator('.hg-map__tip')).toContainText(/top, 61\.7.KiB/u);
  await page.mouse.click(fold.x, fold.y);
  await expect(page.locator('.hg-inspector__address')).toContainText('0x');
  await expect.poll(() => bytesShown(page)).toBeLessThan(0x4000);
  await surface(page).focus();
  await page.keyboard.press('f'); // all of the heap: folded again
  await expect.poll(() => bytesShown(page)).toBeGreaterThanOrEqual(0xf900);
});

test('Enter opens the fold of the selected chunk, and zooming in on a fold opens it', async ({ page }) => {
  const fold = await openTop(page);
  await surface(page).focus();
  await page.keyboard.press('End');
  await expect(page.locator('.hg-map [role=status]')).toContainText('top');
  await page.keyboard.press('Enter');
  await expect.poll(() => bytesShown(page)).toBeLessThan(0x4000);
  await page.keyboard.press('f');
  await expect.poll(() => bytesShown(page)).toBeGreaterThanOrEqual(0xf900);
  await page.mouse.move(fold.x, fold.y);
  await page.mouse.wheel(0, -240);
  await expect.poll(() => bytesShown(page)).toBeLessThan(0x4000);
});

testAll('the switch and its key fold nothing, and fold again; the link keeps that', async ({ page }) => {
  await openTop(page);
  const button = page.getByRole('button', { name: 'Empty rows folded into one' });
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect(page).toHaveURL(/fold=off/);
  await expect.poll(() => bytesShown(page)).toBeLessThan(0x4000);
  expect(await folds(page)).toEqual([]);
  await settled(page);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => bytesShown(page)).toBeLessThan(0x4000);
  await settled(page);
  await surface(page).focus();
  await page.keyboard.press('e');
  await expect(page).not.toHaveURL(/fold=/);
  await expect.poll(() => bytesShown(page)).toBeGreaterThanOrEqual(0xf900);
});

test('rows scroll past a fold as past any other, and an address behind it is found', async ({ page }) => {
  await openTop(page);
  await surface(page).focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press('+');
  const [from] = await shown(page);
  const fold = (await folds(page)).find(({ text }) => text.endsWith('top'));
  if (fold === undefined) await page.keyboard.press('PageDown');
  await expect.poll(async () => (await shown(page))[0]).toBeGreaterThanOrEqual(from);
  await page.keyboard.press('g');
  await page.keyboard.type('0x0007_fff0');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await shown(page))[1]).toBeGreaterThanOrEqual(0x7_fff0);
  await expect(page.locator('.hg-inspector__address')).toContainText('0x');
});
