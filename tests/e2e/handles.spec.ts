// Handles that nobody has deleted: class, line of JavaScript and bytes, at the moment shown, and their block on the map.

import { lineOf } from '../handles/handle_rows.ts';
import { countersApp, recordCounters } from '../handles/recorded_counters.ts';
import { expect, goTo, headOf, inAll, settled, test } from './one_page.ts';

const testAll = inAll(test);

test('the panel names what is open at the moment shown, and leads to its block', async ({ page }) => {
  const file = recordCounters();
  await page.route('**/traces/handles.hgtrace', (route) => route.fulfill({ body: file }));
  await page.goto('./#trace=traces/handles.hgtrace&event=1&tab=handles');
  await settled(page);
  await goTo(page, await headOf(page));
  const handles = page.getByRole('region', { name: 'Handles' });
  const open = handles.getByRole('table', { name: 'Handles nobody has deleted' });
  await expect(handles.getByRole('status')).toContainText('14 of 2,004 handles hold');
  await expect(open.getByRole('row')).toHaveCount(4);
  const counters = open.getByRole('row', { name: /^Counter/ });
  await expect(counters).toContainText(`leakCounters counters_app.js:${lineOf(countersApp, 'counter')}`);
  await expect(counters).toContainText(/101\.05\sKiB/);
  await expect(page.locator('.hg-timeline__marks g')).toHaveCount(0); // marks of handles are none of the time line
  // Blocks alone were recorded: nothing is said of what is free.
  await expect(page.locator('.hg-status')).toContainText(/largest free\s*–\s*fragmentation\s*–/);
  await page.setViewportSize({ width: 1024, height: 768 });
  const place = counters.locator('.hg-handles__maker span').last();
  await expect(place).toHaveText(/^counters_app\.js:\d+$/);
  expect(
    await place.evaluate((span) => span.getBoundingClientRect().height / parseFloat(getComputedStyle(span).lineHeight)),
  ).toBeLessThan(1.5);

  await counters.getByRole('button').click();
  await settled(page);
  await expect(page).toHaveURL(/select=0x/);

  await goTo(page, 1);
  await expect(handles.getByRole('status')).toContainText('No handle was made so far');
});

testAll('what the engine has collected stands apart', async ({ page }) => {
  const file = recordCounters('collect');
  await page.route('**/traces/collected.hgtrace', (route) => route.fulfill({ body: file }));
  await page.goto('./#trace=traces/collected.hgtrace&event=1&tab=handles');
  await settled(page);
  await goTo(page, await headOf(page));
  const late = page.getByRole('table', { name: "Deleted late, by the engine's finalizer" });
  await expect(late.getByRole('row', { name: /^Counter/ })).toContainText('10');
});
