// npm run bench:first-view - how long a visitor waits: the site's front page and the page itself, opened in headless Chromium with an
// empty cache, at 1440x900. Goal: the first view in less than 2 s.
//
//   text    the first contentful paint
//   map     a frame of the heap is shown: the time line stands at an event
//   answer  the question that the page asks by itself is answered: the moment is there that it is about
//   proof   the badge says that model and heap agree
//
//   --rounds n (5)     --slower n   a processor n times as slow     --json file

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { findChromium, kNoChromium } from '../../../tools/find_chromium.mjs';
import { root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const kGoal = 2000; // ms
const kPages = [
  ["the site's front page", 'index.html'],
  ['the page', 'glass/index.html'],
];
const rounds = Number(option('rounds', 5));
const slower = Number(option('slower', 1));
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(kNoChromium);

const out = join(root, 'build/bench/first_view_site');
execFileSync(process.execPath, [join(root, 'site/build.mjs'), '--out', out], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const server = await preview({ configFile: false, root, build: { outDir: out }, preview: { port: 0 } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const figures = {};
  for (const [what, path] of kPages) {
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await visit(`${server.resolvedUrls.local[0]}${path}`));
    figures[what] = times;
  }
  const rows = Object.entries(figures).flatMap(([what, times]) =>
    ['text', 'map', 'answer', 'proof'].map((name) => {
      const all = times.map((time) => time[name]);
      const [middle, worst] = [median(all), Math.max(...all)];
      return [what, name, fixed(middle, 0), fixed(worst, 0), name === 'proof' ? '' : middle < kGoal ? 'yes' : 'NO'];
    }),
  );
  printTable(
    `First view, ms (${rounds} visits, processor / ${slower})`,
    ['', 'shown', 'median', 'worst', '< 2 s'],
    rows,
  );
  writeJson({ bench: 'first_view', rounds, slower, chromium: browser.version(), ...figures });
} finally {
  await browser.close();
  server.httpServer.close();
}

/** One visit with nothing in the cache; times in ms from the request of the outermost page. */
async function visit(address) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  if (slower > 1) {
    const protocol = await context.newCDPSession(page);
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: slower });
  }
  await page.addInitScript(watch);
  await page.goto(address, { waitUntil: 'commit' });
  const begun = await page.evaluate(() => performance.timeOrigin);
  const glass = await frameWith(page, '.hg-timeline');
  const isDone = () => globalThis.shownAt?.proof !== undefined && globalThis.shownAt.answer !== undefined;
  await glass.waitForFunction(isDone, undefined, { timeout: 120_000 });
  const { map, answer, proof } = await glass.evaluate(() => globalThis.shownAt);
  await page.waitForFunction(() => globalThis.shownAt.text !== undefined);
  const { text } = await page.evaluate(() => globalThis.shownAt);
  await context.close();
  return { text: text - begun, map: map - begun, answer: answer - begun, proof: proof - begun };
}

/** The page itself, or the frame in it that has the heap. */
async function frameWith(page, selector) {
  for (;;) {
    for (const frame of page.frames()) if ((await frame.$(selector)) !== null) return frame;
    await page.waitForEvent('framenavigated', { timeout: 1000 }).catch(() => undefined);
  }
}

/** In each frame: when the first text, the first picture and the first proof are there, by the clock of all frames. */
function watch() {
  const now = () => performance.timeOrigin + performance.now();
  const shownAt = {};
  globalThis.shownAt = shownAt;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint'))
      shownAt.text = performance.timeOrigin + entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  const look = () => {
    const time = document.querySelector('[role=slider][aria-label="Time, in events"]');
    if (Number(time?.getAttribute('aria-valuenow') ?? 0) > 0) shownAt.map ??= now();
    if (document.querySelector('.hg-badge[data-badge=verified]') !== null) shownAt.proof ??= now();
    if (document.querySelector('.hg-answer__sentence')?.textContent) shownAt.answer ??= now();
    if (shownAt.map === undefined || shownAt.proof === undefined || shownAt.answer === undefined)
      requestAnimationFrame(look);
  };
  look();
}
