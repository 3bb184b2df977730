// Every width is a design: from 320 to 2560 pixels, in steps of 40, no control lies on another one, is cut off or sticks out
// at the side, and nothing scrolls sideways. The page is opened once and resized. Daily two panels at
// some widths; every panel at every width: npm run check:page, and in npm run test:all.

import type { Page } from '@playwright/test';
import { expect, inAll, kEveryLook, openAt, openMallocAt, openTab, settled, test } from './one_page.ts';

/** What is wrong with the boxes of what is on the screen now, in words. */
const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    interface Box {
      readonly left: number;
      readonly right: number;
      readonly top: number;
      readonly bottom: number;
    }
    const kSeen =
      'button, input, select, textarea, a[href], [role=slider], dt, dd, h1, h2, legend, p, th, .hg-field__name';
    const clips = (element: Element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      return overflowX !== 'visible' || overflowY !== 'visible';
    };
    /** What is left of a box inside all ancestors that clip it. */
    const seen = (element: Element): Box => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        if (!clips(around)) continue;
        const box = around.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      return { left, right, top, bottom };
    };
    /** Cut off at its right by something that does not scroll that way, and not ended by an ellipsis. */
    const cut = (element: Element, box: Box): boolean => {
      const { right } = element.getBoundingClientRect();
      if (right - box.right <= 1) return false;
      const cuts = (around: Element) => clips(around) && right - around.getBoundingClientRect().right > 1;
      let clipper = element.parentElement; // the one that cuts: a row of buttons with round corners clips, and cuts nothing
      while (clipper !== null && !cuts(clipper)) clipper = clipper.parentElement;
      const scrolls = clipper !== null && /auto|scroll/.test(getComputedStyle(clipper).overflowX);
      return !scrolls && getComputedStyle(element).textOverflow !== 'ellipsis';
    };
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${(element.textContent || element.getAttribute('aria-label') || '').slice(0, 24)}”`;

    const faults: string[] = [];
    const shown = [...document.querySelectorAll(kSeen)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.closest('[aria-hidden=true], .hg-map__hidden, .hg-hidden') === null)
      .map((element) => ({ element, box: seen(element) }))
      .filter(({ box }) => box.right - box.left > 1 && box.bottom - box.top > 1);
    shown.forEach(({ element, box }, nth) => {
      if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`sticks out: ${name(element)}`);
      if (cut(element, box)) faults.push(`is cut off: ${name(element)}`);
      for (const other of shown.slice(nth + 1)) {
        if (element.contains(other.element)) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 1) faults.push(`overlap: ${name(element)} and ${name(other.element)}`);
      }
    });
    // Which event is shown, and of how many: what has no room in that line is gone whole, and these must have it.
    for (const part of document.querySelectorAll('.hg-transport__event, .hg-transport__head')) {
      const [box, line] = [part.getBoundingClientRect(), part.parentElement?.getBoundingClientRect()];
      if (line === undefined || box.right > line.right + 1 || box.bottom > line.bottom + 1)
        faults.push(`not to be seen: ${name(part)}`);
    }
    // Where the page is narrow and low at once, a name has three lines and no more.
    for (const part of innerHeight > 600
      ? document.querySelectorAll('.hg-scenarios__open, .hg-scenarios__title')
      : []) {
      if (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
        if (part.clientWidth > 0) faults.push(`not whole: ${name(part)}`);
    }
    for (const part of document.querySelectorAll('.hg-timeline__axis text')) {
      const [{ left, width }, around] = [part.getBoundingClientRect(), part.closest('svg')?.getBoundingClientRect()];
      if (width > 0 && left < (around?.left ?? 0)) faults.push(`is cut off: ${name(part)}`);
    }
    for (const part of document.querySelectorAll('.hg-bins__sizes'))
      if (part.scrollWidth > part.clientWidth + 1) faults.push(`not whole: ${name(part)}`);
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
    for (const panel of document.querySelectorAll('.hg-panel')) {
      if (panel.checkVisibility() && panel.scrollWidth > panel.clientWidth + 1)
        faults.push(`${panel.id} scrolls sideways`);
    }
    return faults;
  });

async function expectEveryWidth(page: Page, height: number, tabs: readonly string[], step: number): Promise<void> {
  const found: string[] = [];
  for (const tab of tabs) {
    for (let width = 320; width <= 2560; width += step) {
      await page.setViewportSize({ width, height });
      await openTab(page, tab);
      // Two frames: a resize is answered in the first, what it makes the panels write in the second.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      for (const fault of await faultsOf(page)) found.push(`${tab}, ${width} px: ${fault}`);
    }
  }
  expect(found).toEqual([]);
}

const all = process.env['HG_PAGE'] === 'all' || kEveryLook;
const testAll = inAll(test, all);

test('every width from 320 to 2560 has room for everything', async ({ page }) => {
  test.setTimeout(300_000);
  await openAt(page, 'thread_caches', 20_000);
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('ArrowRight'); // a chunk: the inspector is filled
  await expectEveryWidth(page, 900, ['Lists'], all ? 40 : 280);
  await expectEveryWidth(page, 900, ['Operate'], all ? 40 : 1120);
});

testAll('every width has room for the other panels too, and for the five numbers of malloc', async ({ page }) => {
  test.setTimeout(900_000); // seven panels at 57 widths
  await openMallocAt(page, 'A full cache');
  await expectEveryWidth(page, 900, ['Heaps', 'Sizes', 'Compare', 'Sites', 'Experiments', 'Programs', 'Chunk'], 40);
  // On a phone what one looks at is on the map, in rows enough to see it; beside what one makes there are two.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [tab, rows] of [
    ['Heaps', 5],
    ['Pins', 5],
    ['Operate', 2],
  ] as const) {
    await openTab(page, tab);
    await settled(page);
    const [map, bar] = await Promise.all(
      ['.hg-map', '.hg-map__bar'].map((part) => page.locator(part).first().boundingBox()),
    );
    expect((bar?.y ?? 0) - (map?.y ?? 0), tab).toBeGreaterThan(rows * 26);
  }
});

testAll('every width has room for lifetimes, the search strip and the names of colours', async ({ page }) => {
  test.setTimeout(300_000);
  await openAt(page, 'adaptive_pool', 1_000);
  await page.getByLabel('Colour of the chunks in use').selectOption('size');
  await page.keyboard.press('g');
  await expectEveryWidth(page, 900, ['Lists'], 40);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Lifetimes/ }).click();
  await expect(page.locator('.hg-lives__said')).toContainText('blocks');
  await expectEveryWidth(page, 900, ['Lists'], 40);
});

testAll('a page zoomed to 200 % has room for everything, and scrolls as a whole', async ({ page }) => {
  test.setTimeout(300_000);
  await openAt(page, 'thread_caches', 20_000);
  await expectEveryWidth(page, 450, ['Lists', 'Operate'], 40);
  await page.setViewportSize({ width: 720, height: 450 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(450);
});
