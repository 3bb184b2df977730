// Experiments in the page: run, filled, stopped, watched on the map.

import {
  expect,
  inAll,
  onOwnPage,
  openAt,
  openExperiment,
  openTab,
  runExperiment,
  test,
  withoutIsolation,
} from './one_page.ts';

const ownPageAll = inAll(onOwnPage);

onOwnPage('an experiment is chosen from the list, run, and its chart and tables fill', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 100);
  await openTab(page, 'Experiments');
  await expect(page.locator('.hg-experiments__row')).toHaveCount(13);
  await page.locator('[data-experiment=AE3]').click();
  await expect(page).toHaveURL(/tab=experiments&experiment=AE3/);
  await expect(page.locator('.hg-experiments__title')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Findings' })).toBeHidden();
  const recorded = page.locator('.hg-experiments__recorded');
  await expect(recorded.getByRole('row', { name: /^V2 10,000/ }).first()).toBeVisible(); // before anything was measured here
  await runExperiment(page);
  await expect(recorded).toBeHidden();
  await expect(page.locator('.hg-experiments__progress')).toContainText(/\d+ measurements/);

  const lengths = () =>
    page
      .locator('.hg-chart')
      .first()
      .locator('.hg-chart__fill')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('width'))));
  await expect.poll(async () => Math.min(...(await lengths()))).toBeGreaterThan(0); // once they have grown
  expect((await lengths()).length).toBeGreaterThan(3);
  expect(new Set(await lengths()).size).toBeGreaterThan(1);

  const rows = page.locator('.hg-experiments__tables tbody tr');
  expect(await rows.count()).toBeGreaterThan(3);
  await expect(rows.first()).toContainText(/\d/);
  await expect(page.locator('.hg-chart__svg').first()).toHaveAttribute('aria-label', /(\d+) of \1 values measured/);
  await page.getByText('Values as a table').first().click();
  await expect(page.locator('.hg-chart__values tbody tr').first()).toContainText(/\d/);

  await page.getByRole('button', { name: '‹ All experiments' }).click();
  await expect(page.locator('[data-experiment=AE3]')).toBeFocused();
  await expect(page.locator('[data-experiment=AE3]')).toContainText('measured');
});

ownPageAll('a run can be stopped; what was measured stays', async ({ page }) => {
  await openExperiment(page, 'AE1');
  await page.getByRole('button', { name: 'full' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('.hg-experiments__progress')).toContainText(/Measuring: \d+ of \d+/, { timeout: 45_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.hg-experiments__progress')).toContainText(/Stopped at \d+ of \d+/, { timeout: 45_000 });
  await expect(page.locator('.hg-chart').first()).toBeVisible();
});

test('watching tells the same story on the map, with the experiment beside it', async ({ page }) => {
  await openExperiment(page, 'BE1');
  await page.getByRole('button', { name: 'Watch it in the map' }).click();
  await expect(page).toHaveURL(/scenario=/);
  await expect(page.getByRole('button', { name: 'Watch it again' })).toBeVisible();
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified', { timeout: 45_000 });
  await expect(page.getByRole('tab', { name: 'Experiments' })).toHaveAttribute('aria-selected', 'true');
});

test('the scenario picker has stories and experiments apart, and an experiment opens its panel', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 100);
  await page.locator('.hg-scenarios__open').click();
  await expect(page.getByRole('list', { name: 'Scenarios' }).getByRole('button').first()).toBeVisible();
  const watched = page.getByRole('list', { name: 'Experiments, watched' });
  await watched.getByRole('button', { name: /^BE1/ }).click();
  await expect(page.getByRole('tab', { name: 'Experiments' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.hg-experiments__title')).toContainText('BE1');
});

ownPageAll(
  'where memory cannot be shared the page says which headers are missing, before and after',
  async ({ page }) => {
    await withoutIsolation(page);
    await openExperiment(page, 'DE1');
    await expect(page.locator('.hg-experiments__one')).toContainText('Cross-Origin-Embedder-Policy: require-corp');
    await runExperiment(page);
    await expect(page.locator('.hg-experiments__findings')).toContainText('Cross-Origin-Embedder-Policy: require-corp');
  },
);

ownPageAll('in reduced motion bars are at their places at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openExperiment(page, 'AE3');
  await runExperiment(page);
  const bar = page.locator('.hg-chart__fill').first();
  const length = await bar.getAttribute('width');
  await page.evaluate(() => new Promise((done) => setTimeout(done, 400))); // longer than the growth would take
  expect(await bar.getAttribute('width')).toBe(length);
});

/** Milliseconds: how late each message of the worker is. */
const kLateMs = 300;

ownPageAll(
  'what is asked for before the first story has begun is told, and nothing puts the first in its place',
  async ({ page }) => {
    await page.addInitScript((lateMs) => {
      const { addEventListener } = EventTarget.prototype;
      Worker.prototype.addEventListener = function (this: Worker, type: string, heard: (event: Event) => void) {
        const late = (event: Event) => setTimeout(() => heard.call(this, event), lateMs);
        addEventListener.call(this, type, type === 'message' ? late : heard);
      };
    }, kLateMs);
    await openExperiment(page, 'BE1');
    await page.getByRole('button', { name: 'Watch it in the map' }).click();
    await expect(page.getByRole('button', { name: 'Watch it again' })).toBeVisible();
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), 3 * kLateMs); // until the first story's reply has come
    await expect(page.getByRole('button', { name: 'Watch it again' })).toBeVisible();
    await expect(page).not.toHaveURL(/scenario=by_hand/);
  },
);
