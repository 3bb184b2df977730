// What the visitor brought or made is there again after a reload, and stays on this computer.

import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { Drive } from '../web/model/drive.ts';
import { expect, headOf, openByHand, settled, shownEvent, test, timeOf } from './open.ts';

test('an own file survives a reload, at its moment', async ({ page }) => {
  await openByHand(page);
  const drive = await Drive.start(7);
  drive.run(500, 60);
  drive.module.drain();
  const buffer = Buffer.from(encodeTraceFile(drive.trace, 4, {}));
  await page
    .locator('.hg-scenarios input[type=file]')
    .setInputFiles({ name: 'my day.hgtrace', mimeType: 'application/octet-stream', buffer });
  await expect(page).toHaveTitle('my day.hgtrace · heapglass');
  await expect.poll(() => headOf(page)).toBe(drive.trace.count); // End leads to the last event that has been read
  await timeOf(page).press('End');
  await page.keyboard.press(',');
  const at = drive.trace.count - 1;
  await expect(page).toHaveURL(new RegExp(`#trace=own%3Amy%20day\\.hgtrace&event=${at}`));
  await page.reload();
  await expect(page).toHaveTitle('my day.hgtrace · heapglass');
  await expect.poll(() => shownEvent(page)).toBe(at);
  expect(await headOf(page)).toBe(drive.trace.count);

  // Somebody else's browser does not have it: it is said, and the page works.
  await page.goto('./#trace=own:elsewhere.hgtrace');
  await expect(page.getByRole('alert')).toContainText('elsewhere.hgtrace is not kept in this browser');
});

test('a heap made by hand survives a reload, and goes on; chosen anew it is empty', async ({ page }) => {
  await openByHand(page);
  const made = async (): Promise<number> => headOf(page);
  const start = await made();
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  await expect.poll(made).toBeGreaterThan(start);
  await page.getByRole('button', { name: 'Take a burst' }).click();
  await expect(page.getByRole('list', { name: 'Results' })).toContainText('A burst of 100 blocks');
  await settled(page); // all events of the calls are shown, and the calls are kept
  const head = await made();
  const inUse = await page
    .locator('.hg-status')
    .getByText(/in use/)
    .innerText();

  await page.reload();
  await expect.poll(made).toBe(head);
  await expect(page.locator('.hg-status').getByText(/in use/)).toHaveText(inUse);
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  await expect.poll(made).toBeGreaterThan(head);

  await page.locator('.hg-scenarios__open').click();
  await page.locator('[data-scenario=by_hand]').click();
  await expect.poll(made).toBe(start);
  await page.reload();
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
  expect(await made()).toBe(start);
});
