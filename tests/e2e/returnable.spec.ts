// What could go back stands on the time line, and in the title of the status's footprint, at the moment shown.

import { someOf } from '../every.ts';
import { expect, goTo, headOf, openAt, test, timeOf } from './one_page.ts';

const kWords = /[\d.]+(\s?[KM]iB)? of [\d.]+\s?[KM]iB could go back$/;

for (const [width, height, isNarrow] of someOf([
  [1440, 900, false],
  [390, 844, true],
] as const)) {
  test(`the time line says what could go back, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openAt(page, 'mixed_load', 300);
    const label = page.locator('.hg-timeline__returnable').first();
    await goTo(page, await headOf(page));
    await expect(timeOf(page)).toHaveAttribute('aria-valuetext', kWords);
    await expect(page.locator('.hg-status__item[title$="could go back"]')).toHaveCount(1);
    await expect(label).toHaveText(isNarrow ? '' : kWords); // too low for it where it is narrow
    if (!isNarrow) {
      const said = await timeOf(page).getAttribute('aria-valuetext');
      expect(said?.endsWith(`; ${await label.textContent()}`)).toBe(true);
    }
    await goTo(page, 0);
    await expect(label).toHaveText('');
    await expect(timeOf(page)).not.toHaveAttribute('aria-valuetext', /go back/);
    await expect(page.locator('.hg-status__item[title$="could go back"]')).toHaveCount(0);
  });
}
