import { expect, test } from 'heapglass/playwright';

const kCounted = /^\{"allocations":/;

/** The page's title is what the program counted of its own calls; its trace is for whoever looks at the results. */
async function counted(page, heap, address) {
  await page.goto(`${process.env.ISOLATED}/${address}`);
  await expect(page).toHaveTitle(kCounted, { timeout: 60_000 });
  const traces = await heap.traces();
  for (const [nth, { path }] of traces.entries()) await test.info().attach(`trace ${nth}`, { path });
  await test.info().attach('counted', { body: await page.title() });
  expect(heap.problems()).toEqual([]);
}

test('threads of a module in the page', async ({ page, heap }) => {
  await counted(page, heap, 'crowd.html');
});

test('threads of a module in a worker', async ({ page, heap }) => {
  await counted(page, heap, 'crowd_worker.html');
});

for (const address of ['crowd.html', 'crowd_worker.html'])
  test(`threads that cannot be recorded, ${address}`, async ({ page, heap }) => {
    await page.route(`**/${address}`, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'content-security-policy': "worker-src 'self'" };
      await route.fulfill({ response, headers });
    });
    await page.goto(`${process.env.ISOLATED}/${address}`);
    await expect(page).toHaveTitle(kCounted, { timeout: 60_000 });
    await heap.traces().catch(() => {}); // nothing is recorded
    expect(heap.problems().join()).toMatch(/has threads|is a worker that the page's policy lets nobody change/);
  });
