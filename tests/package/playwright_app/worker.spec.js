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

test('in a shared worker', async ({ page, heap }) => {
  await page.goto(`${process.env.ADDRESS}/workers.html?classic`);
  await expect(page).toHaveTitle('begun');
  const hasWorked = () =>
    new Promise((resolve) => {
      new SharedWorker('./sharing.js?v=1').port.onmessage = ({ data }) => resolve(data);
    });
  expect(await page.evaluate(hasWorked)).toBe(true);
  await heap.mark('worked');
  expect(heap.problems()).toEqual([
    'sharing.js is a shared worker, which other pages may use, too: it is not recorded.',
  ]);
});

const kStrict = "script-src 'nonce-abc' 'wasm-unsafe-eval'";
/** Each lets the page's own worker run, which has no policy, and keeps out one that has the page's. */
const kPolicies = {
  'workers of its own server': { header: "worker-src 'self'" },
  'the same in its text': { meta: "worker-src 'self'" },
  'no module compiled': { header: "script-src 'self'; worker-src 'self' blob:" },
  'no script imported': { header: `${kStrict}; worker-src 'self' blob:` },
};
for (const [name, { header, meta }] of Object.entries(kPolicies))
  test(`a policy: ${name}`, async ({ page, heap }) => {
    const policy = meta === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${meta}" />`;
    const start =
      "setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src: 'workers.js', nonce: 'abc' })), 500)";
    await page.route('**/strict.html*', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: header === undefined ? {} : { 'content-security-policy': header },
        body: `<!doctype html><title>strict</title>${policy}<script nonce="abc" type="module" src="./late.js"></script>`,
      }),
    );
    await page.route('**/late.js', (route) => route.fulfill({ contentType: 'text/javascript', body: start }));
    await page.goto(`${process.env.ADDRESS}/strict.html?classic`);
    await expect(page).toHaveTitle('begun');
    await page.evaluate(() => globalThis.play());
    await expect(page).toHaveTitle('played');
    await heap.traces().catch(() => {}); // nothing is recorded
    expect(heap.problems().join()).toMatch(/working\.js is a worker that the page's policy lets nobody change/);
  });
