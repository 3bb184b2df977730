// Plays each scene in a real browser, step by step, with its captions, questions and answers: build/demo/scene_<id>/.

import type { Page } from '@playwright/test';
import { kScenes } from '../../web/src/scenes/index.ts';
import { kScenePrefix } from '../../web/src/scenes/scene.ts';
import { expect, goTo, settled, shownEvent, test } from '../e2e/open.ts';
import { kGlance, kLook, startFilm } from './film.ts';

const kSeed = 5;
const kFramesPerAnswer = 6;

test.use({ colorScheme: 'dark', reducedMotion: 'reduce' } as const);

for (const scene of kScenes) {
  test(`scene ${scene.id} plays from its first step to its last`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.goto(`./#scene=${scene.id}&seed=${kSeed}`);
    const panel = page.locator('.hg-panel--learn');
    const button = (name: string) => panel.getByRole('button', { name, exact: true });
    await expect(panel.locator('.hg-scene__progress')).toContainText('1 of');
    await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified', { timeout: 60_000 });
    const film = startFilm(page, kScenePrefix + scene.id);

    for (const [nth, step] of scene.steps.entries()) {
      await expect(panel.locator('.hg-scene__title')).toHaveText(step.title);
      await film.caption(step.question?.text ?? step.title);
      if (step.question !== undefined) {
        await film.shot(kLook);
        const asked = await shownEvent(page);
        await button('Show me').click();
        await expect.poll(() => shownEvent(page)).not.toBe(asked);
        await settled(page); // the answer is played to its end
        await film.caption(await panel.getByRole('status').innerText());
        await replay(page, asked, () => film.shot(kGlance));
      }
      if (step.number !== undefined) {
        await film.caption(step.number.text);
        await film.shot(kLook);
        await button('Try').click();
        await settled(page);
        await film.caption(await panel.getByRole('status').innerText());
      }
      await film.picture(kLook);
      if (nth + 1 < scene.steps.length) await button('Next').click();
    }
    await film.end();
  });
}

/** Goes from an event to the one that is shown in a few steps, as the answer did. */
async function replay(page: Page, from: number, shoot: () => Promise<void>): Promise<void> {
  const to = await shownEvent(page);
  const moments = Array.from({ length: kFramesPerAnswer }, (_, nth) =>
    Math.round(from + ((to - from) * nth) / kFramesPerAnswer),
  );
  for (const at of new Set(moments.filter((moment) => moment > from && moment < to))) {
    await goTo(page, at);
    await shoot();
  }
  if ((await shownEvent(page)) !== to) await goTo(page, to);
}
