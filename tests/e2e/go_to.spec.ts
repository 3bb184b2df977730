// Go to and run until: g, then an event, an address, a size, a condition or a text.

import { expect, openAt, shownEvent, test } from './open.ts';

test('g goes to an event, an address, a growth, a size and a text, on and back', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  await page.keyboard.press('g');
  const field = page.getByRole('searchbox');
  const said = page.locator('.hg-go-to__said');
  await field.fill('300');
  await expect(said).toHaveText('Enter: to event 300');
  await field.press('Enter');
  await expect.poll(() => shownEvent(page)).toBe(300);

  await field.fill('grows');
  await field.press('Enter');
  await expect(said).toContainText('what makes the heap grow');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(300);
  const first = await shownEvent(page);
  await field.press('Enter');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(first);
  await field.press('Shift+Enter');
  await expect.poll(() => shownEvent(page)).toBe(first);
  await expect(page.locator('.hg-explain')).toContainText(/segment/);

  await field.fill('0x70634');
  await field.press('Enter');
  await expect(page.locator('.hg-inspector__address')).toContainText('0x0007_06');

  await field.fill('nothing says this');
  await field.press('Enter');
  await expect(said).toContainText('Nothing behind this event');
  await field.press('Escape');
  await expect(field).toBeHidden();
});
