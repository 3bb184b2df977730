// npm run bench:flame - from the bytes of a trace with call sites to a flame graph: opening it, summing by site, making the tree, and
// drawing it in Chromium.
//
//   --events n   of the heap in the trace, sites come on top (1,000,000)      --rounds n   (5)      --json file

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { buildCommandLine } from '../../../tools/build_command_line.mjs';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const events = Number(option('events', 1_000_000));
const rounds = Number(option('rounds', 5));
const { makeSited, toFlame, toPage, toProfile } = await importBundled('report/flame');
const bytes = await makeSited(join(root, 'build/wasm/heapglass-trace.wasm'), events);

const readings = Array.from({ length: rounds }, () => toFlame(bytes));
const of = (key) => median(readings.map((reading) => reading[key]));
const folder = mkdtempSync(join(tmpdir(), 'heapglass-flame-'));
const drawings = [];
let page = 0;
try {
  await buildCommandLine(folder, { page: false });
  const made = toPage(bytes, readFileSync(join(folder, 'bin/report_page.js'), 'utf8'));
  page = made.ms;
  writeFileSync(join(folder, 'report.html'), made.html);
  const browser = await chromium.launch(launchOptions());
  for (let round = 0; round < rounds; ++round) {
    const tab = await browser.newPage();
    await tab.goto(pathToFileURL(join(folder, 'report.html')).href);
    const buttons = tab.locator('.flame-choice button');
    await buttons.first().waitFor();
    // Once more, to the next frame on the screen: what a click takes.
    const click = `new Promise((done) => {
      const begin = performance.now();
      document.querySelectorAll('.flame-choice button')[2].click();
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
    })`;
    drawings.push(await tab.evaluate(click));
    await tab.close();
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true });
}
const pprof = await toProfile(bytes, 'pprof');
const speedscope = await toProfile(bytes, 'speedscope');

const { events: all, sites, nodes } = readings[0];
console.log(
  `${all} events, ${sites} call sites, ${nodes} nodes in the graph, ${(bytes.byteLength / 2 ** 20).toFixed(1)} MiB`,
);
const whole = of('wholeMs') + median(drawings);
printTable(
  'to a flame graph, ms, the median',
  ['', 'ms'],
  [
    ['open the trace', fixed(of('openMs'))],
    ['sum by call site', fixed(of('sumMs'))],
    ['make the tree', fixed(of('treeMs'))],
    ['draw it in Chromium', fixed(median(drawings))],
    ['together', fixed(whole)],
    ['processor time of all but drawing', fixed(of('cpuMs'))],
    ['a whole report as HTML', fixed(page)],
    [`pprof, ${pprof.bytes} B`, fixed(pprof.ms)],
    [`speedscope, ${speedscope.bytes} B`, fixed(speedscope.ms)],
  ],
);
writeJson({ bench: 'flame', events: all, sites, nodes, wholeMs: whole, drawMs: median(drawings), reportMs: page });
