// The map by hand: a finger that rests opens what the mouse opens by hovering, two fingers zoom.

import type { CDPSession, Page } from '@playwright/test';
import { expect, inAll, shownEvent, test } from './open.ts';

const testAll = inAll(test);

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

interface Finger {
  readonly x: number;
  readonly y: number;
}

const touch = (hand: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: readonly Finger[]) =>
  hand.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map((finger, id) => ({ ...finger, id })) });

async function mapOf(page: Page) {
  const hand = await page.context().newCDPSession(page);
  const box = await page.locator('.hg-map__surface').boundingBox();
  if (box === null) throw new Error('there is no map');
  return { hand, at: (x: number, y: number): Finger => ({ x: box.x + x * box.width, y: box.y + y * box.height }) };
}

testAll(
  'a long press opens the words of the chunk, they stay until the next touch, and nothing is selected',
  async ({ page }) => {
    await page.goto('/#scenario=mixed_load&event=120000');
    await expect.poll(() => shownEvent(page)).toBe(120_000);
    const { hand, at } = await mapOf(page);
    const tip = page.locator('.hg-map__tip');
    await touch(hand, 'touchStart', at(0.5, 0.3));
    await expect(tip).toBeVisible();
    await expect(tip).toContainText(/0x[0-9a-f]{4}_[0-9a-f]{4}/);
    await touch(hand, 'touchEnd');
    await expect(tip).toBeVisible();
    expect(page.url()).not.toContain('select=');
    const [words, finger] = [await tip.boundingBox(), at(0.5, 0.3)];
    const under =
      words !== null &&
      finger.x >= words.x &&
      finger.x <= words.x + words.width &&
      finger.y >= words.y &&
      finger.y <= words.y + words.height;
    expect(under).toBe(false);

    await page.touchscreen.tap(finger.x, finger.y); // a tap selects, as before
    await expect(tip).toBeHidden();
    await expect.poll(() => page.url()).toContain('select=');
  },
);

test('a finger that moves pans and opens no words; two fingers zoom', async ({ page }) => {
  await page.goto('/#scenario=mixed_load&event=120000&at=0x100000&row=16384');
  await expect.poll(() => shownEvent(page)).toBe(120_000);
  const { hand, at } = await mapOf(page);
  await touch(hand, 'touchStart', at(0.5, 0.7));
  for (const y of [0.65, 0.55, 0.45]) await touch(hand, 'touchMove', at(0.5, y));
  await touch(hand, 'touchEnd');
  await expect.poll(() => page.url()).not.toContain('at=0x100000&');
  await expect(page.locator('.hg-map__tip')).toBeHidden();

  await expect(page.locator('.hg-map__row-bytes')).toHaveText('16 KiB a row');
  await touch(hand, 'touchStart', at(0.45, 0.5), at(0.55, 0.5));
  for (const by of [0.1, 0.2, 0.3, 0.4]) await touch(hand, 'touchMove', at(0.5 - by, 0.5), at(0.5 + by, 0.5));
  await touch(hand, 'touchEnd');
  await expect(page.locator('.hg-map__row-bytes')).toHaveText(/^(2|4)\sKiB a row$/);
  await expect(page.locator('.hg-map__tip')).toBeHidden();
});
