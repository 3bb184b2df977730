// How many clicks lead from a recorded program to an answer, counted: to the own function of what leaked with its file and line, to the
// cause of a growth, to the largest hole and what pins it. Daily with one trace; six programs, recorded here, in npm run test:all.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../cli/command_line.ts';
import { expect, settled, test, timeOf } from './open.ts';
import { kRecorded, record } from './recorded_programs.ts';

const kAll = process.env['HG_TEST'] === 'all';
const kMost = { leak: 2, growth: 1, hole: 2 };
type Task = keyof typeof kMost;

/** Opens the trace; where its middle is, in which a program has much in use. */
async function open(page: Page, body: Buffer): Promise<number> {
  await page.route('**/traces/recorded.hgtrace', (route) => route.fulfill({ body }));
  await page.goto('about:blank');
  await page.goto('./?src=traces/recorded.hgtrace');
  await expect(page.locator('.hg-scenarios__open')).toContainText('recorded.hgtrace', { timeout: 45_000 });
  await expect(page.locator('.hg-transport__head')).not.toContainText('+', { timeout: 90_000 });
  await page.keyboard.press('End');
  await settled(page);
  return Math.round(0.6 * Number(await timeOf(page).getAttribute('aria-valuemax')));
}

/** Goes to its middle as a link does, with nothing asked and no panel chosen; counts what is pressed. */
async function goToMiddle(page: Page, middle: number) {
  await page.evaluate((event) => {
    location.hash = `trace=traces/recorded.hgtrace&event=${event}`;
  }, middle);
  await settled(page);
  await expect(page.locator('.hg-answer')).toBeHidden();
  let clicks = 0;
  return {
    clicks: () => clicks,
    async press(name: string) {
      clicks++;
      await page.getByRole('button', { name }).click();
      await settled(page);
    },
    sentence: () => page.locator('.hg-answer__sentence').innerText(),
  };
}

const missing = (page: Page): Promise<string> => page.locator('.hg-answer__missing').innerText();

/** An own function with its file and line, as the page writes it. */
const kPlace = /[\w.-]+\.(?:c|cpp|h|hpp|mjs):\d+/;

const kTasks: Readonly<Record<Task, (page: Page, middle: number) => Promise<number | string>>> = {
  async leak(page, middle) {
    const { press, clicks, sentence } = await goToMiddle(page, middle);
    await press('What leaked?');
    const said = await sentence();
    if (kPlace.test(said)) return clicks();
    await press('All sites');
    await expect(page.locator('.hg-panel--sites')).toContainText(kPlace);
    return clicks();
  },
  async growth(page, middle) {
    const { press, clicks, sentence } = await goToMiddle(page, middle);
    await press('Why did it grow?');
    const said = await sentence();
    if (/^At event [\d,]+ .* asked for .*free/.test(said)) return clicks();
    expect(await missing(page)).not.toBe(''); // what recording would say it
    return said;
  },
  async hole(page, middle) {
    const { press, clicks, sentence } = await goToMiddle(page, middle);
    await press('What pins it?');
    const said = await sentence();
    if (/\d+ blocks?/.test(said) && /0x|hole|join/.test(said)) return clicks();
    expect(said).not.toBe('');
    return said;
  },
};

const traces: Readonly<Record<string, () => Promise<Buffer | undefined>>> = kAll
  ? Object.fromEntries(kRecorded.map((program) => [program.name, () => record(program)]))
  : { 'words.cpp': async () => readFileSync(join(root, 'web/public/traces/words.hgtrace')) };

for (const [name, traceOf] of Object.entries(traces))
  test(`${name}: a leak's place in 2 clicks, the cause of a growth in 1, the largest hole and its pins in 2`, async ({
    page,
  }) => {
    test.setTimeout(900_000);
    const body = await traceOf();
    test.skip(body === undefined, 'its sources cannot be fetched');
    if (body === undefined) return;
    const middle = await open(page, body);
    const row: string[] = [];
    for (const [task, most] of Object.entries(kMost) as [Task, number][]) {
      const found = await kTasks[task](page, middle);
      row.push(`${task}: ${found}`);
      if (typeof found === 'number') expect(found, `${name}, ${task}`).toBeLessThanOrEqual(most);
    }
    console.log(`clicks, ${name}: ${row.join(' · ')}`);
  });
