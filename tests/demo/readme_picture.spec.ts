// The picture in the README: a pool that was thinned out, a block chosen, its list drawn over the map.
//
//   npm run picture      writes docs/images/heap_map.png; look at it before it is committed

import { fileURLToPath } from 'node:url';
import { coloursOfMap, expect, openAt, test } from '../e2e/open.ts';

const kFile = fileURLToPath(new URL('../../docs/images/heap_map.png', import.meta.url));

test('the picture in the README', async ({ page }) => {
  test.skip(process.env['HG_PICTURE'] !== 'write', 'npm run picture');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await openAt(page, 'adaptive_pool', 32_000);
  await page.evaluate(() => {
    location.hash =
      'scenario=adaptive_pool&event=32000&pool=1&bin=0&bookmarks=12000&select=0x84120&at=0x70000&row=8192';
  });
  await expect(page.locator('.hg-inspector__address')).toHaveText('0x0008_4114');
  await expect(page.locator('.hg-bins__row[aria-pressed=true]')).toBeVisible();
  await expect(page.locator('.hg-map__row-bytes')).toHaveText('8 KiB a row');
  await expect.poll(() => coloursOfMap(page)).toBeGreaterThan(3);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: kFile, animations: 'disabled' });
});
