// Sizes and Compare: what they say of a moment, and where their rows lead.

import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { Drive } from '../web/model/drive.ts';
import { withSites } from '../web/model/sited_trace.ts';
import {
  expect,
  inAll,
  onOwnPage,
  openAt,
  openByHand,
  openTab,
  settled,
  shownEvent,
  test,
  timeOf,
} from './one_page.ts';

const [testAll, ownPageAll] = [inAll(test), inAll(onOwnPage)];

test('sizes follow time, and a row leads to its largest chunk', async ({ page }) => {
  await openAt(page, 'mixed_load', 20_000);
  await openTab(page, 'Sizes');
  const inUse = page.getByRole('table', { name: 'In use, by size' });
  await expect(inUse.getByRole('row')).not.toHaveCount(1);
  const early = await inUse.innerText();
  await inUse.getByRole('button').last().click();
  await expect(page.locator('.hg-inspector__address')).toContainText('0x');
  await expect(page).toHaveURL(/select=0x/);
  await page.keyboard.press('End');
  await expect.poll(() => inUse.innerText()).not.toBe(early);
});

test('a moment is kept and compared with another one: what is gone, in both, and new', async ({ page }) => {
  await openAt(page, 'mixed_load', 20_000);
  await openTab(page, 'Compare');
  await page.getByRole('button', { name: 'Keep this moment' }).click();
  const panel = page.getByRole('region', { name: 'Compare' });
  await expect(panel).toContainText(/Gone since0 · 0.B/u);
  await expect(panel).toContainText(/New since0 · 0.B/u);
  await timeOf(page).press('PageDown');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(20_000);
  await expect(panel).not.toContainText(/New since0 · 0.B/u);
  await expect(page).toHaveURL(/since=20000/);
  const added = page.getByRole('list', { name: 'New since: the largest' });
  const address = await added.getByRole('button').first().innerText();
  await added.getByRole('button').first().click();
  await expect(page.locator('.hg-inspector__address')).toContainText(address);
  await page.getByRole('button', { name: 'Go to it' }).click();
  await expect.poll(() => shownEvent(page)).toBe(20_000);
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect(page).not.toHaveURL(/since=/);
});

ownPageAll(
  'sites tell whose the memory is: a flame graph and a table, from a file whose trace has stacks',
  async ({ page }) => {
    await openByHand(page);
    await openTab(page, 'Sites');
    await expect(page.getByRole('region', { name: 'Sites' })).toContainText('does not say which call made a block');
    const drive = await Drive.start(31);
    drive.run(1_000, 90);
    drive.module.drain();
    const stackOf = (operation: number) => ['main@app.c:3', `work_${operation % 5}@app.c:9`, `leaf_${operation % 2}`];
    const file = encodeTraceFile(withSites(drive.trace, stackOf), 4, {});
    const buffer = Buffer.from(file);
    await page
      .locator('.hg-scenarios input[type=file]')
      .setInputFiles({ name: 'sited.hgtrace', mimeType: 'application/octet-stream', buffer });
    await expect(page.getByRole('button', { name: /^trace sited/ })).toBeVisible(); // End now is of the file
    await page.keyboard.press('End');
    const flame = page.getByRole('group', { name: 'Call sites, widths by bytes' });
    await settled(page); // the file opens in slices
    const all = 1 + 5 + 10; // main, the work_, the two leaves of each
    await expect(flame.getByRole('button')).toHaveCount(all);
    await flame.getByRole('button', { name: /^work_2 app\.c:9: / }).click();
    await expect.poll(() => flame.getByRole('button').count()).toBeLessThan(all);
    await expect(page.getByRole('table', { name: 'Call sites' })).toContainText('leaf_1');
    await flame.getByRole('button', { name: /^work_2 app\.c:9: / }).click();
    await expect.poll(() => flame.getByRole('button').count()).toBe(all);
  },
);

test('an operation is explained whole where there is room; where not, the event that is shown is in sight', async ({
  page,
}) => {
  await openAt(page, 'mixed_load', 3000);
  const list = page.getByRole('list', { name: 'Events of the operation' });
  await expect(list.locator('[aria-current]')).toHaveCount(1);
  const hidden = () => list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  await expect.poll(hidden).toBeLessThanOrEqual(1);

  await page.setViewportSize({ width: 1024, height: 768 });
  await expect.poll(hidden).toBeGreaterThan(1);
  const outside = () =>
    list.evaluate((all) => {
      const [room, line] = [all, all.querySelector('[aria-current]')].map((it) => it?.getBoundingClientRect());
      return room === undefined || line === undefined ? 1 : Math.max(room.top - line.top, line.bottom - room.bottom);
    });
  await expect.poll(outside).toBeLessThanOrEqual(1);
});

test('what pins a hole stands in two tables, whose columns have names that are seen', async ({ page }) => {
  await openAt(page, 'adaptive_pool', 8000);
  await openTab(page, 'Pins');
  const tables = page.getByRole('region', { name: 'Pins' }).getByRole('table');
  await expect(tables.first().getByRole('columnheader')).toHaveText(['blocks', 'joined', 'which']);
  // Without call stacks in the trace there is no column for them.
  await expect(tables.last().getByRole('columnheader')).toHaveText(['side', 'block', 'size', 'age', 'joined']);
  for (const heading of await tables.getByRole('columnheader').all())
    expect((await heading.boundingBox())?.height).toBeGreaterThan(10);
});

testAll('from tab to tab of a place the map stays where it is', async ({ page }) => {
  await openAt(page, 'malloc', 3000);
  const areaOf = async () => {
    const box = await page.locator('.hg-map').first().boundingBox();
    return [box?.x, box?.width];
  };
  for (const [place, tabs] of [
    ['Look', ['Lists', 'Heaps', 'Sizes', 'Compare', 'Handles', 'Pins']],
    ['Make', ['Operate', 'Script', 'Programs']],
    ['Learn', ['Scenes', 'Experiments']],
  ] as const) {
    await page.getByRole('group', { name: 'Places' }).getByRole('button', { name: place }).click();
    const areas = new Map<string, readonly (number | undefined)[]>();
    for (const name of tabs) {
      await page.getByRole('tab', { name, exact: true }).click();
      areas.set(name, await areaOf());
    }
    for (const [name, area] of areas) expect(area, `${place}, ${name}`).toEqual(areas.get(tabs[0]));
  }
});
