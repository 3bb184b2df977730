// npm run bench - malloc in WebAssembly: heapglass against Emscripten's allocators and its peers, in one interleaved
// run.
//
//   --only regex        workloads whose names match, "stream: ..." among them; "sizes" and "threads" are names too
//   --heap which        fresh, used or both (both): rows named "..., used" run in a heap that other work has used
//   --allocators a,b    instead of all that can be had; ratios are to dlmalloc, so it should be among them
//   --rounds n          interleaved rounds, of which the median counts (5)
//   --quick             a tenth of the work: to see that everything runs
//   --browser           in Chromium instead of Node
//   --json file         the figures; a whole run also leaves them in build/bench/malloc.json (malloc-browser.json),
//                       with a page of plots in build/bench/malloc/index.html
//
// The compiler is $EMCC, else the emcc that is found.
//
//   R1  In round i every allocator runs every workload once, each in a process (or worker) of its own.
//   R2  The checksum of a workload is the same in every run and in both heaps, and the output of a real program is the
//       known one.
//   R3  Before anything is timed, the counted build shows that the calls are made and how much is live, and the
//       footprint is taken.
//   R4  A run that fails is reported and fails the bench; time never does.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emccRelease, emccVersion, root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { machine, option } from '../harness/report.mjs';
import { kCounting, kReference, prepareAllocators } from './allocators.mjs';
import { eachAtOnce } from './at_once.mjs';
import { buildModule } from './build.mjs';
import { writePage } from './page/write_page.mjs';
import { engine, runInProcess } from './run.mjs';
import { measureSizes } from './sizes.mjs';
import { printRows, printSizes } from './table.mjs';
import { kHeaps, prepareWorkloads } from './workloads.mjs';

const kQuickPercent = 10;

const say = (text) => process.stderr.write(`${text}\n`);

/** Every module that will run, or the Error that says why it could not be built: by `${module} ${allocator}`, and the
 * counted one by the module's name. */
async function buildAll(workloads, allocators) {
  const modules = [...new Map(workloads.map(({ module }) => [module.name, module])).values()];
  const paths = new Map();
  const wanted = modules.flatMap((module) => [
    { key: module.name, build: () => buildModule(module, kCounting, { counted: true }) },
    ...allocators.map((allocator) => ({
      key: `${module.name} ${allocator.name}`,
      build: () => buildModule(module, allocator),
    })),
  ]);
  let done = 0;
  await eachAtOnce(wanted, async ({ key, build }) => {
    paths.set(key, await build().catch((error) => error));
    if (++done % 20 === 0) say(`${done} of ${wanted.length} modules`);
  });
  return paths;
}

/** What one workload showed under one allocator. */
class Cell {
  constructor(workload, allocator) {
    this.workload = workload;
    this.allocator = allocator;
    this.times = []; // ns a unit, or ms
    this.footprint = undefined;
    this.failed = undefined; // why
  }
}

function assertSame(workload, checksum, sums) {
  if (workload.expected !== undefined && checksum !== workload.expected)
    throw new Error(`output ${checksum}, not ${workload.expected}`);
  const { name } = workload.module;
  const first = sums.get(name) ?? checksum;
  sums.set(name, first);
  if (checksum !== first) throw new Error(`checksum ${checksum}, not ${first}`);
}

function pathIn(paths, key) {
  const path = paths.get(key);
  if (path instanceof Error) throw path;
  return path;
}

/** The peak of live bytes; throws when calls are missing. */
async function count(workload, paths, { run, percent }, sums) {
  const job = { ...jobOf(workload, percent), wasm: pathIn(paths, workload.module.name), mode: 'counted' };
  const { peak, allocations, checksum, units } = await run(job);
  if (allocations < (workload.mallocs ?? 0) * (units ?? 0))
    throw new Error(`only ${allocations} of ${units} calls were made`);
  if (checksum !== undefined) assertSame(workload, checksum, sums);
  return peak;
}

const jobOf = ({ module, call, args, used, stream }, percent) => ({
  kind: module.kind,
  call,
  args,
  used,
  stream,
  percent,
});

/**
 * Measures and returns the rows.
 * @param {{ rounds: number, percent: number, run: typeof runInProcess }} how
 */
export async function measure(workloads, allocators, how) {
  say(`${workloads.length} workloads, ${allocators.map(({ name }) => name).join(', ')}`);
  const paths = await buildAll(workloads, allocators);
  const sums = new Map();
  const live = new Map();
  const failures = [];
  for (const workload of workloads) {
    try {
      live.set(workload.name, await count(workload, paths, how, sums));
    } catch (error) {
      failures.push(`${workload.name}, counted: ${error.message}`);
      say(failures.at(-1));
    }
  }

  const sound = workloads.filter(({ name }) => live.has(name));
  const cells = sound.flatMap((workload) => allocators.map((allocator) => new Cell(workload, allocator)));
  const runCell = async (cell, mode) => {
    if (cell.failed !== undefined) return undefined;
    const { workload, allocator } = cell;
    try {
      const wasm = pathIn(paths, `${workload.module.name} ${allocator.name}`);
      const figures = await how.run({ ...jobOf(workload, how.percent), wasm, mode });
      if (figures.checksum !== undefined) assertSame(workload, figures.checksum, sums);
      return figures;
    } catch (error) {
      cell.failed = `${workload.name}, ${allocator.name}: ${error.message}`;
      say(cell.failed);
      return undefined;
    }
  };
  say('footprints');
  for (const cell of cells) cell.footprint = (await runCell(cell, 'footprint'))?.heapBytes;
  for (let round = 1; round <= how.rounds; ++round) {
    say(`round ${round} of ${how.rounds}`);
    for (const cell of cells) {
      const figures = await runCell(cell, 'time');
      if (figures !== undefined) cell.times.push(figures.ns ?? figures.ms);
    }
  }
  return { rows: rowsOf(cells, live), failures: [...failures, ...cells.flatMap(({ failed }) => failed ?? [])] };
}

function rowsOf(cells, live) {
  const whole = cells.filter(({ failed }) => failed === undefined);
  const reference = (workload) =>
    whole.find((cell) => cell.workload === workload && cell.allocator.name === kReference);
  return whole.map(({ workload, allocator, times, footprint }) => {
    const time = median(times);
    const against = reference(workload);
    return {
      group: workload.group,
      workload: workload.name,
      allocator: allocator.name,
      [workload.module.kind === 'micro' ? 'ns' : 'ms']: time,
      ratio: against === undefined ? undefined : time / median(against.times),
      spread: (Math.max(...times) - Math.min(...times)) / time,
      footprint,
      footprintRatio: against === undefined ? undefined : footprint / against.footprint,
      liveRequested: live.get(workload.name),
    };
  });
}

/** Threads are measured by programs of their own, with Emscripten's JavaScript. What fails there does not cost the other rows. */
async function measureThreads({ rounds, quick, allocators }, failures) {
  const { allocatorNames, benchThreads } = await import('./threads/threads.mjs').then(async (threads) => ({
    ...threads,
    ...(await import('./threads/programs.mjs')),
  }));
  const names = allocators?.filter((name) => allocatorNames.includes(name));
  if (names !== undefined && names.length === 0) return [];
  return await benchThreads({ rounds, quick, allocators: names }).catch((error) => {
    failures.push(`threads: ${error.message}`);
    return [];
  });
}

function write(path, figures) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, undefined, 1)}\n`);
  console.log(`written: ${path}`);
}

async function main() {
  const given = (name) => process.argv.includes(`--${name}`);
  const only = option('only', undefined);
  const wanted = option('allocators', undefined)?.split(',');
  const [quick, browser] = [given('quick'), given('browser')];
  const rounds = Number(option('rounds', quick ? 3 : 5));
  const heap = option('heap', 'both');
  if (!kHeaps.includes(heap)) throw new Error(`--heap is one of ${kHeaps.join(', ')}`);
  const matches = (name) => only === undefined || new RegExp(only).test(name);

  const runner = browser
    ? await (await import('./browser.mjs')).openBrowser()
    : { engine: engine(), run: runInProcess, close: async () => {} };
  const at = machine();
  const date = new Date().toISOString().slice(0, 10);
  const where = `${at.processor}, ${at.processors} processors`;
  console.log(`${date}; ${where}; ${runner.engine}; ${emccVersion()}; ${rounds} interleaved rounds, medians`);

  const allocators = await prepareAllocators(wanted, { release: emccRelease() });
  const names = allocators.map(({ name }) => name);
  const workloads = await prepareWorkloads(only === undefined ? undefined : new RegExp(only), heap);
  const how = { rounds, percent: quick ? kQuickPercent : 100, run: runner.run };
  const { rows, failures } =
    workloads.length === 0 ? { rows: [], failures: [] } : await measure(workloads, allocators, how);
  await runner.close();
  printRows(rows, names);

  const sizes = matches('sizes') ? await measureSizes(allocators) : [];
  if (sizes.length > 0) printSizes(sizes, names);
  const threads =
    matches('threads') && !browser ? await measureThreads({ rounds, quick, allocators: wanted }, failures) : [];

  const figures = {
    bench: 'malloc',
    date,
    machine: at,
    emcc: emccVersion(),
    node: process.version,
    engine: runner.engine,
    rounds,
    allocators: names,
    rows: [...rows, ...threads],
    sizes,
  };
  console.log();
  const json = option('json', undefined);
  if (json !== undefined) write(json, figures);
  if (only === undefined && wanted === undefined && heap === 'both' && !quick) {
    const name = `malloc${browser ? '-browser' : ''}`;
    const path = join(root, `build/bench/${name}.json`);
    write(path, figures);
    console.log(`plotted: ${await writePage(path, join(root, `build/bench/${name}`))}`);
  }
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
