// Runs experiments in a real browser, quickly, and watches one on the map: pictures of a chart that fills, in
// build/demo/<experiment>/.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { animate, type Shot } from './gif.ts';

const kMostFrames = 24;

test.use({ colorScheme: 'dark', reducedMotion: 'reduce' } as const);

for (const id of ['AE3', 'BE1', 'DE1']) {
  test(`${id} fills its chart beside the story it is watched as`, async ({ page }) => {
    test.setTimeout(180_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const folder = fileURLToPath(new URL(`../../build/demo/${id}/`, import.meta.url));
    mkdirSync(folder, { recursive: true });

    await page.goto(`./#scenario=adaptive_pool&tab=experiments&experiment=${id}`);
    await page.getByRole('button', { name: 'Watch it in the map' }).click();
    await expect(page.locator('.hg-badge')).toContainText('verified', { timeout: 60_000 });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const again = page.getByRole('button', { name: 'Run again' });
    const shots: Shot[] = [];
    while (!(await again.isVisible()) && shots.length < kMostFrames) {
      shots.push({ png: await page.screenshot(), milliseconds: 220 });
    }
    await expect(again).toBeVisible({ timeout: 120_000 });
    shots.push({ png: await page.screenshot({ path: `${folder}chart.png` }), milliseconds: 1800 });
    writeFileSync(`${folder}preview.gif`, animate(shots));
    await expect(page.locator('.hg-chart').first()).toBeVisible();
    expect(errors).toEqual([]);
  });
}
