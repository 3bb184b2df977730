// A user's own program, live on a page: from the tarball, with the flags that it prints, in a real browser.

import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attachable, Attachment, AttachOptions } from '../../web/src/attach/attach.ts';
import type { Recorder } from '../../web/src/record/recorder_types.ts';
import { kEvery } from '../every.ts';
import { kIsolated, serve } from '../package/static_server.ts';
import { testElement } from './element_cases.ts';
import { testGlass } from './glass_cases.ts';
import { type Pages, startPages } from './pages.ts';
import { testStrangers } from './stranger_cases.ts';
import { testWindows } from './window_cases.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages?.dispose());

interface Program {
  _work(calls: number): number;
  readonly heapglass: Recorder;
}

interface Threads {
  readonly Module: { _work(rounds: number): void; _rounds_done(): number; readonly heapglass: Recorder };
}

/** What the fixtures leave on their pages. */
interface UserPage {
  readonly attach: ((target: Attachable | Promise<Attachable>, options?: AttachOptions) => Promise<Attachment>) & {
    imports(): WebAssembly.Imports & NonNullable<AttachOptions['imports']>;
    fromWorker(name: string): Promise<Attachable>;
  };
  readonly createHeap: (options: object) => Promise<Attachable & { allocate(size: number): number }>;
  readonly makeProgram: (options?: object) => Promise<Program>;
  readonly makeUntraced: () => Promise<unknown>;
  attachment: Attachment;
  module: Program;
  worker: Worker;
  bare: WebAssembly.Instance;
}

const wait = { timeout: 20_000 };
const dockText = (page: Page): Promise<string> =>
  page.evaluate(
    () => document.querySelector('.hg-dock')?.shadowRoot?.querySelector('.hg-dock__bar')?.textContent ?? '',
  );
/** The event at which the dock says that the real heap was walked and is what it shows; -1: it says something else. */
const verifiedAt = async (page: Page): Promise<number> => {
  const found = /● model = heap, verified at ([\d,]+)/.exec(await dockText(page));
  return found?.[1] === undefined ? -1 : Number(found[1].replaceAll(',', ''));
};

/** Different colours of the map that is shown: one when nothing is drawn. */
const coloursOfMap = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const map = document.querySelector('.hg-dock')?.shadowRoot?.querySelector('hg-heap-map');
    const canvas = map?.shadowRoot?.querySelector('canvas');
    if (!canvas?.width || !canvas.height) return 0;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data;
    return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
  });

describe('in a page', () => {
  test('a C program linked with the printed flags is live by two lines of JavaScript', async () => {
    const { page, problems, close } = await pages.open('two_lines.html');
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(500);
    expect(await coloursOfMap(page)).toBeGreaterThan(4);
    const before = await verifiedAt(page);
    await page.getByRole('button', { name: 'Work' }).click();
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(before + 2000);
    expect(await dockText(page)).toMatch(/My program.*in use \d.* of \d/);

    // All that the program wrote is there: the proof stands at its newest event.
    const written = await page.evaluate(() => (globalThis as unknown as { Module: Program }).Module.heapglass.count);
    await expect.poll(() => verifiedAt(page), wait).toBe(written);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(await verifiedAt(page)).toBe(written); // at rest nothing moves
    expect(problems).toEqual([]);
    await close();
  });

  test('a program attached late, whose past nobody kept, begins with a walk of its heap', async () => {
    const { page, problems, close } = await pages.open('page.html');
    const before = await page.evaluate(async () => {
      const user = globalThis as unknown as UserPage;
      user.module = await user.makeProgram({ heapglassOptions: { keep: 'none' } });
      user.module._work(40_000);
      const { count } = user.module.heapglass;
      user.attachment = await user.attach(user.module);
      return count;
    });
    expect(before).toBeGreaterThan(50_000);
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(100);
    const shown = await page.evaluate(async () => {
      const { element } = (globalThis as unknown as UserPage).attachment;
      return element?.shadowRoot?.querySelector('[role=status]')?.textContent;
    });
    expect(shown).toMatch(/begins behind [\d,]+ events that are not kept/);
    const at = await verifiedAt(page);
    await page.evaluate(() => (globalThis as unknown as UserPage).module._work(500));
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(at + 500);
    expect(problems).toEqual([]);
    await close();
  });

  test('a program with threads is shown whole: none of their events is missing', async () => {
    const isolated = await serve(pages.installed.folder, kIsolated);
    const { page, problems, close } = await pages.openAt(`${isolated.address}/threads.html`);
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(0);
    const asked = 100;
    const roundsDone = () => page.evaluate(() => (globalThis as unknown as Threads).Module._rounds_done());
    await page.evaluate((rounds) => (globalThis as unknown as Threads).Module._work(rounds), asked);
    await expect.poll(roundsDone, wait).toBe(2 * asked);
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(2 * asked * 100);
    const written = await page.evaluate(() => (globalThis as unknown as Threads).Module.heapglass.count);
    await expect.poll(() => verifiedAt(page), wait).toBe(written);
    expect(await dockText(page)).not.toContain('lost');
    expect(problems).toEqual([]);
    await close();
    isolated.close();
  });

  test.runIf(kEvery)(
    'two modules at once, given as promises, stay apart; the dock shows one of them at a time',
    async () => {
      const { page, problems, close } = await pages.open('page.html');
      await page.evaluate(async () => {
        const { attach, makeProgram } = globalThis as unknown as UserPage;
        const one = makeProgram();
        await attach(one, { title: 'one' });
        (await one)._work(9000);
        await attach(makeProgram(), { title: 'two' });
      });
      await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(500);
      const two = await verifiedAt(page);
      expect(two).toBeLessThan(10_000);
      expect(page.workers()).toHaveLength(1);
      await page.getByRole('combobox', { name: 'Program' }).selectOption('one');
      await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(20_000);
      await page.getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => verifiedAt(page), wait).toBeGreaterThanOrEqual(two);
      expect(await verifiedAt(page)).toBeLessThan(10_000);
      await page.getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => page.workers().length, wait).toBe(0);
      expect(await page.locator('.hg-dock').count()).toBe(0);
      expect(problems).toEqual([]);
      await close();
    },
  );

  test.runIf(kEvery)('a detached program runs on and leaves no worker and no dock', async () => {
    const { page, problems, close } = await pages.open('page.html');
    await page.evaluate(async () => {
      const user = globalThis as unknown as UserPage;
      user.module = await user.makeProgram();
      user.attachment = await user.attach(user.module);
    });
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(500);
    const after = await page.evaluate(() => {
      const { attachment, module } = globalThis as unknown as UserPage;
      attachment.detach();
      return { alive: module._work(1000), docks: document.querySelectorAll('.hg-dock').length };
    });
    expect(after.alive).toBeGreaterThan(100);
    expect(after.docks).toBe(0);
    await expect.poll(() => page.workers().length, wait).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test.runIf(kEvery)('where the content policy forbids blob: workers, an address of the worker serves', async () => {
    const { page, problems, close } = await pages.open('strict.html');
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(500);
    expect(page.workers()[0]?.url()).toMatch(/\/visualizer\/worker\.js$/);
    expect(problems).toEqual([]);
    await close();
  });

  test('a module without recorder is refused with how to link it, a heap without trace with how to make it', async () => {
    const { page, close } = await pages.open('page.html');
    const said = await page.evaluate(async () => {
      const { attach, createHeap, makeUntraced } = globalThis as unknown as UserPage;
      const wrong = [await makeUntraced(), await createHeap({}), undefined, 7];
      const told = (target: unknown) => attach(target as Attachable).then(() => 'attached', String);
      return Promise.all(wrong.map(told));
    });
    expect(said[0]).toContain('link the program with $(npx heapglass --ldflags --profile trace)');
    expect(said[1]).toContain('createHeap({ trace: true })');
    expect(said[2]).toContain('undefined is nothing to attach to');
    expect(said[3]).toContain('number is nothing to attach to');
    expect(await page.locator('.hg-dock').count()).toBe(0);
    await close();
  });
});

describe('other modules', () => {
  test('a module without Emscripten is followed by its exports, lossless by the import, from a promise of its instance', async () => {
    const { page, problems, close } = await pages.open('page.html');
    await page.evaluate(async () => {
      const user = globalThis as unknown as UserPage;
      const imports = user.attach.imports();
      const env = { emscripten_notify_memory_growth: () => {} };
      const made = WebAssembly.instantiateStreaming(fetch('./bare.wasm'), { env, ...imports });
      user.attachment = await user.attach(made, { imports });
      const { _initialize, work } = (await made).instance.exports as Record<string, (calls?: number) => number>;
      _initialize?.();
      work?.(50_000); // several rings full in one call
    });
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(200_000);
    expect(await dockText(page)).not.toContain('lost');
    expect(problems).toEqual([]);
    await close();
  });

  test.runIf(kEvery)(
    'without the import its ring drops: the map says how many events are missing, and is proved again behind them',
    async () => {
      const { page, problems, close } = await pages.open('page.html');
      await page.evaluate(async () => {
        const user = globalThis as unknown as UserPage;
        const imports = { env: { emscripten_notify_memory_growth: () => {} }, heapglass: { drain: () => {} } };
        const { instance } = await WebAssembly.instantiateStreaming(fetch('./bare.wasm'), imports);
        (instance.exports['work'] as (calls: number) => number)(10);
        user.attachment = await user.attach(instance);
        user.bare = instance;
      });
      await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(10);
      const told = await page.evaluate(async () => {
        const { attachment, bare } = globalThis as unknown as UserPage;
        const heard = new Promise<string>((resolve) => {
          attachment.element?.addEventListener('hg-notice', ({ detail }) =>
            resolve(`${detail.kind}: ${detail.message}`),
          );
        });
        (bare.exports['work'] as (calls: number) => number)(50_000);
        return heard;
      });
      expect(told).toMatch(/^lost: [\d,]+ events were lost$/);
      // △ stands only until the walk behind the gap is compared, which may be sooner than one looks.
      await expect
        .poll(() => dockText(page), wait)
        .toMatch(/● model = heap, verified at [\d,]+; [\d,]{6,} events lost before/);
      expect(problems).toEqual([]);
      await close();
    },
  );

  test.runIf(kEvery)('a traced heap of JavaScript is followed and proved like any program', async () => {
    const { page, problems, close } = await pages.open('page.html');
    await page.evaluate(async () => {
      const { attach, createHeap } = globalThis as unknown as UserPage;
      const heap = await createHeap({ trace: true });
      for (let i = 0; i < 300; ++i) heap.allocate(10 + i);
      await attach(heap, { title: 'a heap' });
    });
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(300);
    expect(problems).toEqual([]);
    await close();
  });

  test('a program in a worker is shown by the page, under the name that both know', async () => {
    const { page, problems, close } = await pages.open('page.html');
    await page.evaluate(async () => {
      const user = globalThis as unknown as UserPage;
      user.worker = new Worker('./worker.js', { type: 'module' });
      user.attachment = await user.attach(user.attach.fromWorker('in a worker'), { title: 'far away' });
    });
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(500);
    const before = await verifiedAt(page);
    await page.evaluate(() => (globalThis as unknown as UserPage).worker.postMessage(20_000));
    await expect.poll(() => verifiedAt(page), wait).toBeGreaterThan(before + 20_000);
    expect(await dockText(page)).not.toContain('lost');
    expect(problems).toEqual([]);
    await close();
  });
});

describe('another tab or window', () => {
  testWindows(() => pages);
});

describe('strangers', () => {
  testStrangers(() => pages);
});

describe('the element', () => {
  testElement(() => pages);
  testGlass(() => pages);
});
