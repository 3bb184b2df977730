// The strip beside the map, and what the map's chunks are coloured by.

import { expect, inAll, openAt, openMallocAt, test } from './one_page.ts';

const testAll = inAll(test);

test('the strip shows where the map is, and moves it by hand and by keys', async ({ page }) => {
  await openAt(page, 'mixed_load', 120_000);
  const strip = page.getByRole('scrollbar', { name: 'Memory: where the map is' });
  const shown = page.locator('.hg-minimap__window');
  const all = await shown.evaluate((element) => element.clientHeight);
  for (let press = 0; press < 4; press++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => shown.evaluate((element) => element.clientHeight)).toBeLessThan(all / 4);

  const before = await strip.getAttribute('aria-valuetext');
  const box = await strip.boundingBox();
  if (box === null) throw new Error('the strip is not there');
  await page.mouse.move(box.x + 12, box.y + box.height * 0.2);
  await page.mouse.down();
  await page.mouse.move(box.x + 12, box.y + box.height * 0.6, { steps: 4 });
  await page.mouse.up();
  await expect(strip).not.toHaveAttribute('aria-valuetext', before ?? '');
  await expect(page).toHaveURL(/at=0x/);
  const dragged = Number(await strip.getAttribute('aria-valuenow'));
  expect(dragged).toBeGreaterThan(40);
  await strip.focus();
  await page.keyboard.press('Home');
  await expect.poll(async () => Number(await strip.getAttribute('aria-valuenow'))).toBeLessThan(3);
});

testAll(
  'chunks are coloured by thread: the colours are named, in the link, and in the words of a chunk',
  async ({ page }) => {
    await openMallocAt(page, 'A full cache');
    await page.getByLabel('Colour of the chunks in use').selectOption('thread');
    const colours = page.getByRole('list', { name: 'Colours' });
    await expect(colours).toContainText(/thread 1.*thread 2/);
    await expect(page).toHaveURL(/colour=thread/);
    await page.getByRole('button', { name: /table/i }).click();
    const rows = page.getByRole('region', { name: 'Table of chunks' }).getByRole('row');
    await rows.filter({ hasText: 'in use' }).first().getByRole('button').click();
    await expect(page.locator('.hg-map [role=status]')).toContainText(/in use.*thread \d/);
    await page.getByLabel('Colour of the chunks in use').selectOption('age');
    await expect(colours).toBeHidden();
  },
);
