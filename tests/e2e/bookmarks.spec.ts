// Bookmarks, undo of a move, and run until: the ways back to a moment and on to the next one that matters.

import { expect, inAll, openAt, settled, shownEvent, test } from './one_page.ts';

const testAll = inAll(test);

test('bookmarks stand on the time line and in the link, and the brackets go from one to the next', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  await page.keyboard.press('b');
  await expect(page.getByRole('button', { name: 'Bookmark this event' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('.');
  await page.getByRole('button', { name: 'Bookmark this event' }).click();
  await expect(page).toHaveURL(/bookmarks=60,61/);
  await page.keyboard.press('[');
  await expect.poll(() => shownEvent(page)).toBe(60);
  await expect(page.locator('.hg-timeline__bookmarks g')).toHaveCount(2);
  // A chapter begins behind the last bookmark: it is the next place.
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(61);

  // The link names the event in the end: keys count from where the page stands, so the test waits for it.
  await settled(page);
  const at = await shownEvent(page);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await expect.poll(() => shownEvent(page)).toBe(at);
  await expect(page.locator('.hg-timeline__bookmarks g')).toHaveCount(2);
  await page.keyboard.press('[');
  await expect.poll(() => shownEvent(page)).toBe(61);
  await page.keyboard.press('b');
  await expect(page.locator('.hg-timeline__bookmarks g')).toHaveCount(1);
});

test('u undoes a move on the map, and with Shift it is made again', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  const row = page.locator('.hg-map__row-bytes');
  const before = await row.innerText();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(row).not.toHaveText(before);
  await expect(page).toHaveURL(/row=/);
  const after = await row.innerText();
  await page.keyboard.press('u');
  await expect(row).toHaveText(before);
  await page.keyboard.press('U');
  await expect(row).toHaveText(after);
});

testAll('run until: the heap grows, the selection is touched', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  await page.keyboard.press('g');
  await page.getByRole('button', { name: 'the heap grows' }).click();
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(60);
  await expect(page.locator('.hg-ask__said')).toContainText('makes the heap grow');
  await page.getByRole('button', { name: 'the selection is touched' }).click();
  await expect(page.locator('.hg-ask__said')).toContainText('Select a block first');
  await page.keyboard.press('Escape');
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/select=/);
  const from = await shownEvent(page);
  await page.keyboard.press('g');
  await page.getByRole('button', { name: 'the selection is touched' }).click();
  await expect(page.locator('.hg-ask__said')).toContainText(/touches 0x|Nothing behind/);
  expect(await shownEvent(page)).toBeGreaterThanOrEqual(from);
});
