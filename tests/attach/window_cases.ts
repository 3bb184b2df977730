// The whole glass in another tab: made from the package alone, or at an address; isolated pages; blocked windows.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { kEvery } from '../every.ts';
import { kIsolated, serve } from '../package/static_server.ts';
import type { Opened, Pages } from './pages.ts';

export const wait = { timeout: 20_000 };

/** The event at which the glass's badge says that model and heap are equal; -1: it says something else. */
export const verifiedAt = async (glass: Page): Promise<number> => {
  const text = await glass.locator('.hg-badge').innerText();
  const found = /model = heap, verified at ([\d,]+)/.exec(text.replaceAll('\n', ' '));
  return found?.[1] === undefined ? -1 : Number(found[1].replaceAll(',', ''));
};

/** Presses a button of the page that attaches its program in a new tab. */
export async function openGlass({ page, context }: Opened, options: object): Promise<Page> {
  await page.evaluate((given) => {
    const button = document.createElement('button');
    button.textContent = 'Glass';
    button.onclick = async () => {
      const user = globalThis as unknown as { makeProgram(): Promise<unknown>; attach(...args: unknown[]): unknown };
      const module = user.makeProgram();
      Object.assign(globalThis, { attachment: await user.attach(module, given), module: await module });
    };
    document.body.append(button);
  }, options);
  const [glass] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Glass' }).click(),
  ]);
  return glass;
}

const work = (page: Page, calls: number) =>
  page.evaluate((n) => (globalThis as unknown as { module: { _work(calls: number): number } }).module._work(n), calls);

/** The cases; `started` gives the pages, which the test file starts and ends. */
export function testWindows(started: () => Pages): void {
  test('a tab shows the whole glass of a running program: time travel and inspector, live, and found again by a reload', async () => {
    const opened = await started().open('page.html');
    const glass = await openGlass(opened, { show: 'tab', title: 'Mine' });
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
    expect(await glass.title()).toBe('Mine · heapglass');
    const before = await verifiedAt(glass);
    await work(opened.page, 3000);
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(before + 3000);

    const time = glass.getByRole('slider', { name: 'Time, in events' });
    await glass.keyboard.press('Home');
    await expect.poll(() => time.getAttribute('aria-valuenow'), wait).toBe('0');
    const head = Number(await time.getAttribute('aria-valuemax'));
    await work(opened.page, 100); // the past stays where it is while the program goes on
    await expect.poll(async () => Number(await time.getAttribute('aria-valuemax')), wait).toBeGreaterThan(head);
    expect(await time.getAttribute('aria-valuenow')).toBe('0');
    await glass.keyboard.press('End');
    await expect.poll(() => glass.locator('.hg-explain').innerText(), wait).toContain('allocate');
    expect(await glass.getByRole('tab').allInnerTexts()).toEqual([
      'Lists',
      'Heaps',
      'Sizes',
      'Compare',
      'Sites',
      'Handles',
      'Pins',
      'Chunk',
    ]);

    await glass.reload();
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(before + 3000);
    await opened.page.evaluate(() => (globalThis as unknown as { attachment: { detach(): void } }).attachment.detach());
    await expect.poll(() => glass.getByRole('alert').innerText(), wait).toContain('the program is detached');
    expect(opened.problems).toEqual([]);
    await opened.close();
  });

  test.runIf(kEvery)('an address may serve the glass, of another origin too', async () => {
    const { folder } = started().installed;
    const glassModule = pathToFileURL(join(folder, 'node_modules/heapglass/dist/attach/glass.js')).href;
    const { default: html } = (await import(glassModule)) as { readonly default: string };
    mkdirSync(join(folder, 'glass'));
    writeFileSync(join(folder, 'glass/index.html'), html);
    const elsewhere = await serve(join(folder, 'glass'));
    const opened = await started().open('page.html');
    const glass = await openGlass(opened, { show: 'tab', glassUrl: `${elsewhere.address}/index.html` });
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
    expect(glass.url()).toMatch(new RegExp(`^${elsewhere.address}/index.html#live=`));
    const before = await verifiedAt(glass);
    await work(opened.page, 3000);
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(before + 3000);
    expect(opened.problems).toEqual([]);
    await opened.close();
    elsewhere.close();
  });

  test.runIf(kEvery)('a page that is isolated, for its threads, opens the glass as well', async () => {
    const isolated = await serve(started().installed.folder, kIsolated);
    const opened = await started().openAt(`${isolated.address}/page.html`);
    expect(await opened.page.evaluate(() => crossOriginIsolated)).toBe(true);
    const glass = await openGlass(opened, { show: 'tab' });
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
    const before = await verifiedAt(glass);
    await work(opened.page, 3000);
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(before + 3000);
    expect(opened.problems).toEqual([]);
    await opened.close();
    isolated.close();
  });

  test.runIf(kEvery)('a blocked window is told, and the dock has a button that opens it', async () => {
    const opened = await started().open('page.html');
    const { page, context } = opened;
    await page.evaluate(async () => {
      const user = globalThis as unknown as {
        makeProgram(): Promise<unknown>;
        attach(...args: unknown[]): Promise<unknown>;
      };
      const { open } = window;
      window.open = () => null; // what a browser does that blocks it
      await user.attach(user.makeProgram(), { show: 'tab', title: 'Mine' });
      window.open = open;
    });
    await expect
      .poll(() => page.getByRole('alert').first().innerText(), wait)
      .toContain('The browser has blocked the window');
    const [glass] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Open in a window' }).click(),
    ]);
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
    expect(opened.problems).toEqual([]);
    await opened.close();
  });
}
