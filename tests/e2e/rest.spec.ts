// At rest nothing moves: with nothing played, pressed or drawn, the picture stays as it is, pixel for pixel.
//
// Every story and hand-made heaps, at 20 events each, 2 s at each of them: npm run check:page (15 minutes). Daily the first of the
// heaps on which the map once swayed to and fro.

import type { Page } from '@playwright/test';
import { kScenarios } from '../../web/src/scenarios/index.ts';
import {
  expect,
  goTo,
  headOf,
  inAll,
  kEveryLook,
  onOwnPage,
  openAt,
  openByHand,
  shownEvent,
  test,
} from './one_page.ts';

const all = process.env['HG_PAGE'] === 'all';
const ownPageAll = inAll(onOwnPage, all);
const kMoments = 20;
const kWatchedMs = all ? 2000 : 700;

const kSample: Readonly<Record<string, readonly number[]>> = {
  forward_expansion: kEveryLook ? [60, 1100] : [60],
  ...(kEveryLook ? { backward_expansion: [60], adaptive_pool: [60] } : {}),
};

/** In how many of the pictures that were looked at, during a while, anything differs from the one before. */
const changesOf = (page: Page): Promise<number> =>
  page.evaluate(async (watchedMs) => {
    const canvases = [...document.querySelectorAll<HTMLCanvasElement>('.hg-map canvas')];
    const copies = canvases.map(({ width, height }) =>
      new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }),
    );
    const look = () =>
      canvases.map((canvas, nth) => {
        const copy = copies[nth];
        copy?.clearRect(0, 0, canvas.width, canvas.height);
        copy?.drawImage(canvas, 0, 0);
        const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
        return new Uint32Array(pixels.buffer);
      });
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let before = look();
    let changes = 0;
    for (const start = performance.now(); performance.now() - start < watchedMs; ) {
      for (let frame = 0; frame < 5; frame++) await nextFrame(); // 83 ms: a journey of the map takes 220
      const now = look();
      if (now.some((pixels, nth) => pixels.some((pixel, at) => pixel !== before[nth]?.[at]))) changes++;
      before = now;
    }
    return changes;
  }, kWatchedMs);

/** Once a journey or the changes of a step are over, which take 220 ms and are waited for, nothing changes any more. */
async function expectRest(page: Page): Promise<void> {
  await expect.poll(() => changesOf(page), { timeout: 20_000 }).toBe(0);
  const before = await page.screenshot();
  expect(await changesOf(page)).toBe(0);
  expect((await page.screenshot()).equals(before), 'the whole page, looked at twice').toBe(true);
}

if (all) {
  for (const { info } of kScenarios.filter(({ info }) => info.program === undefined && info.id !== 'by_hand')) {
    test(`at rest nothing moves: ${info.id}`, async ({ page }) => {
      test.setTimeout(600_000);
      await openAt(page, info.id, 1);
      const head = await headOf(page);
      for (let moment = 0; moment < kMoments; moment++) {
        // Nearer to each other at the beginning, where heaps are small.
        await goTo(page, Math.max(1, Math.round(head * (moment / (kMoments - 1)) ** 3)));
        await expectRest(page);
      }
    });
  }
} else {
  test('at rest nothing moves, on small heaps and large ones', async ({ page }) => {
    for (const [scenario, events] of Object.entries(kSample)) {
      await page.goto('about:blank');
      await openAt(page, scenario, events[0] ?? 0);
      for (const event of events) {
        await goTo(page, event);
        await expectRest(page);
      }
    }
  });
}

ownPageAll('at rest nothing moves on a heap made by hand, at its moments too', async ({ page }) => {
  test.setTimeout(300_000);
  await openByHand(page);
  const size = page.getByLabel('size', { exact: true }).first();
  for (const bytes of all ? [1, 100, 5000, 70_000, 300_000] : [1, 5000]) {
    await size.fill(String(bytes));
    await page.getByRole('button', { name: 'Allocate', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Results' }).getByRole('listitem').first()).toContainText('usable');
  }
  await expectRest(page);
  const head = await headOf(page);
  const moments = all ? kMoments : 2;
  for (let moment = 0; moment < moments; moment++) {
    const event = Math.round((head * moment) / moments);
    await page.evaluate((at) => {
      location.hash = `scenario=by_hand&event=${at}`;
    }, event);
    await expect.poll(() => shownEvent(page)).toBe(event);
    await expectRest(page);
  }
});
