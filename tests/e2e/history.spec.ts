// One selection, one cursor, one window, all in the address, and the browser's history goes through them.

import { expect, inAll, onOwnPage, openAt, openTab, settled, shownEvent, test, timeOf } from './one_page.ts';

const [testAll, ownPageAll] = [inAll(test), inAll(onOwnPage)];

test('Back and Forward go through the moments that were chosen', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 500);
  await page.locator('.hg-bins__row').first().click();
  await expect(page).toHaveURL(/bin=\d+/);
  const box = await timeOf(page).boundingBox();
  if (box === null) throw new Error('the time line has no box');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page).not.toHaveURL(/event=500&/);
  const middle = await shownEvent(page);
  expect(middle).toBeGreaterThan(500);
  await page.locator('.hg-scenarios__open').click();
  await page.getByRole('button', { name: /^Grow forward/ }).click();
  await expect(page).toHaveURL(/scenario=forward_expansion/);

  await page.goBack();
  await expect(page).toHaveTitle(/Adaptive/);
  await expect.poll(() => shownEvent(page), { timeout: 30_000 }).toBe(middle);
  await page.goBack();
  await expect.poll(() => shownEvent(page)).toBe(500);
  await expect(page.locator('.hg-bins__row[aria-pressed=true]')).toHaveCount(1);
  await page.goBack();
  await expect(page.locator('.hg-bins__row[aria-pressed=true]')).toHaveCount(0);
  await page.goForward();
  await expect(page.locator('.hg-bins__row[aria-pressed=true]')).toHaveCount(1);
});

ownPageAll('a drag through time is one step of Back, however slow', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 500);
  const box = await timeOf(page).boundingBox();
  if (box === null) throw new Error('the time line has no box');
  const before = await page.evaluate(() => history.length);
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await page.mouse.down();
  for (const share of [0.4, 0.5, 0.6]) {
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
    // A hand that rests: longer than what follows each other at once, by the page's own clock.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  }
  await page.mouse.up();
  await settled(page);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.goBack();
  await expect.poll(() => shownEvent(page)).toBe(500);
});

ownPageAll('the first panel stays open over a reload, where the source would open another', async ({ page }) => {
  await page.goto('./#scenario=by_hand');
  await settled(page);
  await openTab(page, 'Lists');
  await settled(page);
  await page.reload();
  await settled(page);
  await expect(page.getByRole('tab', { name: 'Lists' })).toHaveAttribute('aria-selected', 'true');
});

test('a stretch of time is in the address too', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 500);
  const box = await timeOf(page).boundingBox();
  if (box === null) throw new Error('the time line has no box');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -400);
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  const axis = page.locator('.hg-timeline__axis').first();
  const near = await axis.textContent();
  await page.goBack();
  await expect(axis).not.toHaveText(near ?? '');
});

test('a pasted link replaces everything: what it does not name is as at first load', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 3000);
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('+');
  await openTab(page, 'Heaps');
  await expect(page).toHaveURL(/at=0x.*select=0x.*tab=heaps/);
  await page.evaluate(() => {
    location.hash = 'scenario=adaptive_pool&event=40';
  });
  await expect.poll(() => shownEvent(page)).toBe(40);
  await expect(page.getByRole('tab', { name: 'Lists' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.hg-inspector__address')).toBeHidden();
  await expect(page).toHaveURL(/#scenario=adaptive_pool&event=40$/);
  // Half a link names another story by what it leaves out: the first one, with the first seed.
  await page.evaluate(() => {
    location.hash = 'scenario=burst_list&seed=9&event=50';
  });
  await expect(page).toHaveTitle(/Burst|chain/i);
  await page.evaluate(() => {
    location.hash = 'event=60';
  });
  await expect(page).toHaveTitle(/SQLite|Adaptive/); // web/src/moment/first_moment.ts: without SQLite's sources the next one
  await expect.poll(() => shownEvent(page)).toBe(60);
  await expect(page).toHaveURL(/#scenario=(sqlite|adaptive_pool)&event=60/);
});

onOwnPage('a part of a link that cannot be read is named, at first load and when it is pasted', async ({ page }) => {
  await page.goto('./#scenario=adaptive_pool&event=abc');
  const notice = page.locator('.hg-notice');
  await expect(notice).toContainText('cannot be read and is left out: event=abc.');
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(() => {
    location.hash = 'scenario=burst_list&event=50&tab=attic';
  });
  await expect(notice).toContainText('tab=attic');
  await expect.poll(() => shownEvent(page)).toBe(50);
});

testAll(
  'a moment outside of the stretch of time is an arrow at its edge, and a step brings the stretch along',
  async ({ page }) => {
    await page.goto('./#scenario=mixed_load&event=239635&from=78469&to=177045');
    await expect.poll(() => shownEvent(page)).toBe(239_635);
    await settled(page);
    const [line, arrow] = [page.locator('.hg-timeline__cursor line'), page.locator('.hg-timeline__beside')];
    await expect(line).toBeHidden();
    await expect(arrow).toHaveAttribute('d', /^M/);
    await page.keyboard.press('.');
    await expect.poll(() => shownEvent(page)).toBe(239_636);
    await expect(arrow).toHaveAttribute('d', '');
    await expect(page).not.toHaveURL(/from=78469/);
    await settled(page);
    const [box, all] = [await line.boundingBox(), await timeOf(page).boundingBox()];
    expect(box?.x).toBeGreaterThan((all?.x ?? 0) + 80);
  },
);
