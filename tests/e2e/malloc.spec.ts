// The malloc front on the page: quick lists, chunks that wait, and malloc by hand.

import type { Page } from '@playwright/test';
import { expect, openAt, openByHand, openMallocAt, selectHeldChunk, shownEvent, test } from './open.ts';

const grid = (page: Page) => page.getByRole('grid', { name: 'Quick lists by size' });
const cells = (page: Page) => grid(page).getByRole('gridcell');
const said = (page: Page): Promise<string[]> =>
  cells(page).evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label') ?? ''));
const openHeaps = (page: Page) => page.getByRole('tab', { name: 'Heaps' }).click();

test('the quick lists follow time, and their cells add up to what is held', async ({ page }) => {
  await openMallocAt(page, 'The same size');
  await openHeaps(page);
  await expect(cells(page).first()).toBeVisible();
  const early = await said(page);
  const counts = early.map((text) => Number(/: ([\d,]+) chunk/.exec(text)?.[1]?.replace(/,/g, '')));
  const sum = counts.reduce((all, count) => all + count, 0);
  await expect(page.locator('.hg-caches--quick .hg-heading')).toContainText(`${sum} chunks`);
  await expect(page.locator('.hg-status')).toContainText('held');
  await expect(page.locator('.hg-caches__flushed')).toContainText('not been emptied');
  await page.evaluate(() => {
    location.hash = 'event=100';
  });
  await expect.poll(() => shownEvent(page)).toBe(100);
  await expect(page.locator('.hg-caches--quick')).toContainText('Nothing waits at this moment');
});

test('an emptying before growth and a batch between threads are told in words', async ({ page }) => {
  await openMallocAt(page, 'The threads empty');
  await openHeaps(page);
  await expect(page.locator('.hg-caches__flushed')).toHaveText(/Event [\d,]+: .* went from the lists to the heap/);
  await expect(page.locator('.hg-caches--quick .hg-caches__moved')).toHaveText(
    /Event [\d,]+: [\d,]+ chunks? of .* went from (thread \d|the central list) to (thread \d|the central list)/,
  );
});

test('the quick lists are read cell by cell with the arrow keys', async ({ page }) => {
  await openMallocAt(page, 'One thread takes');
  await openHeaps(page);
  await cells(page).first().focus();
  const sentence = page.locator('.hg-caches--quick .hg-caches__said');
  await expect(sentence).toContainText('central list');
  await page.keyboard.press('ArrowRight');
  await expect(sentence).toContainText('thread 1');
  await page.keyboard.press('ArrowDown');
  await expect(sentence).toContainText(/^(?!32)\d.*thread 1: [\d,]+ chunks?/);
});

test('a chunk that waits says on which list, and the map has a colour and a word for it', async ({ page }) => {
  await openMallocAt(page, 'The same size');
  await selectHeldChunk(page);
  await expect(page.locator('.hg-inspector__state')).toContainText(
    /waits on quick list \d+ \(chunks of .*\) of thread 1/,
  );
  await expect(page.locator('.hg-inspector__life')).toContainText('keeps the chunk');
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('held for reuse');
  await page.getByRole('button', { name: /table/i }).click();
  await expect(page.getByRole('region', { name: 'Table of chunks' })).toContainText('held for reuse');
});

test('without a malloc front nothing is said about one', async ({ page }) => {
  await openAt(page, 'thread_caches', 20_000);
  await openHeaps(page);
  await expect(grid(page)).toBeHidden();
  await expect(page.locator('.hg-status')).not.toContainText('held');
});

test('by hand: what malloc gave waits after free, and goes back when the lists are emptied', async ({ page }) => {
  await openByHand(page);
  await page.getByRole('tab', { name: 'Operate' }).click();
  const results = page.getByRole('list', { name: 'Results' });
  await page.getByRole('button', { name: 'malloc', exact: true }).click();
  await expect(results).toContainText('malloc gave 10 blocks');
  await page.getByRole('button', { name: 'free', exact: true }).click();
  await expect(results).toContainText('it waits on a quick list');
  await expect(page.locator('.hg-status')).toContainText(/held\d/);
  await page.getByRole('button', { name: 'Empty the lists' }).click();
  await expect(results).toContainText('of waiting chunks went back to the heap');
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});
