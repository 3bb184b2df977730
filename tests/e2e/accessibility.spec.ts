// axe over every panel, each test in one theme and at one size (HG_TEST=all: in both and at both); and the page under the settings of people who need them.

import { axeOn } from '../axe.ts';
import { someOf } from '../every.ts';
import {
  coloursOfMap,
  expect,
  inAll,
  kEveryLook,
  kLooks,
  looksOf,
  onOwnPage,
  openAt,
  openExperiment,
  openMallocAt,
  openTab,
  runExperiment,
  shownEvent,
  test,
} from './one_page.ts';
import { missing, openProgram, run } from './open_program.ts';

const [testAll, ownPageAll] = [inAll(test), inAll(onOwnPage)];

const kTabs = someOf(
  [
    'Lists',
    'Sites',
    'Compare',
    'Operate',
    'Script',
    'Chunk',
    'Heaps', // below, with malloc
    'Sizes',
    'Handles',
    'Pins',
    'Experiments', // below
    'Programs', // below
  ],
  4,
);

for (const { scheme, size, viewport } of looksOf(0)) {
  test(`axe finds nothing: ${scheme}, ${size}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    test.setTimeout(180_000);
    await openAt(page, 'thread_caches', 20_000);
    const map = page.locator('.hg-map__surface');
    await map.focus();
    await page.keyboard.press('ArrowRight'); // select a chunk: the inspector is filled
    for (const tab of kTabs) {
      if (!(await openTab(page, tab))) continue;
      if (tab === 'Heaps') await expect(page.getByRole('grid')).toBeVisible();
      // All of the page at the first panel; what is around the panels stays the same.
      const axe = axeOn(page).options({ rules: { 'target-size': { enabled: true } } }); // WCAG 2.5.8
      const { violations } = await (tab === kTabs[0] ? axe : axe.include('.hg-panels')).analyze();
      expect(
        violations.map((found) => `${tab}: ${found.id} ${found.nodes.map((node) => node.html).join(' ')}`),
      ).toEqual([]);
    }
  });
}

for (const { scheme, size, viewport } of looksOf(1)) {
  testAll(
    `axe finds nothing in the cache lists and where malloc is called by hand: ${scheme}, ${size}`,
    async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize(viewport);
      await openMallocAt(page, 'A full cache');
      for (const tab of ['Heaps', 'Operate'] as const) {
        await openTab(page, tab);
        if (tab === 'Heaps') await expect(page.getByRole('grid', { name: 'Cache lists by size' })).toBeVisible();
        const { violations } = await axeOn(page).analyze();
        expect(violations.map((found) => `${found.id} ${found.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
      }
    },
  );
}

for (const { scheme, size, viewport } of looksOf(0)) {
  ownPageAll(`axe finds nothing in an experiment that was run: ${scheme}, ${size}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    await openExperiment(page, 'AE3');
    await runExperiment(page);
    await page.getByText('Values as a table').first().click();
    const { violations } = await axeOn(page).analyze();
    expect(violations.map((found) => `${found.id} ${found.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  });
}

for (const { scheme, size, viewport } of looksOf(1)) {
  ownPageAll(`axe finds nothing where SQL was typed: ${scheme}, ${size}`, async ({ page }) => {
    test.skip(missing['sqlite'] !== null, String(missing['sqlite']));
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    await openProgram(page, 'sqlite');
    await run(page, 'select id, name, null as empty from person limit 3; select 1 from nowhere');
    await expect(page.locator('.hg-program__line--error')).toBeVisible();
    const { violations } = await axeOn(page).analyze();
    expect(violations.map((found) => `${found.id} ${found.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  });
}

for (const { scheme } of kEveryLook ? kLooks.filter(({ size }) => size === 'wide') : looksOf(0)) {
  test(`axe finds nothing in the scenario picker and the help: ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openAt(page, 'adaptive_pool', 100);
    await page.locator('.hg-scenarios__open').click();
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect((await axeOn(page).analyze()).violations).toEqual([]);
  });
}

for (const { scheme } of kEveryLook ? kLooks.filter(({ size }) => size === 'wide') : looksOf(1)) {
  test(`axe finds nothing in lifetimes, colours, search and what is saved: ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openAt(page, 'adaptive_pool', 1_000);
    const violations = async () =>
      (await axeOn(page).include('.hg-map-area').include('.hg-share').analyze()).violations.map(
        (found) => `${found.id} ${found.nodes.map((node) => node.html).join(' ')}`,
      );
    await page.keyboard.press('b');
    await page.getByLabel('Colour of the chunks in use').selectOption('size');
    await page.getByRole('button', { name: 'Go to (g)' }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: /^Lifetimes/ }).click();
    await page.getByRole('button', { name: 'Share and save' }).click();
    await expect(page.locator('.hg-lives__said')).toContainText('blocks');
    expect(await violations()).toEqual([]);
  });
}

onOwnPage('the theme button overrides the system and is remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openAt(page, 'adaptive_pool', 100);
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: /^Theme/ }).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(root).toHaveAttribute('data-theme', 'light');
});

onOwnPage('axe names what is wrong in the part that is included, and not in one that is excluded', async ({ page }) => {
  await page.setContent('<html lang="en"><title>A page</title><main><h1>One</h1><p><img src="data:,"></p></main>');
  const found = async (analysis: ReturnType<typeof axeOn>) =>
    (await analysis.analyze()).violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target).join()}`);
  expect(await found(axeOn(page))).toEqual(['image-alt img']);
  expect(await found(axeOn(page).include('p'))).toEqual(['image-alt img']);
  expect(await found(axeOn(page).include('h1'))).toEqual([]);
  expect(await found(axeOn(page).exclude('p'))).toEqual([]);
});

const kMedia = { 'more contrast': { contrast: 'more' }, 'forced colours': { forcedColors: 'active' } } as const;
for (const [name, media] of Object.entries(kMedia)) {
  testAll(`axe finds nothing in the panels under ${name}, and the map is drawn`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark', ...media });
    await openAt(page, 'mixed_load', 20_000);
    await expect(page.locator('html')).toHaveAttribute('data-theme', /^(dark-contrast|forced)$/);
    expect(await coloursOfMap(page)).toBeGreaterThan(1);
    for (const tab of ['Lists', 'Sizes', 'Operate']) {
      await openTab(page, tab);
      const { violations } = await axeOn(page).analyze();
      expect(violations.map((found) => `${found.id} ${found.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
    }
  });
}

testAll('forced colours and reduced motion: the page works and the map is drawn', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await openAt(page, 'adaptive_pool', 2000);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'forced');
  expect(await coloursOfMap(page)).toBeGreaterThan(1);
  await page.keyboard.press('.');
  await expect.poll(() => shownEvent(page)).toBe(2001);
});

test('at 390 pixels nothing sticks out at the side', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAt(page, 'thread_caches', 20_000);
  for (const tab of kTabs) {
    await openTab(page, tab);
    const wider = await page.evaluate(() => {
      /** What is left of a box inside all ancestors that clip it: what scrolls or is cut off there does not stick out. */
      const seen = (element: Element): { left: number; right: number } => {
        let { left, right } = element.getBoundingClientRect();
        for (let around = element.parentElement; around !== null; around = around.parentElement) {
          if (getComputedStyle(around).overflowX === 'visible') continue;
          const box = around.getBoundingClientRect();
          left = Math.max(left, box.left);
          right = Math.min(right, box.right);
        }
        return { left, right };
      };
      return [...document.querySelectorAll('body *')]
        .filter((element) => element.closest('[aria-hidden], .hg-map__hidden, .hg-hidden') === null)
        .filter((element) => {
          const { left, right } = seen(element);
          return right - left > 1 && (right > innerWidth + 1 || left < -1);
        })
        .map((element) => element.outerHTML.slice(0, 120));
    });
    expect(wider).toEqual([]);
  }
});
