import { expect, test } from 'heapglass/playwright';

for (const [title, file] of [
  ['short names', 'short.html'],
  ['short names, compiled at once', 'short_at_once.html'],
])
  test(title, async ({ page, heap }) => {
    await page.goto(`${process.env.ADDRESS}/${file}`);
    await expect(page.locator('output')).toHaveText('played', { timeout: 60_000 });
    await expect(heap).toHold('allocations=30 leaks=3');
  });
