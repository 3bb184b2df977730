// malloc on the page: cache lists, cached chunks, and malloc by hand.

import type { Page } from '@playwright/test';
import {
  expect,
  inAll,
  onOwnPage,
  openAt,
  openByHand,
  openMallocAt,
  openTab,
  selectCachedChunk,
  shownEvent,
  test,
} from './one_page.ts';

const testAll = inAll(test);

const grid = (page: Page) => page.getByRole('grid', { name: 'Cache lists by size' });
const cells = (page: Page) => grid(page).getByRole('gridcell');
const said = (page: Page): Promise<string[]> =>
  cells(page).evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label') ?? ''));
const openHeaps = (page: Page) => openTab(page, 'Heaps');

test('the cache lists follow time, and their cells add up to what is cached', async ({ page }) => {
  await openMallocAt(page, 'The same size');
  await openHeaps(page);
  await expect(cells(page).first()).toBeVisible();
  const early = await said(page);
  const counts = early.map((text) => Number(/: ([\d,]+) chunk/.exec(text)?.[1]?.replace(/,/g, '')));
  const sum = counts.reduce((all, count) => all + count, 0);
  await expect(page.locator('.hg-caches--lists .hg-heading')).toContainText(`${sum} chunks`);
  await expect(page.locator('.hg-status')).toContainText('cached');
  await expect(page.locator('.hg-caches__flushed')).toHaveText(/Event [\d,]+: the cache was flushed on demand/);
  await page.evaluate(() => {
    location.hash = 'scenario=malloc&event=100&tab=heaps';
  });
  await expect.poll(() => shownEvent(page)).toBe(100);
  await expect(page.locator('.hg-caches--lists')).toContainText('Nothing is cached at this moment');
  await expect(page.locator('.hg-caches__flushed')).toContainText('not been flushed');
});

testAll('a flush inside an allocation and a batch between threads are told in words', async ({ page }) => {
  await openMallocAt(page, 'The threads flush');
  await openHeaps(page);
  await expect(page.locator('.hg-caches__flushed')).toHaveText(/Event [\d,]+: .* chunks?, .* went to the heap/);
  await expect(page.locator('.hg-caches--lists .hg-caches__moved')).toHaveText(
    /Event [\d,]+: [\d,]+ chunks? of .* went from (thread \d|the central list) to (thread \d|the central list)/,
  );
});

testAll('the cache lists are read cell by cell with the arrow keys', async ({ page }) => {
  await openMallocAt(page, 'A full cache');
  await openHeaps(page);
  await cells(page).first().focus();
  const sentence = page.locator('.hg-caches--lists .hg-caches__said');
  await expect(sentence).toContainText('central list');
  await page.keyboard.press('ArrowRight');
  await expect(sentence).toContainText('thread 1');
  await page.keyboard.press('ArrowDown');
  await expect(sentence).toContainText(/^(?!32)\d.*thread 1: [\d,]+ chunks?/);
});

test('a cached chunk says on which list it is, and the map has a colour and a word for it', async ({ page }) => {
  await openMallocAt(page, 'The same size');
  await selectCachedChunk(page);
  await expect(page.locator('.hg-inspector__state')).toContainText(/cached · on list \d+ \(chunks of .*\) of thread 1/);
  await expect(page.locator('.hg-inspector__life')).toContainText('on cache list');
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('cached');
  await page.getByRole('button', { name: /table/i }).click();
  await expect(page.getByRole('region', { name: 'Table of chunks' })).toContainText('cached');
  const cached = page.getByRole('list', { name: 'Legend' }).getByText('cached', { exact: true });
  await expect(cached).toHaveAttribute('title', /free blocks of slabs; also what slabs have for themselves/);
});

test('without malloc nothing is said about its cache', async ({ page }) => {
  await openAt(page, 'thread_caches', 20_000);
  await openHeaps(page);
  await expect(grid(page)).toBeHidden();
  await expect(page.locator('.hg-status')).not.toContainText('cached');
});

onOwnPage('by hand: what malloc gave is cached after free, and a flush gives it back', async ({ page }) => {
  await openByHand(page);
  await openTab(page, 'Operate');
  const results = page.getByRole('list', { name: 'Results' });
  await page.getByRole('button', { name: 'malloc', exact: true }).click();
  await expect(results).toContainText('malloc gave 10 blocks');
  await page.getByRole('button', { name: 'free', exact: true }).click();
  await expect(results).toContainText('it is cached');
  await expect(page.locator('.hg-status')).toContainText(/cached\d/);
  await page.getByRole('button', { name: 'Flush the cache' }).click();
  await expect(results).toContainText('of cached chunks went back to the heap');
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});
