// Pictures of every view (daily of one: the others are opened by the tests of their panels), written to build/pictures to be looked at. No pixel is compared:
// what a picture must hold (a drawn map, filled panels) is asserted on the page itself.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import {
  coloursOfMap,
  expect,
  kEveryLook,
  looksOf,
  openAt,
  openByHand,
  openExperiment,
  openMallocAt,
  openTab,
  runExperiment,
  selectCachedChunk,
  test,
} from './open.ts';

const kFolder = fileURLToPath(new URL('../../build/pictures/', import.meta.url));

/** What the picture shows, and how one gets there. */
const kViews: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async map(page) {
    await openAt(page, 'mixed_load', 120_000);
  },
  async chunk(page) {
    await openAt(page, 'backward_expansion', 600);
    await page.locator('.hg-map__surface').focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowRight');
    await expect(page.locator('.hg-inspector__address')).toContainText('0x');
  },
  async bin(page) {
    await openAt(page, 'mixed_load', 200_000);
    await page.locator('.hg-bins__row').nth(4).click();
    await expect(page.locator('.hg-bins__row[aria-pressed=true]')).toBeVisible();
  },
  async pool(page) {
    await openAt(page, 'adaptive_pool', 22_000);
    await expect(page.locator('.hg-pools__tile').first()).toBeVisible();
    await page.locator('.hg-pools__tile').first().click();
    await expect(page.locator('.hg-inspector__address')).toContainText('0x');
  },
  async operate(page) {
    await openByHand(page);
    await page.getByRole('button', { name: 'Allocate', exact: true }).click();
    await page.getByRole('button', { name: 'Take a burst' }).click();
    await expect(page.getByRole('list', { name: 'Results' })).toContainText('A burst of 100 blocks');
  },
  async words(page) {
    await openByHand(page);
    await openTab(page, 'Programs');
    await page.getByRole('button', { name: 'This documentation' }).click();
    await expect(page.locator('.hg-words__table tbody tr')).toHaveCount(12, { timeout: 45_000 });
    await page.getByLabel('find a word').fill('chunk');
    await expect(page.locator('.hg-words__contexts mark').first()).toHaveText(/chunk/i);
  },
  async heaps(page) {
    await openAt(page, 'memory_pools', 110_000);
    await openTab(page, 'Heaps');
    await expect(page.locator('.hg-heaps__row').nth(3)).toBeVisible();
  },
  async caches(page) {
    await openAt(page, 'thread_caches', 20_000);
    await openTab(page, 'Heaps');
    await expect(page.getByRole('gridcell', { name: /thread 3/ }).first()).toBeVisible();
  },
  async cache_lists(page) {
    await openMallocAt(page, 'A full cache');
    await openTab(page, 'Heaps');
    await expect(page.getByRole('gridcell', { name: /thread 3/ }).first()).toBeVisible();
  },
  async cached_chunk(page) {
    await openMallocAt(page, 'The same size');
    await selectCachedChunk(page);
  },
  async experiments(page) {
    await openAt(page, 'thread_caches', 20_000);
    await openTab(page, 'Experiments');
    await expect(page.locator('.hg-experiments__row')).toHaveCount(13);
  },
  async experiment(page) {
    await openExperiment(page, 'AE3');
    await runExperiment(page);
    const watch = page.getByRole('button', { name: 'Watch it in the map' });
    if (await page.getByText('Not in this build').isVisible()) return expect(watch).toBeHidden(); // without Boost
    await watch.click();
    await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified', { timeout: 45_000 });
    await expect(page.locator('.hg-chart__fill').first()).toBeVisible();
  },
  async scenarios(page) {
    await openAt(page, 'forward_expansion', 100);
    await page.locator('.hg-scenarios__open').click();
    await expect(page.locator('.hg-scenarios__row').first()).toBeVisible();
  },
};

const kDaily = ['map'];
for (const [nth, [view, open]] of Object.entries(kViews)
  .filter(([view]) => kEveryLook || kDaily.includes(view))
  .entries()) {
  // Daily each view in one look, by turns.
  for (const { scheme, size, viewport } of looksOf(nth)) {
    test(`${view}, ${scheme}, ${size}`, async ({ page }) => {
      mkdirSync(kFolder, { recursive: true });
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: scheme });
      await open(page);
      await expect.poll(() => coloursOfMap(page)).toBeGreaterThan(3);
      await page.screenshot({ path: `${kFolder}${view}-${scheme}-${size}.png` });
    });
  }
}
