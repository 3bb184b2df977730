// docs/features.md: each link opens, and what its row names is on the screen. Links to other documents must lead to one.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { axeOn } from '../axe.ts';
import { kEvery } from '../every.ts';
import { coloursOfMap, expect, settled, shownEvent, test } from './one_page.ts';

const kRoot = fileURLToPath(new URL('../../', import.meta.url));
const kServed = 'http://127.0.0.1:4173/';

interface Row {
  readonly number: number;
  readonly feature: string;
  readonly whole: boolean;
  readonly link: string;
}

const rows: readonly Row[] = readFileSync(`${kRoot}docs/features.md`, 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => /^\d+$/.test(cells[1] ?? ''))
  .map((cells) => ({
    number: Number(cells[1]),
    feature: cells[2] ?? '',
    whole: cells[5] === 'whole',
    link: /\]\(([^)]+)\)/.exec(cells[6] ?? '')?.[1] ?? '',
  }));

const region = (page: Page, name: string) => page.getByRole('region', { name });

/** What must be on the screen, by the row's number; the rest links to a document. */
const kShown: Readonly<Record<number, (page: Page) => Promise<void>>> = {
  1: (page) => expect(page.locator('.hg-map__row-bytes')).toHaveText('4 KiB a row'),
  2: (page) => expect(page.locator('.hg-inspector__word')).toContainText(/size 0x.*P \d.*C \d/),
  3: async (page) => {
    await expect(page.locator('.hg-bins__row[aria-pressed=true]')).toBeVisible();
    expect(await coloursOfMap(page)).toBeGreaterThan(3);
  },
  4: (page) => expect(page.locator('.hg-pools__tile').first()).toBeVisible(),
  5: (page) => expect.poll(() => shownEvent(page)).toBe(200_000),
  6: async (page) => {
    await expect.poll(() => shownEvent(page)).toBeGreaterThan(20);
    await page.getByRole('button', { name: /^Pause/ }).click();
    await settled(page);
    const paused = await shownEvent(page);
    await page.getByRole('button', { name: /^One step on/ }).click();
    await expect.poll(() => shownEvent(page)).toBe(paused + 1);
  },
  7: (page) => expect(page.getByRole('button', { name: 'Allocate', exact: true })).toBeEnabled(),
  8: (page) => expect(page.getByRole('dialog', { name: 'Share and save' })).toContainText('Page and trace as HTML'),
  9: (page) =>
    expect(page.getByRole('group', { name: 'Call sites, widths by bytes' }).getByRole('button').nth(3)).toBeVisible(),
  10: (page) => expect(region(page, 'Compare')).toContainText(/New since[1-9]/),
  11: async (page) => {
    await expect(page.locator('.hg-status')).toContainText(/largest free.*fragmentation\s*\d+(\.\d)?\s%/);
    await expect(page.getByRole('table', { name: 'What freeing blocks would join' }).getByRole('row')).toHaveCount(4);
  },
  12: (page) => expect(page.getByRole('table', { name: 'In use, by size' }).getByRole('row').nth(5)).toBeVisible(),
  13: (page) => expect(page.locator('.hg-lives__said')).toContainText(/blocks, of which [\d,]+ were freed/),
  14: async (page) => {
    const panel = region(page, 'Sites');
    await panel.getByRole('button', { name: 'Temporaries' }).click();
    const blocks = async () =>
      Number(/^[\d,]+/.exec(await panel.getByRole('status').first().innerText())?.[0].replace(/,/g, ''));
    await expect(panel.getByRole('table', { name: 'Call sites' })).toBeVisible();
    await expect(panel.getByRole('table', { name: 'By size' })).toBeVisible();
    const atOnce = await blocks();
    await panel.getByRole('button', { name: '256', exact: true }).click();
    await expect.poll(blocks).toBeGreaterThan(atOnce);
  },
  15: (page) => expect(page.locator('.hg-experiments__title')).toContainText('AE3'),
  16: (page) => expect(page.getByRole('combobox', { name: /^Ask/ })).toBeFocused(),
  17: (page) => expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('lifetimes over address and time'),
  18: (page) => expect(region(page, 'Table of chunks').getByRole('row').nth(3)).toBeVisible(),
  19: (page) => expect(page.locator('.hg-timeline__bookmarks g')).toHaveCount(2),
  20: (page) => expect.poll(() => shownEvent(page)).toBe(267_000),
  21: (page) => expect(page.getByRole('list', { name: 'Colours' })).toContainText(/thread 1.*thread 2/),
  22: (page) => expect(page.getByRole('group', { name: 'Run until' })).toContainText('the heap grows'),
  23: async (page) => {
    const strip = page.getByRole('scrollbar', { name: 'Memory: where the map is' });
    await expect(strip).toHaveAttribute('aria-valuetext', /^0x0010_0000 to /);
  },
  24: (page) => expect(page.getByRole('button', { name: /^Theme/ })).toBeVisible(),
  27: (page) => expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified'),
  28: async (page) => {
    await expect(page.locator('.hg-timeline__marks')).toContainText(/read a text.*read on/);
    await expect(page.locator('.hg-timeline__bookmarks g')).toHaveCount(1);
  },
  29: (page) => expect(page.locator('.hg-explain')).toContainText(/were requested/),
  30: (page) => expect(page.locator('.hg-badge')).toContainText(/model = heap, verified at/),
  31: (page) => expect(page.locator('.hg-answer__sentence')).toContainText(/asked for .* were free/),
  32: (page) => expect(page.locator('.hg-scene__title')).toHaveText('Enough is free'),
  33: (page) =>
    expect(page.getByRole('table', { name: 'Handles nobody has deleted' }).getByRole('row').nth(3)).toBeVisible(),
};

test('the table has thirty-three rows, and says rightly how many are whole', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 33 }, (_, nth) => nth + 1));
  const whole = rows.filter((row) => row.whole).length;
  expect(whole).toBeGreaterThanOrEqual(28);
  expect(readFileSync(`${kRoot}docs/features.md`, 'utf8')).toContain(`${whole} are whole`);
  for (const { link, feature } of rows.filter((row) => !row.link.startsWith(kServed)))
    expect(existsSync(`${kRoot}docs/${link}`), feature).toBe(true);
});

/** npm run check:page opens all of them. */
const kDaily = new Set(kEvery ? [2, 9, 14, 18, 23, 28, 32] : [2, 14, 18]);
const opened = process.env['HG_PAGE'] === 'all' ? rows : rows.filter(({ number }) => kDaily.has(number));

const kThemes = {
  light: { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  dark: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
  'more contrast': { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'active' },
} as const;

/** What axe finds, targets of less than 24 pixels too, in each of the four themes. */
async function faultsInThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, media] of Object.entries(kThemes)) {
    await page.emulateMedia(media);
    // The page answers a change of media with a picture of its own.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await settled(page);
    const axe = axeOn(page).options({ rules: { 'target-size': { enabled: true } } });
    for (const { id, nodes } of (await axe.analyze()).violations)
      found.push(`${name}: ${id} ${nodes.map(({ html }) => html).join(' ')}`);
  }
  await page.emulateMedia(kThemes.light);
  return found;
}

test('each link opens the page with what its row names', async ({ page }) => {
  test.setTimeout(1_800_000); // up to thirty moments, each in four themes; on a busy machine each takes some seconds
  await page.goto('./#scenario=forward_expansion&event=60');
  for (const { number, feature, link } of opened) {
    if (!link.startsWith(kServed)) continue;
    const address = link.slice(kServed.length);
    await test.step(`${number}: ${feature}`, async () => {
      // What the row before opened is closed, as a visitor would.
      await page.evaluate(() => {
        for (const open of document.querySelectorAll<HTMLElement>(':popover-open')) open.hidePopover();
        for (const open of document.querySelectorAll('dialog')) open.close();
      });
      if (address.startsWith('#')) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, address);
      } else await page.goto(`./${address}`);
      const check = kShown[number];
      expect(check, `row ${number} is not checked`).toBeDefined();
      await check?.(page);
      if (process.env['HG_PAGE'] === 'all') expect.soft(await faultsInThemes(page), feature).toEqual([]);
    });
  }
});
