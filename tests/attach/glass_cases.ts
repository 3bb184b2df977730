// <hg-glass> of the package: two of them on somebody else's page, which they leave alone and which leave each other alone.

import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { HeapMapFrameDetail } from '../../web/src/elements/frame_detail.ts';
import { kEvery } from '../every.ts';
import type { Pages } from './pages.ts';

interface Heap {
  allocate(size: number): number;
  checkpoint(): void;
  trace(): Uint8Array<ArrayBuffer>;
}

type Glass = HTMLElementTagNameMap['hg-glass'];

/** What the test leaves on its page. */
interface TestPage {
  createHeap(options: object): Promise<Heap>;
  /** The last frame that each glass told of, the moments that it showed one after the other, and what they said was wrong. */
  frames: Record<string, HeapMapFrameDetail>;
  moments: Record<string, number[]>;
  wrong: string[];
}

const wait = { timeout: 20_000 };

export function testGlass(started: () => Pages): void {
  /** A page higher than its window, with a glass for each number of blocks, standing at event 100. */
  async function open(...blocks: readonly number[]) {
    const opened = await started().open('page.html');
    await opened.page.waitForFunction(() => 'createHeap' in globalThis);
    await opened.page.evaluate(async (counts) => {
      const given = globalThis as unknown as TestPage;
      Object.assign(given, { frames: {}, moments: {}, wrong: [] });
      addEventListener('hg-frame', ({ target, detail }: CustomEventInit & Event) => {
        const { id } = target as Element;
        given.frames[id] = detail;
        given.moments[id] ??= [];
        if (given.moments[id].at(-1) !== detail.seq) given.moments[id].push(detail.seq);
      });
      addEventListener('hg-error', ({ detail }: CustomEventInit & Event) => given.wrong.push(detail.message));
      for (const [nth, count] of counts.entries()) {
        const heap = await given.createHeap({ trace: true });
        for (let i = 0; i < count; ++i) heap.allocate(10 + (i % 90));
        heap.checkpoint();
        const glass = document.createElement('hg-glass');
        glass.id = `glass${nth}`;
        glass.moment = 'event=100';
        glass.trace = heap.trace();
        document.body.append(glass);
      }
    }, blocks);
    return opened;
  }
  const eventOf = (page: Page, id: string) =>
    page.evaluate((name) => (globalThis as unknown as TestPage).frames[name]?.seq, id);
  const headOf = (page: Page, id: string) =>
    page.evaluate((name) => (globalThis as unknown as TestPage).frames[name]?.head, id);

  test('two <hg-glass> on a page show a trace each; keys, steps and panels of one do not reach the other', async () => {
    const { page, problems, close } = await open(300, 500);
    await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(100);
    await expect.poll(() => eventOf(page, 'glass1'), wait).toBe(100);
    expect(await headOf(page, 'glass0')).not.toBe(await headOf(page, 'glass1'));

    await page.locator('body').press('.'); // nobody's: no glass has the focus
    await page
      .locator('#glass0')
      .getByRole('button', { name: /^One step on/ })
      .click();
    await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(101);
    await page.locator('#glass1').getByRole('tab', { name: 'Sizes' }).click();
    await page.keyboard.press('Home');
    await expect.poll(() => eventOf(page, 'glass1'), wait).toBe(0);
    const head = await headOf(page, 'glass0');
    await page.locator('#glass0').getByRole('button', { name: 'Newest event (End)' }).click();
    await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(head);
    const { glass0 = [], glass1 = [] } = await page.evaluate(() => (globalThis as unknown as TestPage).moments);
    expect([glass0.slice(glass0.indexOf(100)), glass1.slice(glass1.indexOf(100))]).toEqual([
      [100, 101, head],
      [100, 0],
    ]);
    expect(await page.locator('#glass0').getByRole('tab', { name: 'Lists' }).getAttribute('aria-selected')).toBe(
      'true',
    );

    await page.locator('#glass0').evaluate((glass) => {
      (glass as Glass).moment = 'event=50&tab=compare';
    });
    await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(50);
    await page.locator('#glass0').evaluate((glass) => {
      (glass as Glass).theme = 'light';
      (glass as Glass).style.setProperty('--hg-bg', 'rgb(1, 2, 3)');
    });
    const grounds = () =>
      page.locator('hg-glass').evaluateAll((all) => all.map((glass) => getComputedStyle(glass).backgroundColor));
    await expect.poll(grounds, wait).toContain('rgb(1, 2, 3)');
    expect(new Set(await grounds()).size).toBe(2);
    expect(problems).toEqual([]);
    await close();
  });

  test.runIf(kEvery)(
    '<hg-glass> leaves the page around it alone: title, address, history, storage, keys and the wheel',
    async () => {
      const { page, problems, close } = await open(300);
      await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(100);
      const around = () =>
        page.evaluate(() => [document.title, location.href, history.length, JSON.stringify(localStorage)]);
      const before = await around();
      const surface = page.locator('#glass0 .hg-map__surface');
      const row = page.locator('#glass0 .hg-map__row-bytes');
      const zoom = await row.innerText();
      for (const over of [surface, page.locator('#glass0 .hg-timeline')]) {
        await page.evaluate(() => scrollTo(0, 0));
        await over.scrollIntoViewIfNeeded();
        await page.evaluate(() => document.body.style.setProperty('padding-bottom', '4000px'));
        const from = await page.evaluate(() => scrollY);
        await over.hover({ position: { x: 200, y: 20 } });
        await page.mouse.wheel(0, 120);
        await page.waitForFunction((y) => scrollY > y, from);
      }
      expect(await row.innerText()).toBe(zoom);
      await surface.focus();
      await page.mouse.wheel(0, 10);
      await page.keyboard.press('u'); // undo of a move: a guest's page is not left by it
      await page.locator('#glass0').getByRole('button', { name: 'Theme: as the system' }).click();
      await page.locator('#glass0').getByRole('button', { name: 'Theme: light' }).waitFor();
      expect(await around()).toEqual(before);
      expect(problems).toEqual([]);
      await close();
    },
  );

  test('<hg-glass> says that it has no trace, that a file is missing or damaged, and shows again what it showed before', async () => {
    const { page, close } = await open(300);
    const glass = page.locator('#glass0');
    await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(100);
    const set = (change: (glass: Glass) => void) => glass.evaluate(change as (glass: Element) => void);
    await set((it) => {
      it.src = 'missing.hgtrace';
    });
    await glass.getByRole('alert').getByText('missing.hgtrace: 404 Not Found').waitFor();
    await set((it) => {
      it.trace = new Uint8Array(1000);
    });
    await glass.locator('.hg-notice:not([hidden])').waitFor();
    await set((it) => {
      it.trace = undefined;
      it.removeAttribute('src');
    });
    await glass.getByRole('status').getByText('No trace').waitFor();
    const wrong = await page.evaluate(() => (globalThis as unknown as TestPage).wrong);
    expect(wrong.length, wrong.join(' | ')).toBe(2);
    expect(wrong[0]).toContain('404');
    expect(wrong[1]).toMatch(/trace/);

    await page.evaluate(async () => {
      const given = globalThis as unknown as TestPage;
      const heap = await given.createHeap({ trace: true });
      for (let i = 0; i < 50; ++i) heap.allocate(20);
      const it = document.querySelector('hg-glass') as Glass;
      it.moment = 'event=20';
      it.trace = heap.trace();
      it.remove();
      given.frames = {};
      document.body.append(it);
    });
    await expect.poll(() => eventOf(page, 'glass0'), wait).toBe(20);
    await close();
  });
}
