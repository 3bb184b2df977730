// The visitor's own material: a text for the word index, a trace saved and opened again.

import { readFileSync } from 'node:fs';
import { expect, headOf, inAll, openAt, openByHand, openTab, shownEvent, test, timeOf } from './open.ts';

const testAll = inAll(test);

test('the word index answers as counting in JavaScript does', async ({ page }) => {
  const text = 'The heap and the glass: the heap is seen, the glass is clear. Heap!';
  await openByHand(page);
  await openTab(page, 'Programs');
  await page.getByLabel('or a text').fill(text);
  await page.getByRole('button', { name: 'Index this text' }).click();
  await page.getByLabel('find a word').fill('heap');
  const times = (text.toLowerCase().match(/\bheap\b/g) ?? []).length;
  const first = text.toLowerCase().indexOf('heap');
  await expect(page.locator('.hg-words__count')).toContainText(`${times} times, at byte ${first}`);
  await expect(page.locator('.hg-words__contexts mark').first()).toHaveText('heap');
  await expect(page.locator('.hg-words__table tbody tr').first()).toContainText('the');
  await page.getByLabel('find a word').fill('absent');
  await expect(page.locator('.hg-words__answer')).toContainText('not in the text');
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});

testAll("the project's own documentation is indexed at a press, watched while it runs", async ({ page }) => {
  await openByHand(page);
  await openTab(page, 'Programs');
  await page.getByRole('button', { name: 'This documentation' }).click();
  await expect(page.locator('.hg-words__table tbody tr')).toHaveCount(12, { timeout: 45_000 });
  await expect.poll(() => headOf(page)).toBeGreaterThan(1000);
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});

test('a trace that was saved opens again with the same events and the same numbers', async ({ page }) => {
  await openAt(page, 'forward_expansion', 100);
  const numbers = page.locator('.hg-status__numbers');
  const before = await numbers.innerText();
  const head = await headOf(page);
  await expect(page.locator('.hg-scenarios__open')).toHaveText('scenario Grow forward');
  await page.locator('.hg-scenarios__open').click();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the trace' }).click();
  const download = await downloaded;
  const file = {
    name: download.suggestedFilename(),
    mimeType: 'application/octet-stream',
    buffer: readFileSync(await download.path()),
  };

  await openByHand(page);
  await page.locator('.hg-scenarios input[type=file]').setInputFiles(file);
  await expect(timeOf(page)).toHaveAttribute('aria-valuemax', String(head));
  await expect(page.locator('.hg-scenarios__open')).toHaveText(`trace ${file.name}`);
  await page.keyboard.press('Home');
  await expect.poll(() => shownEvent(page)).toBe(0);
  await page.keyboard.press('g'); // a file of one's own has no address
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect.poll(() => shownEvent(page)).toBe(100);
  expect(await numbers.innerText()).toBe(before);
});

test('a file that is no trace is refused in words', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  await page.getByRole('button', { name: 'Play (Space)' }).click(); // what is explained stays for a while as it plays
  await expect(page.locator('.hg-explain__card')).toBeVisible();
  await page.locator('.hg-scenarios input[type=file]').setInputFiles({
    name: 'broken.hgtrace',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('not a trace'),
  });
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await expect(page.locator('.hg-badge')).toContainText('not a heapglass trace');
  await expect(page.locator('.hg-answer')).toBeHidden(); // nothing is asked of nothing
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'damaged'); // what was open is gone ...
  await expect(page.locator('.hg-explain__card')).toBeHidden(); // ... all of it, also what is not in every frame
  await expect(page.locator('.hg-minimap__window')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Play (Space)' })).toBeVisible(); // and nothing plays
});
