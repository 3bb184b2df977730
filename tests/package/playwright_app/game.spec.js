import { expect, test } from 'heapglass/playwright';

async function open(page, heap, query) {
  await page.goto(`${process.env.ADDRESS}/index.html${query}`);
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
}

async function play(page, heap, query) {
  await open(page, heap, query);
  await page.locator('#play').click();
  await expect(page.locator('output')).toHaveText(/^settings at \d+, a level was played$/);
  await heap.mark('closed');
}

test('holds', async ({ page, heap }) => {
  await play(page, heap, '');
  await expect(heap).toHaveNoLeaks({ between: ['open', 'closed'] });
  await expect(heap).toStayBelow('12 KiB');
  await expect(heap).toGrowAtMost(0);
  await expect(heap).toHold('allocations=101 leaks=1');
  await expect(heap).not.toHaveNoLeaks(); // the settings
});

test('leaks between two marks', async ({ page, heap }) => {
  await play(page, heap, '?leaky');
  await expect(heap).toHaveNoLeaks({ between: ['open', 'closed'] });
});

test('too much', async ({ page, heap }) => {
  await play(page, heap, '');
  await expect(heap).toStayBelow('10 KiB');
});

test('no module', async ({ page, heap }) => {
  await page.goto('data:text/html,<title>empty</title>');
  await expect(heap).toStayBelow('10 KiB');
});

test('a mark that was not set', async ({ page, heap }) => {
  await play(page, heap, '');
  await expect(heap).toHaveNoLeaks({ between: ['open', 'opened'] });
});

test('a size that is none', async ({ page, heap }) => {
  await page.goto('about:blank');
  await expect(heap).toStayBelow('much');
});

test('a page that the test has closed', async ({ page, heap }) => {
  await play(page, heap, '?leaky');
  await page.close();
  await expect(heap).toHold('allocations=101');
  await expect(heap).not.toHaveNoLeaks({ between: ['open', 'closed'] });
});

test('a page that hangs when the test closes it', async ({ page, heap }) => {
  await open(page, heap, '?hangs');
  void page
    .locator('#play')
    .click()
    .catch(() => {}); // nobody answers any more
  await new Promise((resolve) => setTimeout(resolve, 500));
  await page.close();
  await expect(heap).toHold('allocations=101 leaks=1');
});

test('a closed context', async ({ page, heap }) => {
  await play(page, heap, '?leaky');
  await page.context().close();
  await expect(heap).toHold('allocations=101');
  await expect(heap).not.toHaveNoLeaks({ between: ['open', 'closed'] });
});

test('a page that crashes', async ({ page, heap }) => {
  await play(page, heap, '?leaky');
  await Promise.all([page.waitForEvent('crash'), page.goto('chrome://crash').catch(() => {})]);
  await expect(heap).toHold('allocations=101');
  await expect(heap).not.toHaveNoLeaks({ between: ['open', 'closed'] });
});

test('a context closed too early', async ({ page, heap }) => {
  await page.goto('about:blank');
  await page.context().close();
  await expect(heap).toStayBelow('10 KiB');
});
