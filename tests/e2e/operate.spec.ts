// Driving the heap by hand: what is asked in the panel happens in the real heap, and what comes back is shown.

import { expect, headOf, inAll, openByHand, openTab, shownEvent, test } from './open.ts';

const testAll = inAll(test);
const kGreen = /verified at ([\d,]+)/;

test('allocate, look at the block, free it: the heap is as before and the badge stays green', async ({ page }) => {
  await openByHand(page);
  const inUse = page.locator('.hg-status__value').first();
  const before = await inUse.innerText();
  const none = page.getByText('Nothing was called yet. Press Allocate.');
  await expect(none).toBeVisible();
  await page.getByLabel('size', { exact: true }).first().fill('1000');
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
  await expect(result).toContainText(/1,?00\d\sB usable|1\.?\d* KiB usable/u);
  await expect(inUse).not.toHaveText(before);
  await expect(none).toBeHidden();

  await result.getByRole('button').click(); // its address: selects it
  await expect(page.getByText(/^at 0x/)).toBeVisible();
  await page.getByRole('button', { name: 'Free', exact: true }).click();
  await expect(result).toContainText('Freed 0x');
  await expect(inUse).toHaveText(before);

  await page.locator('.hg-badge').click(); // walk the heap now
  await expect(page.locator('.hg-badge')).toContainText(kGreen);
  const at = kGreen.exec(await page.locator('.hg-badge').innerText())?.[1] ?? '';
  expect(Number(at.replaceAll(',', ''))).toBe(await headOf(page));
});

testAll('a command that cannot be met says why, and which limit could be', async ({ page }) => {
  await openByHand(page);
  const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  await page.getByRole('button', { name: 'Allocate', exact: true }).click(); // a neighbour right behind the first
  const first = page.getByRole('list', { name: 'Results' }).getByRole('listitem').nth(1).getByRole('button');
  await first.click();
  await expect(page.getByText(/^at 0x/)).toBeVisible();
  await page.getByLabel('limit').fill('100');
  await page.getByLabel('preferred').fill('200');
  await page.getByRole('button', { name: 'Run the command' }).click();
  await expect(result).toContainText('no room beside the chunk for the limit');

  await page.getByLabel('allocate_new').check();
  await page.getByRole('button', { name: 'Run the command' }).click();
  await expect(result).toContainText('new memory');
});

testAll('preconditions are told: limit above preferred', async ({ page }) => {
  await openByHand(page);
  await page.getByLabel('expand_fwd').uncheck();
  await page.getByLabel('allocate_new').check();
  await page.getByLabel('limit').fill('20');
  await page.getByLabel('preferred').fill('10');
  await page.getByRole('button', { name: 'Run the command' }).click();
  await expect(page.getByRole('list', { name: 'Results' })).toContainText('need limit <= preferred');
});

testAll('a burst is taken and freed as one', async ({ page }) => {
  await openByHand(page);
  const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
  await page.getByRole('button', { name: 'Take a burst' }).click();
  await expect(result).toContainText('A burst of 100 blocks');
  const head = await headOf(page);
  await page.getByRole('button', { name: 'Free it' }).click();
  await expect(result).toContainText('Freed the burst of 100 blocks');
  await expect.poll(() => headOf(page)).toBeGreaterThan(head);
});

test('a pool is made, gives nodes, takes one back and goes', async ({ page }) => {
  await openByHand(page);
  const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(result).toContainText(/Pool #\d+ made/);
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(result).toContainText(/10 nodes of pool/);
  await page.getByRole('button', { name: 'Return one' }).click();
  await expect(result).toContainText('went back to pool');
  await openTab(page, 'Lists');
  await expect(page.locator('.hg-pools .hg-facts')).toContainText(/nodes in use\s*9/);
  await expect(page.locator('.hg-pools__tile').first()).toBeVisible();
  await openTab(page, 'Operate');
  await page.getByRole('button', { name: 'Destroy' }).click();
  await expect(result).toContainText('is gone');
});

testAll('blocks of a size class are taken as one thread and given back as another', async ({ page }) => {
  await openByHand(page);
  const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
  await page.getByLabel('as thread').fill('2');
  await page.getByRole('button', { name: 'Take blocks' }).click();
  await expect(result).toContainText('Thread 2 took 10 blocks');
  await page.getByLabel('as thread').fill('3');
  await page.getByRole('button', { name: 'Give one back' }).click();
  await expect(result).toContainText('Thread 3 gave');
  await openTab(page, 'Heaps');
  await expect(page.getByRole('gridcell', { name: /^128.B, in use: 9 blocks/ })).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^128.B, thread 3: 1 block/ })).toBeVisible();
  await openTab(page, 'Operate');
  await page.getByRole('button', { name: 'Flush its cache' }).click();
  await expect(result).toContainText("Thread 3's cache went to the central lists");
  await page.getByRole('button', { name: 'Squeeze' }).click();
  await expect(result).toContainText('nothing was given back');
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
});

test('an operation asked for in the past happens at the newest event', async ({ page }) => {
  await openByHand(page);
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  const head = await headOf(page);
  await page.getByRole('button', { name: /^First event/ }).click();
  await expect.poll(() => shownEvent(page)).toBe(0);
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(head);
});
