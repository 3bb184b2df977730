// Heaps, thread caches and what the map says of them.

import type { Page } from '@playwright/test';
import { expect, headOf, openAt, openTab, shownEvent, test, timeOf } from './one_page.ts';

const cells = (page: Page) => page.getByRole('gridcell');
const said = (page: Page): Promise<string[]> =>
  cells(page).evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label') ?? ''));

test('the matrix of thread caches follows time, and a batch is told in words', async ({ page }) => {
  await openAt(page, 'thread_caches', 3000);
  await openTab(page, 'Heaps');
  await expect(cells(page).first()).toBeVisible();
  const early = await said(page);
  const moved = page.locator('.hg-caches--classes .hg-caches__moved');
  await expect(moved).toHaveText(/Event [\d,]+: a batch of \d+ blocks? of .* (to|from) thread \d/);
  const before = await moved.innerText();
  await page.evaluate(() => {
    location.hash = 'scenario=thread_caches&event=20000&tab=heaps';
  });
  await expect.poll(() => shownEvent(page)).toBe(20_000);
  await expect(moved).not.toHaveText(before);
  expect(await said(page)).not.toEqual(early);
  await expect(page.getByRole('columnheader', { name: /, acting$/ })).toHaveCount(1);
});

test('the cells of a class add up the same while nothing but threads act', async ({ page }) => {
  await openAt(page, 'thread_caches', 20_000);
  await openTab(page, 'Heaps');
  await expect(cells(page).first()).toBeVisible();
  const columns = await page.getByRole('columnheader').count();
  const counts = (await said(page)).map((text) => Number(/: ([\d,]+) block/.exec(text)?.[1]?.replace(/,/g, '')));
  const rows = await page.getByRole('rowheader').allTextContents();
  expect(counts).toHaveLength(rows.length * (columns - 1));
  // A span of the class of 640 bytes has about a hundred blocks: whole spans, nothing else.
  const last = counts.slice(-(columns - 1)).reduce((sum, count) => sum + count, 0);
  expect(last % 102).toBe(0);
});

test('the matrix is read cell by cell with the arrow keys', async ({ page }) => {
  await openAt(page, 'thread_caches', 20_000);
  await openTab(page, 'Heaps');
  await cells(page).first().focus();
  await expect(page.locator('.hg-caches--classes .hg-caches__said')).toContainText('in use');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.hg-caches--classes .hg-caches__said')).toContainText('central list');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.hg-caches--classes .hg-caches__said')).toContainText(/^80.B, thread 1:/);
  expect(await shownEvent(page)).toBe(20_000);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Lists' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.hg-pools > .hg-heading')).toHaveText(/Size class · 80.B/i);
});

test('without size classes the panel says what it would show', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 3000);
  await openTab(page, 'Heaps');
  await expect(page.locator('.hg-caches--classes')).toContainText('No size class has a span at this moment');
  await expect(page.getByRole('grid')).toBeHidden();
});

test('every memory pool is a heap of its own, and choosing one changes what bins and pools are about', async ({
  page,
}) => {
  await openAt(page, 'memory_pools', 110_000);
  await openTab(page, 'Heaps');
  const rows = page.locator('.hg-heaps__row');
  await expect(rows).toHaveCount(6);
  await rows.nth(2).click();
  await expect(rows.nth(2)).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/heap=\d+.*tab=heaps/);
  await openTab(page, 'Lists');
  await expect(page.locator('.hg-pools > .hg-heading')).toHaveText(/Fixed-size list of a memory pool/i);
  await expect(page.locator('.hg-pools__note')).toContainText('by address');
});

test('at the end of time the pools are gone again', async ({ page }) => {
  await openAt(page, 'memory_pools', 110_000);
  await openTab(page, 'Heaps');
  await expect(page.locator('.hg-heaps__row')).toHaveCount(6);
  await page.keyboard.press('End');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', String(await headOf(page)));
  await expect(page.locator('.hg-heaps__row')).toHaveCount(1);
});
