import { expect, test } from 'heapglass/playwright';

async function play(page, heap, address) {
  await page.route('**/*.map', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300)); // a server that takes its time
    await route.continue();
  });
  await page.goto(`${process.env.ADDRESS}/${address}`);
  await expect(page.locator('#play')).toBeVisible();
  await expect
    .poll(
      () =>
        heap.mark('open').then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 }, // the module is instrumented on its way
    )
    .toBe(true);
  await page.locator('#play').click();
  await expect(page.locator('output')).toHaveText(/a level was played$/);
  await heap.mark('closed');
}

test('handles are deleted', async ({ page, heap }) => {
  await play(page, heap, 'handles.html');
  await expect(heap).toHaveNoHandles();
  await expect(heap).toHaveNoHandles({ between: ['open', 'closed'] });
});

test('handles stay', async ({ page, heap }) => {
  await play(page, heap, 'handles.html?leaky');
  await expect(heap).toHaveNoHandles({ between: ['open', 'closed'] });
});

test('handles stay in a worker', async ({ page, heap }) => {
  await play(page, heap, 'handles_worker.html?leaky');
  await expect(heap).toHaveNoHandles({ between: ['open', 'closed'] });
});

test('no handles', async ({ page, heap }) => {
  await play(page, heap, 'index.html');
  await expect(heap).toHaveNoHandles();
});
