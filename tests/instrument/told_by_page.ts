// What a page of a folder puts into globalThis.told, in Chromium, without an error.

import { chromium } from '@playwright/test';
import { expect } from 'vitest';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { serve } from '../package/static_server.ts';

export async function toldByPage<T>(folder: string, name: string, flags: readonly string[] = []): Promise<T> {
  const server = await serve(folder);
  const browser = await chromium.launch(launchOptions(flags));
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${server.address}/${name}`);
    await page.waitForFunction('globalThis.told !== undefined');
    expect(problems).toEqual([]);
    return (await page.evaluate('globalThis.told')) as T;
  } finally {
    await browser.close();
    server.close();
  }
}
