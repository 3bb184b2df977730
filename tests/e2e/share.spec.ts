// Share and save: a link, the page as one file that opens without a server, pictures, tables; and a trace by its address.

import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { Drive } from '../web/model/drive.ts';
import { coloursOfMap, expect, headOf, inAll, openAt, settled, shownEvent, test, timeOf } from './open.ts';

const testAll = inAll(test);

/** Presses a button of the panel and gives what was saved. */
async function saved(page: Page, name: string): Promise<{ readonly name: string; readonly path: string }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Share and save' }).getByRole('button', { name: name, exact: true }).click();
  const download = await coming;
  const path = join(await mkdtemp(join(tmpdir(), 'heapglass-share-')), download.suggestedFilename());
  await download.saveAs(path);
  return { name: download.suggestedFilename(), path };
}

test('the link that is copied opens the same moment', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAt(page, 'forward_expansion', 60);
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/select=/);
  await page.getByRole('button', { name: 'Share and save' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.locator('.hg-share__said')).toHaveText('The link is copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${baseURL?.replace(/\/$/, '')}/${new URL(page.url()).hash}`);
});

test('the page and its trace are one file that opens without a server, at the same moment', async ({
  page,
  context,
}) => {
  await openAt(page, 'adaptive_pool', 500);
  const inUse = await page
    .locator('.hg-status')
    .getByText(/in use/)
    .innerText();
  await page.keyboard.press('s');
  const { name, path } = await saved(page, 'Page and trace as HTML');
  expect(name).toBe('heapglass_adaptive_pool_500.html');
  const opened = await context.newPage();
  const asked: string[] = [];
  opened.on('request', (request) => {
    if (/^https?:/.test(request.url())) asked.push(request.url());
  });
  await opened.goto(pathToFileURL(path).href);
  await expect.poll(() => shownEvent(opened)).toBe(500);
  expect(await headOf(opened)).toBe(await headOf(page));
  await expect(opened.locator('.hg-status').getByText(/in use/)).toHaveText(inUse);
  expect(await coloursOfMap(opened)).toBeGreaterThan(3);
  await timeOf(opened).press('End');
  await expect.poll(() => shownEvent(opened)).toBe(await headOf(page));
  expect(asked).toEqual([]);
  // What it holds is its visitor's own: no link finds it.
  await opened.keyboard.press('s');
  await expect(opened.getByRole('dialog')).toContainText('A link would not find this trace');
});

test('pictures and tables hold what is on the screen', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  await page.keyboard.press('s');
  const png = await readFile((await saved(page, 'Map, PNG')).path);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const box = await page.locator('.hg-map__surface').boundingBox();
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    Math.round(box?.width ?? 0),
    Math.round(box?.height ?? 0),
  ]);

  const svg = await readFile((await saved(page, 'Map, SVG')).path, 'utf8');
  // An empty page reads it: on heapglass's own no text becomes a document (Trusted Types).
  const reader = await page.context().newPage();
  const parsed = await reader.evaluate((text) => {
    const file = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      wrong: file.querySelector('parsererror')?.textContent,
      title: file.querySelector('title')?.textContent,
      texts: [...file.querySelectorAll('text')].map((each) => each.textContent),
      fills: new Set([...file.querySelectorAll('path')].map((each) => each.getAttribute('fill'))).size,
    };
  }, svg);
  await reader.close();
  expect(parsed.wrong).toBeUndefined();
  expect(parsed.title).toContain('event 60');
  expect(parsed.texts.join(' ')).toMatch(/▸ 61\.\d.KiB free/u);
  expect(parsed.fills).toBeGreaterThan(3);

  const line = await readFile((await saved(page, 'Time line, SVG')).path, 'utf8');
  expect(line).toMatch(/<title[^>]*>heapglass: .*event 60/);
  expect(line).toMatch(/<path[^>]* d="M/);

  const csv = await readFile((await saved(page, 'Chunks in view')).path, 'utf8');
  const rows = csv.trim().split('\n');
  expect(rows[0]).toBe('address,bytes,state,heap');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Chunks as a table' }).click();
  const listed = page.getByRole('region', { name: 'Table of chunks' }).getByRole('rowheader');
  expect(rows.length - 1).toBe(await listed.count());
  expect(rows[1]?.slice(0, 10)).toBe((await listed.first().innerText()).replace('_', ''));
});

testAll(
  'an answer is a picture, and a clip that loops through the moments that led to it, while the page stays',
  async ({ page }) => {
    await openAt(page, 'mixed_load', 43_000);
    await page.keyboard.press('s');
    await expect(page.getByRole('button', { name: 'Answer, PNG' })).toBeHidden(); // nothing is asked
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Why did it grow?' }).click();
    await settled(page);
    const event = await shownEvent(page);
    await page.keyboard.press('s');
    const png = await readFile((await saved(page, 'Answer, PNG')).path);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const box = await page.locator('.hg-map__surface').boundingBox();
    expect(png.readUInt32BE(16)).toBe(Math.round(box?.width ?? 0) + 32);

    const clip = await saved(page, 'Clip that loops, GIF');
    expect(clip.name).toBe(`heapglass_mixed_load_${event}_answer.gif`);
    const bytes = await readFile(clip.path);
    expect(bytes.includes('NETSCAPE2.0')).toBe(true); // it loops
    const delays = await page.evaluate(
      async (data) => {
        const decoder = new ImageDecoder({ data: Uint8Array.from(data), type: 'image/gif' });
        await decoder.tracks.ready;
        const shown: { milliseconds: number; colours: string }[] = [];
        for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++) {
          const { image } = await decoder.decode({ frameIndex });
          const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
          const context = canvas.getContext('2d');
          context?.drawImage(image, 0, 0);
          const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
          const hash = await crypto.subtle.digest('SHA-256', pixels);
          shown.push({ milliseconds: (image.duration ?? 0) / 1000, colours: new Uint8Array(hash).join() });
        }
        return shown;
      },
      [...bytes],
    );
    expect(delays.length).toBe(31);
    expect(delays.slice(0, -1).reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBeLessThanOrEqual(3000);
    expect(delays.at(-1)?.milliseconds).toBe(2000);
    expect(new Set(delays.map(({ colours }) => colours)).size).toBe(31); // each is another moment
    expect(await shownEvent(page)).toBe(event);
  },
);

test('?src= opens the trace at an address, and what is there is said when it is none', async ({ page }) => {
  const drive = await Drive.start(5);
  drive.run(400, 60);
  drive.module.drain();
  const body = Buffer.from(encodeTraceFile(drive.trace, 4, {}));
  await page.route('**/traces/day.hgtrace', (route) => route.fulfill({ body }));
  await page.goto('./?src=traces/day.hgtrace#event=50');
  await expect.poll(() => shownEvent(page)).toBe(50);
  await expect(page).toHaveURL(/#trace=traces\/day\.hgtrace&event=50$/);
  await expect(page).toHaveTitle('day.hgtrace · heapglass');
  expect(await headOf(page)).toBe(drive.trace.count);
});
