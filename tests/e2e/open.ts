// Opening the page in a test: every test ends with "nothing was written to the console as an error".

import { test as base, expect as baseExpect, type ConsoleMessage, type Page } from '@playwright/test';
import { malloc } from '../../web/src/scenarios/malloc.ts';
import { kEvery } from '../every.ts';
import { noteWriting } from './left_behind.ts';

/** Milliseconds between two looks of expect.poll: Playwright's own grow to a second, in which nothing happens. */
const kIntervals = [20, 50, 100];

/** Playwright's, but what is polled is looked at more often. */
export const expect: typeof baseExpect = new Proxy(baseExpect, {
  get(all, name, receiver) {
    if (name !== 'poll') return Reflect.get(all, name, receiver);
    const poll: typeof baseExpect.poll = (actual, options) =>
      all.poll(actual, { intervals: kIntervals, ...(typeof options === 'string' ? { message: options } : options) });
    return poll;
  },
});

export const test = base.extend<{ readonly errors: readonly string[] }, { readonly onePage: Page }>({
  // one_page.ts. Here, so that all tests have the same fixtures of a process: else the process and its browser end between two tests
  // that have not.
  onePage: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext(project.use);
      await context.addInitScript(noteWriting);
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  errors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      const thrown = (error: Error) => errors.push(String(error));
      const written = (message: ConsoleMessage) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
      };
      page.on('pageerror', thrown).on('console', written);
      await use(errors);
      page.off('pageerror', thrown).off('console', written); // of one page for several tests
      expect(errors, 'console errors and warnings').toEqual([]);
    },
    { auto: true },
  ],
});

export const timeOf = (page: Page) => page.getByRole('slider', { name: 'Time, in events' });

/** The event that is shown. */
export const shownEvent = async (page: Page): Promise<number> =>
  Number(await timeOf(page).getAttribute('aria-valuenow'));

/** The newest event. */
export const headOf = async (page: Page): Promise<number> => Number(await timeOf(page).getAttribute('aria-valuemax'));

/** All that was asked for has come and is drawn (web/src/shell/settled.ts). A page that plays does not settle. */
export const settled = (page: Page): Promise<void> =>
  expect.poll(() => page.locator('.hg-page').first().getAttribute('data-settled'), { timeout: 45_000 }).toBe('true');

/** Gives a test to npm run test:all alone, as in `const testAll = inAll(test)`; `also`: to a run that has another name for it. */
export const inAll = <Test>(test: Test, also = false): Test | (() => void) => (kEvery || also ? test : () => {});

/** Goes to an event the way a link does. */
export async function goTo(page: Page, event: number): Promise<void> {
  await page.evaluate((at) => {
    const parts = new URLSearchParams(location.hash.slice(1));
    parts.set('event', String(at));
    location.hash = parts.toString();
  }, event);
  await expect.poll(() => shownEvent(page)).toBe(event);
  await settled(page);
}

/** Opens a story that is already told to its end, standing at an event of it. */
export async function openAt(page: Page, scenario: string, event: number): Promise<void> {
  await page.goto(`./#scenario=${scenario}&event=${event}`);
  await settled(page); // asked often; what follows is looked at twice a second
  await expect(timeOf(page)).not.toHaveAttribute('aria-valuemax', '0');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', String(event));
  await expect(page.locator('.hg-transport__head')).not.toContainText('+', { timeout: 45_000 });
  await settled(page);
}

const middles = new Map<string, number>();

/** The story of malloc, in the middle of the chapter whose title begins so: where that is follows from the allocator. */
export async function openMallocAt(page: Page, chapter: string): Promise<void> {
  const known = middles.get(chapter); // by a test of this process before
  if (known !== undefined) return openAt(page, 'malloc', known);
  await openAt(page, 'malloc', 100);
  const chapters = page.locator('.hg-timeline__marks g');
  const starts = await chapters.evaluateAll((all) => all.map((group) => Number(group.getAttribute('data-seq'))));
  const nth = malloc.info.chapters.findIndex((title) => title.startsWith(chapter));
  const [from = 0, to = await headOf(page)] = [starts[nth], starts[nth + 1]];
  const event = Math.round((from + to) / 2);
  middles.set(chapter, event);
  await page.evaluate((at) => {
    location.hash = `scenario=malloc&event=${at}`;
  }, event);
  await expect.poll(() => shownEvent(page)).toBe(event);
  await settled(page);
}

/** The empty heap to drive by hand. */
export async function openByHand(page: Page): Promise<void> {
  await page.goto('./#scenario=by_hand');
  await settled(page); // as above
  await expect(page.getByRole('button', { name: 'Allocate', exact: true })).toBeEnabled();
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
  await settled(page);
}

/** As from a server that knows nothing of the headers that isolate a page: threads cannot share memory then. */
export async function withoutIsolation(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const response = await route.fetch().catch(() => undefined); // none: the test ended meanwhile
    if (response === undefined) return;
    const { 'cross-origin-opener-policy': _, 'cross-origin-embedder-policy': __, ...headers } = response.headers();
    await route.fulfill({ response, headers }).catch(() => undefined);
  });
}

/** One experiment, open and not yet run. */
export async function openExperiment(page: Page, id: string): Promise<void> {
  await page.goto(`./#scenario=by_hand&tab=experiments&experiment=${id}&event=0`);
  await settled(page); // as above
  await expect(page.locator('.hg-experiments__title')).toContainText(id);
  await settled(page);
}

/** Runs the experiment that is open, quickly, to its end. */
export async function runExperiment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible({ timeout: 45_000 });
}

/**
 * How many different colours the map's canvas holds: one when nothing is drawn. It reads a copy: Chromium warns of
 * a canvas that is read often, and this canvas is read often by tests only.
 */
export const coloursOfMap = (page: Page): Promise<number> => coloursOf(page, 0);

/** The same of the canvas that lies over it: what an answer lights, what is selected. */
export const coloursOverMap = (page: Page): Promise<number> => coloursOf(page, 1);

const coloursOf = (page: Page, nth: number): Promise<number> =>
  page
    .locator('.hg-map canvas')
    .nth(nth)
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0 || canvas.height === 0) return 0;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0);
      const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
      return new Set(new Uint32Array(pixels.buffer)).size;
    });

/** Selects a cached chunk, by the map's table of those in view. */
export async function selectCachedChunk(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: /table/i });
  await toggle.click();
  const rows = page.getByRole('region', { name: 'Table of chunks' }).getByRole('row');
  await rows.filter({ hasText: 'cached' }).nth(2).getByRole('button').click();
  await expect(page.locator('.hg-inspector__state')).toContainText('cached · on list');
  await toggle.click();
}

/** The looks that a page is tested in. Daily, of every four the first and the last; all of them in npm run test:all. */
export const kEveryLook = kEvery;
export const kLooks = (['dark', 'light'] as const)
  .flatMap((scheme) => [
    { scheme, size: 'wide', viewport: { width: 1440, height: 900 } } as const,
    { scheme, size: 'narrow', viewport: { width: 390, height: 844 } } as const,
  ])
  .filter((_, nth) => kEveryLook || nth === 0 || nth === 3);
/** The looks of a test that takes long: daily one, each second test the other. */
export const looksOf = (nth: number): readonly (typeof kLooks)[number][] =>
  kEveryLook ? kLooks : kLooks.slice(nth % 2, (nth % 2) + 1);

/** Opens a panel by its tab, which is shown in its place only: looking, making or learning. False: there is no such tab at this width. */
export async function openTab(page: Page, name: string): Promise<boolean> {
  const tab = page.getByRole('tab', { name, exact: true, includeHidden: true });
  const places = page.getByRole('group', { name: 'Places' }).getByRole('button');
  for (let place = 0; !(await tab.isVisible()) && place < (await places.count()); place++)
    await places.nth(place).click();
  if (!(await tab.isVisible())) return false;
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  return true;
}
