// A watched program in a test: opened by its address, and typed at.

import { existsSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect } from './open.ts';

const kPrograms = new URL('../../build/wasm/programs.json', import.meta.url);
/** Why a program is not there; null: it is. */
export const missing: Record<string, string | null> = existsSync(kPrograms)
  ? JSON.parse(readFileSync(kPrograms, 'utf8'))
  : { sqlite: 'not built', lua: 'not built', quickjs: 'not built' };
/** Opened by its address, its story told to the end. */
export async function openProgram(page: Page, id: string): Promise<void> {
  await page.goto(`./#scenario=${id}&event=0`);
  await expect(page.locator('.hg-program__output')).not.toBeEmpty({ timeout: 45_000 });
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
}

/** Types a text, runs it with the keyboard and waits for what it prints. */
export async function run(page: Page, text: string): Promise<void> {
  await page.locator('.hg-program__text').fill(text);
  await page.locator('.hg-program__text').press('Control+Enter');
  await expect(page.locator('.hg-program__output')).not.toBeEmpty({ timeout: 45_000 });
}
