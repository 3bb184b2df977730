// A large trace: how far its opening is, in words and as a bar; given up, it leaves nothing open.

import { writeFileSync } from 'node:fs';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { makeTrace } from '../bench/glass/glass.ts';
import { expect, headOf, inAll, openByHand, shownEvent, test, timeOf } from './open.ts';

const testAll = inAll(test);

const fileOf = (events: number) => {
  const trace = makeTrace(events, 2000);
  return { events: trace.count, bytes: new Uint8Array(encodeTraceFile(trace, 4, {}, { plain: true })) };
};

test('a large trace says how far it is, shows nothing meanwhile, and opens', async ({ page }, info) => {
  const { events, bytes } = fileOf(400_000);
  const path = info.outputPath('large.hgtrace');
  writeFileSync(path, bytes);
  await openByHand(page);
  // What is shown is noted as it comes: a machine may be quicker than one can look.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const opening = document.querySelector('.hg-opening');
    if (!(opening instanceof HTMLElement)) throw new Error('no such element');
    const note = () => seen.push(`${opening.hidden}|${opening.innerText.replace(/\s+/g, ' ')}`);
    new MutationObserver(note).observe(opening, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  await page.locator('.hg-scenarios input[type=file]').setInputFiles(path);
  await expect(timeOf(page)).toHaveAttribute('aria-valuemax', String(events));
  await expect(page.locator('.hg-opening')).toBeHidden();
  const seen: string[] = await page.evaluate('seen');
  const words = /^false\|Opening large\.hgtrace (\d+) % of 6\.1\d MiB, [\d,]+ events Cancel$/;
  const shares = seen.flatMap((text) => words.exec(text.replaceAll('\u202f', ' '))?.[1] ?? []).map(Number);
  expect(shares.length).toBeGreaterThan(1);
  expect(shares).toEqual([...shares].sort((one, other) => one - other));
});

testAll(
  'Cancel gives the opening up: nothing is open, a notice says so, and stories run again',
  async ({ page }, info) => {
    const path = info.outputPath('large.hgtrace');
    writeFileSync(path, fileOf(2_500_000).bytes);
    await openByHand(page);
    await page.getByRole('button', { name: 'Allocate', exact: true }).click();
    await expect.poll(() => headOf(page)).toBeGreaterThan(0);
    // Pressed by the page itself as soon as the button is there.
    await page.evaluate(() => {
      const opening = document.querySelector('.hg-opening');
      const press = () => opening?.checkVisibility() && opening.querySelector('button')?.click();
      if (opening !== null) new MutationObserver(press).observe(opening, { attributes: true });
    });
    await page.locator('.hg-scenarios input[type=file]').setInputFiles(path);
    await expect(page.getByRole('alert')).toContainText('large.hgtrace was not opened: it was cancelled');
    await expect(page.locator('.hg-opening')).toBeHidden();
    await expect(timeOf(page)).toHaveAttribute('aria-valuemax', '0');
    await expect.poll(() => shownEvent(page)).toBe(0);
    await page.goto('./#scenario=burst_list');
    await expect.poll(() => headOf(page)).toBeGreaterThan(0);
  },
);
