import { expect, test } from 'heapglass/playwright';

test('short names', async ({ page, heap }) => {
  await page.goto(`${process.env.ADDRESS}/short.html`);
  await expect(page.locator('output')).toHaveText('played', { timeout: 60_000 });
  await expect(heap).toHold('allocations=30 leaks=3');
});
