import { someOf } from '../every.ts';
import {
  coloursOfMap,
  expect,
  headOf,
  inAll,
  onOwnPage,
  openAt,
  settled,
  shownEvent,
  test,
  withoutIsolation,
} from './one_page.ts';
import { missing } from './open_program.ts';

const [testAll, ownPageAll] = [inAll(test), inAll(onOwnPage)];

onOwnPage(
  'the first load shows a heap at work: the map is full, the moment stands, the badge turns green',
  async ({ page }) => {
    await page.goto('./');
    await expect.poll(() => coloursOfMap(page)).toBeGreaterThan(3);
    await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified', { timeout: 45_000 });
    await expect(page.locator('.hg-badge')).toContainText(/model = heap, verified at [\d,]+/);
    await settled(page);
    const stood = await shownEvent(page);
    expect(stood).toBeGreaterThan(missing['sqlite'] === null ? 10_000 : 5000);
    expect(stood).toBeLessThan(await headOf(page)); // there is a before and an after
  },
);

onOwnPage('without cross-origin isolation everything works', async ({ page }) => {
  await withoutIsolation(page);
  await page.goto('./');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(0);
});

ownPageAll('nothing moves while the numbers change', async ({ page }) => {
  // There are pools and their pictures: where the first one comes what is below it moves, and more so where pictures are few.
  await openAt(page, 'adaptive_pool', 3000);
  await page.getByRole('button', { name: 'Play' }).click();
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0;
        }).observe({ type: 'layout-shift', buffered: false });
        setTimeout(() => resolve(sum), 3000); // a stretch of playing, not a wait for something
      }),
  );
  expect(shift).toBeLessThan(0.01);
});

test('a moment is an address: opened again it shows the same', async ({ page }) => {
  await openAt(page, 'burst_list', 1500);
  const numbers = page.locator('.hg-status__numbers');
  const before = await numbers.innerText();
  await page.goto('about:blank');
  await openAt(page, 'burst_list', 1500);
  expect(await numbers.innerText()).toBe(before);
  await openAt(page, 'burst_list', 2500);
  expect(await numbers.innerText()).not.toBe(before);
});

test('another seed is another story, the same seed the same one', async ({ page }) => {
  const numbersAt = async (seed: number): Promise<string> => {
    await page.goto(`./#scenario=burst_list&seed=${seed}&event=3000`);
    await settled(page);
    expect(await shownEvent(page)).toBe(3000);
    return page.locator('.hg-status__numbers').innerText();
  };
  const seven = await numbersAt(7);
  expect(await numbersAt(8)).not.toBe(seven);
  expect(await numbersAt(7)).toBe(seven);
});

testAll('a scenario is chosen in the top bar', async ({ page }) => {
  await openAt(page, 'burst_list', 100);
  await page.locator('.hg-scenarios__open').click();
  await page.getByRole('button', { name: /^Grow forward/ }).click();
  await expect(page).toHaveTitle(/Grow forward/);
  await expect.poll(() => headOf(page)).toBeGreaterThan(100);
  await expect(page).toHaveURL(/scenario=forward_expansion/);
});

testAll('choosing a bin draws its chain over the map', async ({ page }) => {
  await openAt(page, 'mixed_load', 20_000);
  const row = page.locator('.hg-bins__row').first();
  await row.click();
  await expect(row).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/bin=\d+/);
  await row.click();
  await expect(row).toHaveAttribute('aria-pressed', 'false');
});

onOwnPage(
  'an engine that cannot be loaded is told in words, and starting again is offered',
  async ({ page, errors }) => {
    let broken = true;
    await page.route(/worker.*\.(js|ts)/, (route) => (broken ? route.abort() : route.continue()));
    await page.goto('./');
    const notice = page.getByRole('alert');
    await expect(notice).toContainText('the engine stopped');
    broken = false;
    await notice.getByRole('button', { name: 'Start again' }).click();
    await expect.poll(() => shownEvent(page)).toBeGreaterThan(0);
    await expect(notice).toBeHidden();
    // The one that was meant to be there: the browser's own line about the request that was cut off.
    expect(errors.filter((line) => !line.includes('net::ERR_FAILED'))).toEqual([]);
    (errors as string[]).length = 0;
  },
);

const kHeldTrace = {
  'that its address names': './?src=traces/words.hgtrace#event=20000',
  'of a link that is pasted': './#trace=traces/words.hgtrace&event=20000',
};
for (const [which, address] of someOf(Object.entries(kHeldTrace)))
  onOwnPage(`a page has not settled while the trace ${which} is on its way`, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/traces/words.hgtrace', async (route) => {
      await held;
      await route.continue();
    });
    if (address.startsWith('./#')) await openAt(page, 'adaptive_pool', 100);
    await page.goto(address);
    await expect(page.locator('.hg-page')).toHaveAttribute('data-settled', 'false');
    const pictures = () =>
      page.evaluate(async () => {
        for (let n = 0; n < 30; ++n) await new Promise(requestAnimationFrame);
        return document.querySelector('.hg-page')?.getAttribute('data-settled');
      });
    expect(await pictures()).toBe('false');
    release();
    await settled(page);
    expect(await shownEvent(page)).toBe(20_000);
  });
