// npm run bench:frames - the built page in headless Chromium at 1440x900 with a trace of a million events open: zoomed in and out by
// the wheel over the map, panned, and dragged through time, while everything is measured in the page itself.
//
//   frame request ──▶ engine's reply ──▶ last canvas call for it: "request to drawn"
//   gaps between animation frames (16.7 ms at 60 Hz when nothing is late), and main-thread tasks from the browser's trace
//
//   --seconds n   of each (10)      --events n   in the trace (1,000,000)      --json file
//   --live n      the trace of bench:glass with so many blocks, instead of that of a run
//   --many what   instead: a trace of 100,000 marks, heaps, pools or threads, one of these words (--count n: of so many)
//   writes a screenshot to build/bench/frames.png

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { findChromium, kNoChromium } from '../../../tools/find_chromium.mjs';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';
import { median, percentile } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const seconds = Number(option('seconds', 10));
const outFolder = join(root, 'build/bench');
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(kNoChromium);

mkdirSync(outFolder, { recursive: true });
const traceFile = join(outFolder, 'million.hgtrace');
const live = Number(option('live', 0));
const events = await writeTrace(Number(option('events', 1_000_000)));

/** How many events there are. */
async function writeTrace(wanted) {
  const what = option('many', undefined);
  if (what === undefined) {
    writeFileSync(traceFile, new Uint8Array(await makeFile(wanted)));
    return wanted;
  }
  const { kManyThings, makeManyFile } = await importBundled('glass/many');
  if (kManyThings[what] === undefined)
    throw new Error(`--many is one of ${Object.keys(kManyThings).join(', ')}, not ${what}`);
  const { file, count } = makeManyFile(kManyThings[what], Number(option('count', 100_000)));
  writeFileSync(traceFile, new Uint8Array(file));
  return count;
}

async function makeFile(events) {
  if (live > 0) return (await importBundled('glass/glass')).makeTraceFile(events, live);
  const { makeTrace } = await importBundled('trace/make_trace');
  return makeTrace(join(root, 'build/wasm/heapglass-trace.wasm'), events);
}

const site = join(outFolder, 'site');
const page = { configFile: join(root, 'vite.config.ts'), root: join(root, 'web'), logLevel: 'warn' };
await build({ ...page, build: { outDir: site, emptyOutDir: true } });
const server = await preview({ ...page, build: { outDir: site }, preview: { port: 0 } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const figures = await measure(server.resolvedUrls.local[0]);
  print(figures);
  writeJson({ bench: 'frames', events, seconds, chromium: browser.version(), ...figures });
} finally {
  await browser.close();
  server.httpServer.close();
}

async function measure(address) {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 });
  const problems = [];
  tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  tab.on('pageerror', (error) => problems.push(String(error)));
  await tab.addInitScript(instrument);
  await tab.goto(address);
  const input = tab.locator('input[type=file][accept*=".hgtrace"]');
  await input.waitFor({ state: 'attached' });
  const begun = performance.now();
  await input.setInputFiles(traceFile);
  await tab.waitForFunction((count) => globalThis.hgBench.opened >= count, events, { timeout: 600_000 });
  const openMs = performance.now() - begun;
  const canvas = tab.locator('.hg-map__canvas').first();
  await canvas.waitFor();
  const box = await canvas.boundingBox();
  await tab.getByRole('button', { name: /^Newest event/ }).click(); // stand still at the end of the trace
  await tab.waitForTimeout(1000); // the first frames, fonts

  await browser.startTracing(tab, { categories: ['toplevel', 'devtools.timeline'] });
  const placeIn = (rectangle, leg) => [
    rectangle.x + rectangle.width * (0.2 + ((leg * 0.31) % 0.6)),
    rectangle.y + rectangle.height * (0.2 + ((leg * 0.17) % 0.6)),
  ];
  // In for 60 turns, out for 60, each time at another place of the map.
  const zooming = await during(tab, async (turn, leg) => {
    if (turn === 0) await tab.mouse.move(...placeIn(box, leg));
    await tab.mouse.wheel(0, leg % 2 === 0 ? -120 : 120);
  });
  const dragged = (rectangle) =>
    during(tab, async (turn, leg) => {
      if (turn === 0) {
        await tab.mouse.up();
        await tab.mouse.move(...placeIn(rectangle, leg));
        await tab.mouse.down();
      }
      const [fromX, fromY] = placeIn(rectangle, leg);
      const [toX, toY] = placeIn(rectangle, leg + 1);
      await tab.mouse.move(fromX + ((toX - fromX) * turn) / 60, fromY + ((toY - fromY) * turn) / 60);
    });
  const panning = await dragged(box);
  await tab.mouse.up();
  const time = tab.getByRole('slider', { name: 'Time, in events' });
  const dragging = await dragged(await time.boundingBox());
  await tab.mouse.up();
  const found = zooming;
  const traced = JSON.parse((await browser.stopTracing()).toString());
  await tab.screenshot({ path: join(outFolder, 'frames.png') });
  if (problems.length > 0) throw new Error(`the page complained: ${problems.join('; ')}`);
  if (found.replies.length < 20) throw new Error(`only ${found.replies.length} frames were asked for while zooming`);
  return {
    openMs,
    requestToReply: summary(found.replies),
    requestToDrawn: summary(found.drawn),
    drawing: summary(found.drawing),
    animationFrames: summary(found.gaps),
    panning: summary(panning.gaps),
    draggingTime: summary(dragging.gaps),
    draggingReplies: summary(dragging.replies),
    tasks: summary(mainThreadTasks(traced.traceEvents)),
  };
}

/** What was logged while `act` was done every 8 ms, in legs of 60 turns. */
async function during(tab, act) {
  await tab.evaluate(() => globalThis.hgBench.start());
  const end = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < end; ++turn) {
    await act(turn % 60, Math.floor(turn / 60));
    await tab.waitForTimeout(8);
  }
  return await tab.evaluate(() => globalThis.hgBench.stop());
}

/** In the page, before its scripts: when frames are asked for, answered and drawn. */
function instrument() {
  const asked = new Map();
  const nothing = () => ({ replies: [], drawn: [], drawing: [], gaps: [] });
  let log = nothing();
  let running = false;
  const kBurstGapMs = 2; // canvas calls further apart than this belong to two drawings
  let drawingBegan = 0;
  let lastCanvasCall = 0;
  const bench = { opened: 0 };
  globalThis.hgBench = bench;

  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.request?.type === 'frame') asked.set(message.id, performance.now());
    if (message?.request !== undefined && !this.hgHeard) {
      this.hgHeard = true;
      this.addEventListener('message', hear);
    }
    return post.call(this, message, ...rest);
  };
  function hear({ data }) {
    const now = performance.now();
    if (data?.reply?.type === 'opened') bench.opened = data.reply.events;
    const begun = asked.get(data?.id);
    asked.delete(data?.id);
    if (begun === undefined || !running) return;
    log.replies.push(now - begun);
    // Behind the next animation frame: by then the map has drawn, whether at once or in that frame.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        if (lastCanvasCall < now) return;
        log.drawn.push(lastCanvasCall - begun);
        log.drawing.push(lastCanvasCall - drawingBegan);
      };
      channel.port2.postMessage(0);
    });
  }
  for (const name of ['clearRect', 'fillRect', 'putImageData', 'drawImage', 'stroke', 'fill', 'fillText']) {
    const call = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
      const before = performance.now();
      const result = call.apply(this, given);
      if (before - lastCanvasCall > kBurstGapMs) drawingBegan = before;
      lastCanvasCall = performance.now();
      return result;
    };
  }
  let before = 0;
  const beat = (now) => {
    if (running && before > 0) log.gaps.push(now - before);
    before = now;
    requestAnimationFrame(beat);
  };
  requestAnimationFrame(beat);
  bench.start = () => {
    log = nothing();
    running = true;
  };
  bench.stop = () => {
    running = false;
    return log;
  };
}

/** Milliseconds of each task of the page's main thread longer than 0.1 ms. */
function mainThreadTasks(traceEvents) {
  const names = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const threads = new Set(names.map(({ pid, tid }) => `${pid}:${tid}`));
  return traceEvents
    .filter(({ name, pid, tid, dur }) => /RunTask$/.test(name) && threads.has(`${pid}:${tid}`) && dur > 100)
    .map(({ dur }) => dur / 1000);
}

function summary(values) {
  if (values.length === 0) return { count: 0, p50: Number.NaN, p95: Number.NaN, max: Number.NaN };
  return { count: values.length, p50: median(values), p95: percentile(values, 0.95), max: Math.max(...values) };
}

function print({ openMs, ...rows }) {
  const names = {
    requestToReply: "frame request to the engine's reply",
    requestToDrawn: 'frame request to drawn',
    drawing: 'of that on the canvas',
    animationFrames: 'gap between animation frames',
    panning: 'the same, panning the map',
    draggingTime: 'the same, dragging through time',
    draggingReplies: "frame request to the engine's reply, dragging through time",
    tasks: 'main-thread tasks over 0.1 ms',
  };
  console.log(`\n${events} events opened and shown in ${fixed(openMs, 0)} ms; Chromium ${browser.version()}, 1440x900`);
  printTable(
    'zooming by the wheel, panning and dragging through time, ms',
    ['', 'count', 'p50', 'p95', 'max'],
    Object.entries(names).map(([key, name]) => {
      const { count, p50, p95, max } = rows[key];
      return [name, count, fixed(p50), fixed(p95), fixed(max)];
    }),
  );
}
