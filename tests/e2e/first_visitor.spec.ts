// What someone who knows wasm and has never seen the page tries, and reads.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../cli/command_line.ts';
import { someOf } from '../every.ts';
import { bumpAllocator } from '../package/bump_allocator.ts';
import { expect, headOf, inAll, onOwnPage, settled, test } from './one_page.ts';

const ownPageAll = inAll(onOwnPage);

async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    ([file, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(content)], file));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector('.hg-page')
          ?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, [...bytes]] as const,
  );
}

onOwnPage('a dropped module or picture is said to be one, and is not read as text', async ({ page }) => {
  await page.goto('./#scenario=burst_list&event=100'); // at rest: one that plays settles at its end
  await expect.poll(() => headOf(page)).toBeGreaterThan(0);
  await settled(page);
  await drop(page, 'app.wasm', bumpAllocator('malloc', 'free'));
  await expect(page.getByRole('alert')).toContainText(
    'it is a wasm module; heapglass instrument makes one that records',
  );
  await drop(page, 'shot.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13));
  await expect(page.getByRole('alert').last()).toContainText('it is a PNG picture');
  await drop(page, 'notes', new TextEncoder().encode('one two two three three three'));
  await expect(page.getByRole('button', { name: /^text notes/ })).toBeVisible();
});

ownPageAll('of a trace that cannot be read nothing is said to be well', async ({ page }) => {
  await page.goto('./#scenario=burst_list&event=100');
  await expect.poll(() => headOf(page)).toBeGreaterThan(0);
  await settled(page);
  const whole = readFileSync(join(root, 'web/public/traces/words.hgtrace'));
  await drop(page, 'cut.hgtrace', whole.subarray(0, whole.length / 2));
  await expect(page.getByRole('alert')).toContainText('at byte 64; no event can be read');
  await expect(page.locator('.hg-badge')).toContainText('damaged: no event can be read');
  await settled(page);
  await expect(page.locator('.hg-answer')).toBeHidden(); // nothing is asked of nothing
  await expect(page.locator('.hg-ask__number')).toHaveText(['–', '–', '–', '–', '–']);
});

onOwnPage(
  'a trace of the visitor comes to rest with what leaked in it, function and line first; whoever closes that has closed it',
  async ({ page }) => {
    await page.goto('./#scenario=burst_list&event=100');
    await expect.poll(() => headOf(page)).toBeGreaterThan(0);
    await settled(page);
    await drop(page, 'mine.hgtrace', readFileSync(join(root, 'web/public/traces/words.hgtrace')));
    await expect(page.getByRole('button', { name: /^trace mine/ })).toBeVisible();
    await page.keyboard.press('End'); // not to watch it
    const sentence = page.locator('.hg-answer__sentence');
    await expect(sentence).toContainText(/^remember_note \(words\.cpp:30\) keeps growing: 78 blocks/);
    await page.getByRole('button', { name: 'Close the answer' }).click();
    await expect(sentence).toBeHidden();
    await page.keyboard.press(',');
    await settled(page);
    await expect(sentence).toBeHidden();
  },
);

ownPageAll(
  'what is held is the most that can have leaked, and what was asked for is not the growth',
  async ({ page }) => {
    await page.goto('./');
    await settled(page);
    const questions = page.getByRole('group', { name: 'Questions' });
    await expect(questions.getByRole('button', { name: /^What leaked\?/ })).toHaveText(/≤ [\d,]+ blocks$/);
    await expect(questions.getByRole('button', { name: /^Why did it grow\?/ })).toHaveText(/ (for|to) \d/);
  },
);

ownPageAll("on a phone the first screen has all of the map's buttons", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('./');
  await settled(page);
  const covered = await page.evaluate(() => {
    const bottom = document.querySelector('.hg-bottom')?.getBoundingClientRect().top ?? 0;
    const buttons = [...document.querySelectorAll('.hg-map__bar button')].filter((one) => one.checkVisibility());
    return {
      count: buttons.length,
      below: buttons.filter((one) => one.getBoundingClientRect().bottom > bottom).length,
    };
  });
  expect(covered.count).toBeGreaterThan(2);
  expect(covered.below).toBe(0);
  // A door that leads below the screen brings there.
  await page.getByRole('button', { name: /^Learn: \d+ scenes/ }).click();
  await expect(page.getByRole('heading', { name: 'Scenes' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: /^1 *What a heap is/ })).toBeInViewport({ ratio: 1 });
});

test('the legend lists what the trace has, and a question that no call stack answers has no share on it', async ({
  page,
}) => {
  const listed = (name: string) => page.getByRole('list', { name: 'Legend' }).getByText(name, { exact: true });
  await page.goto('./#scenario=malloc&event=45000');
  await settled(page);
  await expect(listed('cached')).toBeVisible();
  await expect(listed('pool block')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Who holds it?' })).toHaveText(/by size$/);
  await page.goto('./#scenario=adaptive_pool&event=100'); // before its first pool
  await settled(page);
  await expect(listed('pool block')).toBeVisible();
  await expect(listed('node in use')).toBeVisible();
  await expect(listed('cached')).toBeHidden();
});

onOwnPage(
  'zoomed to 200 % the first screen has the map, a third of its height, the event, whole numbers, and a legend that opens',
  async ({ page }) => {
    for (const [width, height, share] of someOf(
      [
        [720, 450, 1 / 3], // 1440×900
        [320, 480, 1 / 5], // a small phone
        [960, 540, 1 / 3], // 1920×1080
        [853, 480, 1 / 3], // 1280×720 at 150 %
        [512, 384, 1 / 5], // 1024×768
      ] as const,
      2,
    )) {
      await page.setViewportSize({ width, height });
      await page.goto('./');
      await settled(page);
      const seen = await page.evaluate(() => {
        const box = (part: string) => document.querySelector(part)?.getBoundingClientRect();
        const [map, bottom] = [box('.hg-map-area__map'), box('.hg-bottom')];
        const until = Math.min(map?.bottom ?? 0, bottom?.top ?? 0, innerHeight);
        const cut = [...document.querySelectorAll('.hg-ask__question > span')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        );
        const event = box('.hg-transport__event');
        return {
          map: until - (map?.top ?? 0),
          cut: cut.map(({ textContent }) => textContent),
          event: event?.right ?? Number.POSITIVE_INFINITY,
        };
      });
      expect(seen.map, `${width}×${height}`).toBeGreaterThanOrEqual(height * share);
      expect(seen.event, `${width}×${height}`).toBeLessThanOrEqual(width);
      expect(seen.cut, `${width}×${height}`).toEqual([]);
    }
    await expect(page.getByRole('list', { name: 'Legend' })).toBeHidden();
    await page.getByRole('button', { name: 'Legend' }).click();
    await expect(page.getByRole('list', { name: 'Legend' })).toBeVisible();
  },
);

ownPageAll(
  'who reads a panel below the map, makes something or learns has gone through a door: the first line takes none of its room',
  async ({ page }) => {
    await page.goto('./');
    await settled(page);
    const line = page.getByRole('region', { name: 'What this is' });
    for (const [place, tab] of [
      ['Look', 'Sites'],
      ['Make', 'Operate'],
      ['Learn', 'Scenes'],
    ] as const) {
      await page.getByRole('group', { name: 'Places' }).getByRole('button', { name: place }).click();
      if (place === 'Look') await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true'); // Learn begins with the scenes
      await expect(line).toBeHidden();
    }
    await page.getByRole('group', { name: 'Places' }).getByRole('button', { name: 'Look' }).click();
    await page.getByRole('tab', { name: 'Lists' }).click();
    await expect(line).toBeVisible();
  },
);
