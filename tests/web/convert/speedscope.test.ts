// speedscope, as its package brings it, opens the Chrome trace events that we write.

import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { kFormats } from '../../../web/src/convert/formats.ts';
import { serve } from '../../package/static_server.ts';

const release = fileURLToPath(new URL('../../../node_modules/speedscope/dist/release/', import.meta.url));

test('speedscope shows the calls of a trace, a call of one event among them', async () => {
  const list = new TextEncoder().encode('a 0 100\na 1 100\na 2 5000\nf 1\n');
  const file = await kFormats.find(({ name }) => name === 'rep')?.read?.(list);
  const text = file?.ok ? await kFormats.find(({ name }) => name === 'chrome')?.write?.(file.value) : undefined;
  const server = await serve(release);
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${server.address}/index.html`);
    const buffer = Buffer.from(String(text));
    await page.setInputFiles('input[type=file]', { name: 'run.trace.json', mimeType: 'application/json', buffer });
    await page.getByText('Sandwich').click();
    await page.getByText('heap_create').waitFor();
    const shown = String(await page.evaluate('document.body.innerText'));
    expect(errors).toEqual([]);
    expect(shown).toContain('operations (pid 1, tid 1)');
    expect(shown.match(/\ballocate \{"event":\d+,"address":\d+,"request":(100|5000),"status":0\}/g)).toHaveLength(3);
    expect(shown).toMatch(/1\.00µs .*\s+1\.00µs .*\s+deallocate \{/);
  } finally {
    await browser.close();
    server.close();
  }
});
