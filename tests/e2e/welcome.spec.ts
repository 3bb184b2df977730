// The first ten seconds: what this is, a story that begins slowly with a block chosen, and doors to everything else.

import { expect, openAt, openByHand, shownEvent, test } from './open.ts';

test('a first visit says what this is, and leads: slowly, a block chosen, its chapter over the map', async ({
  page,
}) => {
  await page.goto('./');
  const line = page.getByRole('region', { name: 'What this is' });
  await expect(line).toContainText('the heap of a running program');
  await expect(page.locator('.hg-chapter')).toHaveText('Ordinary traffic');
  await expect(page.locator('.hg-inspector__address')).toContainText('0x0007_06');
  await expect(page.locator('.hg-explain')).toContainText(/asked/);
  await expect(page.getByLabel('Speed, steps per second')).toHaveValue(/^(10|30|100)$/);
  await expect(page).toHaveURL(/\/$/); // nobody chose anything yet

  await page.keyboard.press('Space'); // from here on the visitor leads
  await expect(page).toHaveURL(/event=\d+/);
  const stood = await shownEvent(page);
  await page.keyboard.press('.');
  await expect.poll(() => shownEvent(page)).toBe(stood + 1);
});

test('the doors lead where they say, and the line stays closed once it is closed', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: 'Your program' }).click();
  await expect(page.getByRole('dialog', { name: 'Your program' })).toContainText('await attach(Module)');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Another scenario' }).click();
  await expect(page.getByRole('dialog', { name: 'Scenario' })).toBeVisible();
  await page.keyboard.press('Escape');
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'A trace file' }).click();
  await chosen;
  await page.getByRole('button', { name: 'By hand' }).click();
  await expect(page.getByRole('button', { name: 'Allocate', exact: true })).toBeEnabled();
  const line = page.getByRole('region', { name: 'What this is' });
  await expect(line).toBeHidden();

  await page.goto('about:blank');
  await page.goto('./');
  await line.getByRole('button', { name: 'Close this line' }).click();
  await expect(line).toBeHidden();
  await page.goto('about:blank');
  await page.goto('./');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(0);
  await expect(line).toBeHidden();
});

test('who follows a link knows what to look at: no line, no leading', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 500);
  await expect(page.getByRole('region', { name: 'What this is' })).toBeHidden();
  await openByHand(page);
  await expect(page.getByRole('region', { name: 'What this is' })).toBeHidden();
});
