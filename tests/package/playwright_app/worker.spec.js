import { expect, test } from 'heapglass/playwright';

for (const kind of ['classic', 'module'])
  test(`in a ${kind} worker`, async ({ page, heap }) => {
    await page.goto(`${process.env.ADDRESS}/workers.html?${kind}`);
    await expect(page).toHaveTitle('begun');
    await heap.mark('open');
    await page.evaluate(() => globalThis.play());
    await expect(page).toHaveTitle('played');
    await heap.mark('closed');
    await expect(heap).toHold('allocations=31 leaks=8');
    await expect(heap).not.toHaveNoLeaks({ between: ['open', 'closed'] });
    expect(heap.problems()).toEqual([]);
  });

test('in a worker that has ended', async ({ page, heap }) => {
  await page.goto(`${process.env.ADDRESS}/workers.html?classic`);
  await expect(page).toHaveTitle('begun');
  await heap.mark('begun');
  await page.evaluate(() => globalThis.worker.terminate());
  for (let nth = 0; nth < 40; ++nth) await heap.mark(`ended ${nth}`); // a second for each would take longer than a test may
  await expect(heap).toHold('allocations=1 leaks=1');
});
