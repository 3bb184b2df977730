// Plays each story in a real browser, chapter by chapter, with the chapter's title as the caption: build/demo/<story>/.
//
// The chapters' places in time are read from the page (the marks over the time line), so a demo shows what a visitor
// can reach, and fails when the page does not get there.

import { kScenarios } from '../../web/src/scenarios/index.ts';
import { expect, goTo, headOf, test } from '../e2e/open.ts';
import { kGlance, kLook, startFilm } from './film.ts';

const kFramesPerChapter = 6;
/** Stories whose subject is in another panel than the lists. */
const kTabs: ReadonlyMap<string, string> = new Map([
  ['malloc', 'heaps'],
  ['thread_caches', 'heaps'],
  ['memory_pools', 'heaps'],
]);
const kStories = kScenarios
  .map(({ info }) => info)
  .filter(
    ({ program, experiment, chapters }) => program === undefined && experiment === undefined && chapters.length > 0,
  );

test.use({ colorScheme: 'dark', reducedMotion: 'reduce' } as const);

for (const { id, chapters } of kStories) {
  test(`story ${id} plays to its end, chapter by chapter`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.goto(`./#scenario=${id}&event=0&tab=${kTabs.get(id) ?? 'lists'}`);
    await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified', { timeout: 60_000 });
    const marks = page.locator('.hg-timeline__marks > g');
    await expect(marks).toHaveCount(chapters.length);
    const starts = await marks.evaluateAll((all) => all.map((mark) => Number(mark.getAttribute('data-seq'))));
    const head = await headOf(page);

    const film = startFilm(page, id);
    for (const [chapter, start] of starts.entries()) {
      const end = (starts[chapter + 1] ?? head + 1) - 1;
      await film.caption(`${chapter + 1} · ${chapters[chapter]}`);
      for (let frame = 1; frame <= kFramesPerChapter; frame++) {
        await goTo(page, Math.round(start + ((end - start) * frame) / kFramesPerChapter));
        if (frame < kFramesPerChapter) await film.shot(kGlance);
        else await film.picture(kLook);
      }
    }
    await film.end();
  });
}
