// Plays each scenario in a real browser: one screenshot a chapter and an animated preview, in build/demo/<scenario>/.
//
// The chapters' places in time are read from the page (the marks over the timeline), so a demo shows what a visitor
// can reach, and fails when the page does not get there.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { animate, type Shot } from './gif.ts';

interface Story {
  readonly id: string;
  readonly chapters: number;
  /** The panel that is open beside the map; the lists when none is named. */
  readonly tab?: string;
}

const kStories: readonly Story[] = [
  { id: 'forward_expansion', chapters: 5 },
  { id: 'backward_expansion', chapters: 6 },
  { id: 'burst_list', chapters: 5 },
  { id: 'adaptive_pool', chapters: 6 },
  { id: 'malloc', chapters: 11, tab: 'heaps' },
  { id: 'thread_caches', chapters: 6, tab: 'heaps' },
  { id: 'memory_pools', chapters: 5, tab: 'heaps' },
];
const kFramesPerChapter = 6;

test.use({ colorScheme: 'dark', reducedMotion: 'reduce' } as const);

for (const story of kStories) {
  test(`${story.id} plays to its end, chapter by chapter`, async ({ page }) => {
    test.setTimeout(180_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const folder = fileURLToPath(new URL(`../../build/demo/${story.id}/`, import.meta.url));
    mkdirSync(folder, { recursive: true });

    await page.goto(`./#scenario=${story.id}&event=0${story.tab === undefined ? '' : `&tab=${story.tab}`}`);
    const badge = page.locator('.hg-badge');
    await expect(badge).toContainText('verified', { timeout: 60_000 });
    const marks = page.locator('.hg-timeline__marks > g');
    await expect(marks).toHaveCount(story.chapters);
    const starts = await marks.evaluateAll((all) => all.map((mark) => Number(mark.getAttribute('data-seq'))));
    const head = Number(await page.getByRole('slider', { name: 'Time, in events' }).getAttribute('aria-valuemax'));
    expect(head).toBeGreaterThan(starts.at(-1) ?? 0);

    const shots: Shot[] = [];
    for (const [chapter, start] of starts.entries()) {
      const end = starts[chapter + 1] ?? head;
      for (let frame = 1; frame <= kFramesPerChapter; frame++) {
        await goTo(page, Math.round(start + ((end - start) * frame) / kFramesPerChapter));
        shots.push({ png: await page.screenshot(), milliseconds: frame === kFramesPerChapter ? 900 : 220 });
      }
      const last = shots.at(-1);
      if (last !== undefined) writeFileSync(`${folder}chapter-${chapter + 1}.png`, last.png);
    }
    writeFileSync(`${folder}preview.gif`, animate(shots));
    await expect(badge).toContainText('verified');
    expect(errors).toEqual([]);
  });
}

/** Moves the cursor the way a shared link does, and waits until the page shows that moment. */
async function goTo(page: Page, event: number): Promise<void> {
  await page.evaluate((at) => {
    const parts = new URLSearchParams(location.hash.slice(1));
    parts.set('event', String(at));
    location.hash = parts.toString();
  }, event);
  await expect(page.getByRole('slider', { name: 'Time, in events' })).toHaveAttribute('aria-valuenow', String(event));
}
