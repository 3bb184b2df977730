// <hg-heap-map> of the package: it says what is damaged, lost or unproven, and it carries no heap of its own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HeapMapNotice } from '../../web/src/elements/heap_map_notices.ts';
import { kEvery } from '../every.ts';
import type { Pages } from './pages.ts';

interface Heap {
  allocate(size: number): number;
  checkpoint(): void;
  trace(): Uint8Array<ArrayBuffer>;
  readonly eventCount: number;
}

/** What is done to a whole trace, counted from its end: bytes that are cut off, the byte of which a bit is turned. */
const kHarms = {
  none: { cut: 0, turned: 0 },
  cut: { cut: 4000, turned: 0 },
  turned: { cut: 0, turned: 3000 },
} as const;

const kMostBytes = 312 * 1024; // 311.0 KiB on 27 November 2026

/** A script and all that it imports at once. */
function reached(folder: string, first: string): readonly string[] {
  const found = [first];
  for (const name of found) {
    const text = readFileSync(join(folder, name), 'utf8');
    const imported = [...text.matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+)["']/g)].map(([, next = '']) => next);
    found.push(...imported.filter((next) => !found.includes(next)));
  }
  return found;
}

export function testElement(started: () => Pages): void {
  /** Shows a trace in an element of its own; what the element fires and says. */
  async function show(harm: keyof typeof kHarms, proven: boolean) {
    const { page, problems, close } = await started().open('page.html');
    const found = await page.evaluate(
      async ([{ cut, turned }, withProof]) => {
        const { createHeap } = globalThis as unknown as { createHeap(options: object): Promise<Heap> };
        const heap = await createHeap({ trace: true });
        for (let i = 0; i < 2000; ++i) heap.allocate(10 + (i % 90));
        if (withProof) heap.checkpoint();
        const map = document.createElement('hg-heap-map');
        const fired: HeapMapNotice[] = [];
        map.addEventListener('hg-notice', ({ detail }) => fired.push(detail));
        map.addEventListener('hg-error', ({ detail }) => fired.push({ kind: 'damaged', message: detail.message }));
        const framed = new Promise((resolve) => map.addEventListener('hg-frame', resolve));
        const failed = new Promise((resolve) => map.addEventListener('hg-error', resolve));
        const whole = heap.trace();
        const file = whole.slice(0, whole.length - cut);
        if (turned > 0) file[file.length - turned] = (file[file.length - turned] ?? 0) ^ 1;
        map.trace = file;
        document.body.append(map);
        await Promise.race([framed, failed]);
        const words = (role: string) => map.shadowRoot?.querySelector(`[role=${role}]`)?.textContent;
        const said = `${words('status')}${words('alert')}`;
        const again = new Promise((resolve) => {
          for (const event of ['hg-frame', 'hg-error']) map.addEventListener(event, resolve);
        });
        const firedAtFirst = fired.slice();
        map.remove();
        document.body.append(map);
        await again;
        return { fired: firedAtFirst, said, saidAgain: `${words('status')}${words('alert')}` };
      },
      [kHarms[harm], proven] as const,
    );
    expect(problems).toEqual([]);
    await close();
    const { fired, said, saidAgain } = found;
    expect(saidAgain).toBe(said); // taken out of the page and put back (L4)
    return { fired, said };
  }

  test.runIf(kEvery)('says nothing about a trace that is whole and proves itself', async () => {
    expect(await show('none', true)).toEqual({ fired: [], said: '' });
  });

  test.runIf(kEvery)('says that a trace proves nothing when it holds no checkpoint', async () => {
    const { fired, said } = await show('none', false);
    expect(fired.map(({ kind }) => kind)).toEqual(['not_verified']);
    expect(said).toContain('holds no checkpoint');
  });

  for (const harm of ['cut', 'turned'] as const) {
    test(`never shows a trace ${harm === 'cut' ? 'that was cut' : 'of which a bit has turned'} without a word`, async () => {
      const { fired, said } = await show(harm, true);
      expect(fired[0]?.kind).toBe('damaged');
      expect(said).toContain(fired[0]?.message);
      expect(said).toMatch(harm === 'cut' ? /cut/ : /damaged|checksum/);
    });
  }

  test('with controls it has a time line, steps and numbers, and the wheel scrolls the page until the map has the focus', async () => {
    const { page, problems, close } = await started().open('page.html');
    await page.evaluate(async () => {
      const { createHeap } = globalThis as unknown as { createHeap(options: object): Promise<Heap> };
      const heap = await createHeap({ trace: true });
      for (let i = 0; i < 500; ++i) heap.allocate(10 + (i % 90));
      heap.checkpoint();
      const map = document.createElement('hg-heap-map');
      map.controls = true;
      map.trace = heap.trace();
      document.body.append(map);
      const ground = document.createElement('div');
      ground.style.height = '4000px';
      document.body.append(ground);
    });
    const controls = page.locator('hg-heap-map .hg-controls');
    const where = controls.locator('.hg-controls__where');
    await where.getByText(/event [\d,]+ \/ [\d,]+/).waitFor();
    const headOf = async () => Number((await where.innerText()).replace(/.*\/ /, '').replaceAll(',', ''));
    const head = await headOf();
    const row = page.locator('hg-heap-map .hg-map__row-bytes');
    await row.getByText('a row').waitFor();
    const before = await row.innerText();
    expect(await controls.locator('.hg-controls__numbers').innerText()).toMatch(/in use .*KiB · footprint/);
    await controls.getByRole('button', { name: 'One event back' }).click();
    await where.getByText(new RegExp(`event ${(head - 1).toLocaleString('en-US')} /`)).waitFor();
    expect(await page.locator('hg-heap-map').evaluate((map) => (map as HTMLElementTagNameMap['hg-heap-map']).seq)).toBe(
      head - 1,
    );
    const slider = controls.getByRole('slider');
    await slider.press('Home');
    await where.getByText('event 0 /').waitFor();
    await controls.getByRole('button', { name: 'Play' }).click();
    await where.getByText(/event [1-9]/).waitFor();
    await controls.getByRole('button', { name: 'Newest event' }).click();
    await where.getByText(new RegExp(`event ${head.toLocaleString('en-US')} /`)).waitFor();
    await controls.getByRole('button', { name: 'Play' }).waitFor();

    const surface = page.locator('hg-heap-map .hg-map__surface');
    await row.getByText(before).waitFor(); // the newest event's picture again
    await page.evaluate(() => scrollTo(0, 0));
    await surface.hover();
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => scrollY > 0);
    expect(await row.innerText()).toBe(before);
    await surface.focus();
    await page.mouse.wheel(0, -480);
    await page.waitForFunction(
      (text) =>
        document.querySelector('hg-heap-map')?.shadowRoot?.querySelector('.hg-map__row-bytes')?.textContent !== text,
      before,
    );
    for (const folded of [false, true]) {
      await page.keyboard.press('e');
      await page.locator(`hg-heap-map [aria-label^="Empty rows folded"][aria-pressed=${folded}]`).waitFor();
    }
    expect(problems).toEqual([]);
    await close();
  });

  test(`takes at most ${kMostBytes / 1024} KiB to load, and no wasm is inside`, () => {
    const folder = join(started().installed.folder, 'node_modules/heapglass/dist/visualizer');
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const texts = files.map((name) => readFileSync(join(folder, name), 'latin1'));
    for (const text of texts) expect(text).not.toMatch(/AGFzbQ|\0asm|data:application\/wasm|\.wasm["'`]/);
    // The same worker again, for strict pages; and what is loaded only where controls or a whole glass are wanted.
    const loaded = reached(folder, 'define.js');
    for (const later of ['worker.js', 'element_controls.js', 'glass_inside.js']) {
      expect(files).toContain(later);
      expect(loaded).not.toContain(later);
    }
    const bytes = loaded.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(kMostBytes);
  });
}
