import { expect, headOf, openAt, settled, shownEvent, test, timeOf } from './one_page.ts';

test('comma and full stop step one event back and on', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 200);
  await page.keyboard.press('.');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '201');
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '199');
});

test('with Shift they step whole operations, and back again to the same event', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 200);
  await page.keyboard.press('>');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(200);
  const after = await shownEvent(page);
  await page.keyboard.press('>');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(after + 1);
  await page.keyboard.press('<');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', String(after));
});

test('Home and End go to the first and the newest event', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 200);
  await page.keyboard.press('Home');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('End');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', String(await headOf(page)));
});

test('space plays and pauses; the event stands still after', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 0);
  await page.keyboard.press(' ');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(0);
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await settled(page);
  const here = await shownEvent(page);
  await page.keyboard.press('.');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', String(here + 1));
});

test('the time line is a slider for the keyboard', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 1000);
  await timeOf(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '1001');
  await page.keyboard.press('PageDown');
  const tenth = Math.round((await headOf(page)) / 10);
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', String(1001 + tenth));
  await page.keyboard.press('Home');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '0');
});

test('dragging the time line scrubs', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 0);
  const box = await timeOf(page).boundingBox();
  if (box === null) throw new Error('the time line has no box');
  await page.mouse.move(box.x + box.width / 4, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 40, { steps: 5 });
  await page.mouse.up();
  const head = await headOf(page);
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(head * 0.4);
  expect(await shownEvent(page)).toBeLessThan(head * 0.6);
});

test('panels are tabs: arrows move between them', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 100);
  await page.getByRole('tab', { name: 'Lists' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Heaps' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel', { name: 'Heaps' })).toBeVisible();
  const tabs = await page.getByRole('tab').count();
  for (let press = 1; press < tabs; press++) await page.keyboard.press('ArrowRight'); // once round
  await expect(page.getByRole('tab', { name: 'Lists' })).toBeFocused();
});

test('question mark opens the help; in it single-letter keys can be switched off', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 100);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await expect(help).toBeVisible();
  await expect(help.getByRole('heading', { name: 'Keys' })).toBeFocused(); // on a phone it is read from its top
  await help.getByLabel('Single-letter keys are on').uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.locator('body').press('.');
  await page.locator('body').press('Home');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '0'); // and not 101 before: Home is the only one heard
});

test('a slash goes to the word search, and letters written there are letters', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 100);
  await page.keyboard.press('/');
  const text = page.getByLabel('or a text');
  await expect(text).toBeFocused();
  await page.keyboard.type('one, two.');
  await expect(text).toHaveValue('one, two.');
  expect(await shownEvent(page)).toBe(100);
});

const kReached = [
  'scenario',
  'Help and keys',
  'Theme',
  'First event',
  'Play',
  'Newest event',
  'Time, in events',
  'Heap map',
];

test('everything in the top bar and the transport can be reached with Tab', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 100);
  const reached = new Set<string>();
  const missing = () => kReached.filter((name) => ![...reached].some((one) => one.includes(name)));
  for (let press = 0; press < 80 && missing().length > 0; press++) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      ),
    );
  }
  expect(missing()).toEqual([]);
});
