// A heap that shrank, in the page: its mark on the time line, the footprint that fell, and the explanation at the mark.

import { createHeap } from '../../web/src/heap/create_heap.ts';
import type { TracedHeap } from '../../web/src/heap/heap_types.ts';
import { expect, goTo, headOf, settled, test } from './open.ts';

const kBlock = 64_000;

/** 64 MB in blocks, of which the first hundred stay; then a shrink and a snapshot, each with work behind it. */
async function shrunkTrace(): Promise<Buffer> {
  const heap = (await createHeap({ trace: true })) as TracedHeap;
  const blocks = Array.from({ length: 1000 }, () => heap.allocate(kBlock));
  for (const block of blocks.slice(100)) heap.deallocate(block);
  const work = (): void => {
    for (let i = 0; i < 600; ++i) heap.deallocate(heap.allocate(1000));
  };
  await heap.shrink();
  work();
  heap.snapshot();
  work();
  heap.checkpoint();
  return Buffer.from(heap.trace());
}

test('a shrink stands on the time line as a mark, the footprint falls there, and the mark is explained', async ({
  page,
}) => {
  await page.goto('./#scenario=burst_list&event=100'); // not the first moment, which costs a program
  const file = { name: 'shrunk.hgtrace', mimeType: 'application/octet-stream', buffer: await shrunkTrace() };
  await page.locator('.hg-scenarios input[type=file]').setInputFiles(file);
  await expect(page.locator('.hg-scenarios__open')).toHaveText(`trace ${file.name}`);
  await page.keyboard.press('End'); // else it plays to its end first
  await settled(page);
  const marks = page.locator('.hg-timeline__marks g');
  await expect(marks).toHaveCount(2);
  const titles = await marks.evaluateAll((all) => all.map((each) => each.textContent));
  expect(titles[0]).toMatch(/shrunk from [\d.]+ to [\d.]+ MiB/);
  expect(titles[1]).toMatch(/snapshot of [\d.]+ MiB/);
  const shrunk = Number(await marks.first().getAttribute('data-seq'));
  const footprint = async (event: number): Promise<number> => {
    await goTo(page, event);
    const said = await page.locator('.hg-status__item', { hasText: 'footprint' }).first().textContent();
    return Number(/([\d.]+)\s*MiB/.exec(said ?? '')?.[1]);
  };
  expect(await footprint(await headOf(page))).toBeLessThan(10);
  expect(await footprint(shrunk - 200)).toBeGreaterThan(60);
  expect(await footprint(shrunk)).toBeLessThan(10);
  await expect(page.locator('.hg-explain__title').first()).toHaveText(/^mark: shrunk from/);
  await goTo(page, shrunk - 4); // before the texts of the mark: the event itself
  await expect(page.locator('.hg-explain__card')).toContainText(/went on in another memory of [\d.]+\sMiB/);
});
