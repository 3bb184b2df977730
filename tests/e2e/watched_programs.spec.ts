// Real programs, watched: SQL typed into SQLite, a script into Lua; the map follows, and the walk proves it. Skipped where their
// sources could not be had: then the list says so.

import type { Page } from '@playwright/test';
import { expect, headOf, inAll, shownEvent, test } from './open.ts';
import { missing, openProgram, run } from './open_program.ts';

/** How long SQLite is kept busy: a minute by `npm run check:load`. */
const kLoadSeconds = Number(process.env['HG_LOAD_SECONDS'] ?? 2);
const testAll = inAll(test, process.env['HG_LOAD_SECONDS'] !== undefined);

test('SQL is typed, rows come back, the map follows and the walk proves it', async ({ page }) => {
  test.skip(missing['sqlite'] !== null, String(missing['sqlite']));
  await openProgram(page, 'sqlite');
  const before = await headOf(page);
  await run(
    page,
    'create table pet(name text, kind text); insert into pet values (?1, null);'.replace('?1', "'Ada'") +
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into pet select i, hex(i) from n;' +
      'select name, kind from pet order by rowid limit 2',
  );
  const cells = page.locator('.hg-program__table tbody tr');
  await expect(cells).toHaveText(['AdaNULL', '131']);
  await expect(page.locator('.hg-program__output')).toContainText('3000 rows changed');
  expect(await headOf(page)).toBeGreaterThan(before);
  await expect.poll(async () => shownEvent(page)).toBe(await headOf(page)); // the present is shown
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');

  await run(page, 'select 1 from nowhere');
  await expect(page.locator('.hg-program__line--error')).toHaveText('no such table: nowhere');
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});

test('what stands in the field at first has not run yet: the first Run is no mistake', async ({ page }) => {
  test.skip(missing['sqlite'] !== null, String(missing['sqlite']));
  await openProgram(page, 'sqlite');
  await page.locator('.hg-program__run').click();
  await expect(page.locator('.hg-program__table tbody tr').first()).toBeVisible();
  await expect(page.locator('.hg-program__line--error')).toHaveCount(0);
});

test('Lua is the second choice: an example is picked, changed and run again; an endless script is stopped', async ({
  page,
}) => {
  test.skip(missing['lua'] !== null, String(missing['lua']));
  await openProgram(page, 'lua');
  await page.locator('.hg-program').getByLabel('example').selectOption({ label: 'One table that doubles' });
  await expect(page.locator('.hg-program__line')).toContainText('100000');
  await run(page, 'for i = 1, 3 do print(i, list[i]) end');
  await expect(page.locator('.hg-program__line')).toHaveText(['1\t1', '2\t2', '3\t3']);
  await page.locator('.hg-program__text').fill('while true do end');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  await run(page, '#people');
  await expect(page.locator('.hg-program__line')).toHaveText('2000');
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});

test('programs come first in the list of things to open, and open from it', async ({ page }) => {
  await page.goto('./#scenario=by_hand');
  await page.locator('.hg-scenarios__open').click();
  const rows = page.locator('.hg-scenarios__row');
  expect((await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-scenario')))).slice(0, 3)).toEqual([
    'sqlite',
    'lua',
    'quickjs',
  ]);
  test.skip(missing['quickjs'] !== null, String(missing['quickjs']));
  await rows.nth(2).click();
  await expect(page.locator('.hg-program__output')).toContainText('1000', { timeout: 45_000 });
  await run(page, '6 * 7');
  await expect(page.locator('.hg-program__line')).toHaveText('42');
});

test('a program whose sources could not be had is listed with the reason and cannot be chosen', async ({ page }) => {
  await page.route('**/programs-*.json', (route) =>
    route.fulfill({ json: { sqlite: 'there is no cargo', lua: null, quickjs: null } }),
  );
  await page.goto('./#scenario=by_hand&tab=programs&event=0');
  await expect(page.locator('.hg-program__missing')).toHaveText('SQLite is not here: there is no cargo');
  await expect(page.getByRole('button', { name: 'SQLite', exact: true })).toBeDisabled();
  await page.locator('.hg-scenarios__open').click();
  await expect(page.locator('[data-scenario=sqlite]')).toBeDisabled();
  await expect(page.locator('[data-scenario=sqlite]')).toContainText('there is no cargo');
  await expect(page.locator('[data-scenario=lua]')).toBeEnabled();
});

testAll(
  `SQLite under load for ${kLoadSeconds} s: every event is in the trace, and the badge is green`,
  async ({ page }) => {
    test.skip(missing['sqlite'] !== null, String(missing['sqlite']));
    test.setTimeout(60_000 + kLoadSeconds * 10_000);
    await openProgram(page, 'sqlite');
    const until = Date.now() + kLoadSeconds * 1000;
    let rounds = 0;
    do {
      await run(
        page,
        `insert into person(name, city, note) select name || ${rounds}, city, note from person where id <= 4000;
       select city, count(*), group_concat(name) from person group by city order by 2 desc limit 3;
       delete from person where id > 10000;`,
      );
      await expect(page.locator('.hg-program__table tbody tr')).toHaveCount(3);
      ++rounds;
    } while (Date.now() < until);
    await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
    await expect(page.locator('.hg-badge')).not.toContainText('lost');
    const said = kLoadSeconds < 10 ? '' : `, ${await memoryOf(page)} MB in page and workers`;
    console.info(`SQLite under load: ${kLoadSeconds} s, ${rounds} rounds, ${await headOf(page)} events${said}`);
  },
);

/** All the page holds, its workers and their wasm memory included; Chromium measures it with its next collection. */
async function memoryOf(page: Page): Promise<number> {
  const bytes = await page.evaluate(async () => {
    const measured = performance as Performance & {
      measureUserAgentSpecificMemory(): Promise<{ readonly bytes: number }>;
    };
    return (await measured.measureUserAgentSpecificMemory()).bytes;
  });
  return Math.round(bytes / 1e6);
}
