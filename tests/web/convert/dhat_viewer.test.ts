// DHAT's own viewer, as valgrind's package brings it, opens what we write.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { kFormats } from '../../../web/src/convert/formats.ts';

const viewer = ['/usr/libexec/valgrind', '/usr/lib/valgrind']
  .map((folder) => join(folder, 'dh_view.html'))
  .find((path) => existsSync(path));

test.skipIf(viewer === undefined)('dh_view.html shows a DHAT file without complaint', async () => {
  const list = new TextEncoder().encode('a 0 100\na 1 100\na 2 5000\nf 1\n');
  const file = await kFormats.find(({ name }) => name === 'rep')?.read?.(list);
  const text = file?.ok ? await kFormats.find(({ name }) => name === 'dhat')?.write?.(file.value) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-dhat-'));
  writeFileSync(join(folder, 'run.dhat.json'), text ?? '');
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(pathToFileURL(viewer ?? '').href);
    await page.setInputFiles('input[type=file]', join(folder, 'run.dhat.json'));
    await page.getByText('Total:').first().waitFor();
    const shown = await page.evaluate('document.body.innerText');
    expect(errors).toEqual([]);
    expect(shown).toMatch(/Total:\s+5,200 bytes .* in 3 blocks/);
    expect(shown).toMatch(/At t-end:\s+5,100 bytes .* in 2 blocks/);
    expect(shown).toContain('blocks of 5000 bytes asked for');
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});
