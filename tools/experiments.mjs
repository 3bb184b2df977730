// npm run experiments: the documents' measurements, in WebAssembly, beside the documents' figures.
//
//   npm run experiments                        all, under Node
//   npm run experiments -- AE1 CE1             only these
//   npm run experiments -- --rounds 5          medians of so many (else 3)
//   npm run experiments -- --divisor 10        a tenth of the iterations
//   npm run experiments -- --browser           in Chromium instead
//   npm run experiments -- --json [file]       figures for programs, keyed by id; without a file alone on standard output
//   npm run experiments -- --write docs        writes docs/experiments.md; with all of them, its first table too
//   npm run experiments -- --twice             runs all again and compares: counts and bytes must be equal
//   npm run experiments -- --keep-garbage      does not collect the memory of earlier rows before each row: what that costs
//
// Prints where a figure differs from a document's; no figure passes or fails. Exit code 1: an experiment did not run, or
// --twice found counts that differ.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ensure } from './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kDocument = 'docs/experiments.md';

// --json may stand alone, which parseArgs does not know.
const words = process.argv.slice(2).map((word, at, all) => {
  const alone = word === '--json' && (all[at + 1] === undefined || /^(-|[A-E]E\d)/.test(all[at + 1]));
  return alone ? '--json=-' : word;
});
const { values: options, positionals } = parseArgs({
  args: words,
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    divisor: { type: 'string', default: '1' },
    json: { type: 'string' },
    browser: { type: 'boolean', default: false },
    write: { type: 'string' },
    twice: { type: 'boolean', default: false },
    'keep-garbage': { type: 'boolean', default: false },
  },
});
if (options.write !== undefined && options.write !== 'docs') stop(`--write knows only docs`);
const rounds = Math.max(1, Number(options.rounds) || 1);
const divisor = Math.max(1, Number(options.divisor) || 1);
const collects = !options['keep-garbage'];
const say = options.json === '-' ? () => {} : console.log;

try {
  ensure('packages', 'emcc', 'boost', ...(options.browser ? ['chromium'] : []));
} catch (error) {
  stop(error.message);
}
execFileSync('./wasm-build.sh', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const { bundleForNode, nodePorts } = await import('./experiments/node_threads.mjs');
const { kExperimentIds, measure, Threads } = await import(await bundleForNode('node'));
const unknown = positionals.filter((id) => !kExperimentIds.includes(id));
if (unknown.length > 0) stop(`no such experiment: ${unknown.join(' ')} (there are ${kExperimentIds.join(' ')})`);
const ids = positionals.length > 0 ? positionals : kExperimentIds;

const begun = performance.now();
const measured = {};
const failed = {};
const differing = [];
let where = `Node ${process.version.slice(1)}`;
if (options.browser) {
  const { withBrowser } = await import('./experiments/browser.mjs');
  await withBrowser(
    async (run, version) => {
      where = `Chromium ${version}`;
      await runTwice((id) => run({ id, rounds, divisor }));
    },
    { collects },
  );
} else {
  if (collects) exposeCollection();
  const threads = new Threads(nodePorts(await bundleForNode('thread')));
  await runTwice((id) => measure(id, { rounds, divisor, threads, noThreads: '' }));
  threads.dispose();
}
const spent = (performance.now() - begun) / 1000;
const machine = await describeMachine();
say(
  `\n${ids.length} experiments, ${rounds} rounds${options.twice ? ', twice' : ''}${divisor > 1 ? `, divisor ${divisor}` : ''}: ${spent.toFixed(0)} s`,
);
for (const [id, message] of Object.entries(failed)) console.error(`${id} did not run: ${message}`);
if (options.json !== undefined) writeJson();
if (options.write !== undefined) {
  const { documentOf } = await import('./experiments/document.mjs');
  const { withSummary } = await import('./experiments/summary.mjs');
  const text = documentOf(Object.values(measured), { machine, rounds, divisor, failed });
  const isWhole = ids.length === kExperimentIds.length && Object.keys(failed).length === 0;
  writeFileSync(join(root, kDocument), isWhole ? withSummary(text) : text);
  say(`written: ${kDocument}`);
}
for (const difference of differing) console.error(difference);
process.exitCode = Object.keys(failed).length > 0 || differing.length > 0 ? 1 : 0;

/** R5 of web/src/experiments/runner.ts. The flag counts for contexts that are made after it. */
function exposeCollection() {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
}

/** All of them; with --twice once more, silently: only the first run's figures are shown and written. */
async function runTwice(run) {
  await runAll(run);
  if (!options.twice) return;
  const { countCells, differingCounts } = await import('./experiments/counts.mjs');
  let compared = 0;
  for (const [id, { report }] of Object.entries(measured)) {
    const second = await run(id);
    compared += countCells(report.tables).length;
    differing.push(...differingCounts(report.tables, second.report.tables).map((words) => `${id}, ${words}`));
  }
  say(`\nrun twice: ${compared} counts compared, ${differing.length} differ`);
}

async function runAll(run) {
  const { printTable } = await import('../tests/bench/harness/report.mjs');
  for (const id of ids) {
    const from = performance.now();
    try {
      measured[id] = await run(id);
    } catch (error) {
      failed[id] = error.message;
      say(`\n${id} did not run: ${error.message}`);
      continue;
    }
    const { report } = measured[id];
    say(`\n==== ${id}: ${report.title} (${((performance.now() - from) / 1000).toFixed(1)} s)\n${report.question}`);
    if (options.json !== '-') for (const { title, head, rows } of report.tables) printTable(title, head, rows);
    for (const finding of report.findings) say(`* ${finding}`);
  }
}

async function describeMachine() {
  const { emccVersion } = await import('../tests/bench/harness/compile.mjs');
  const { machine: machineOf } = await import('../tests/bench/harness/report.mjs');
  const emcc = /\d+\.\d+\.\d+/.exec(emccVersion())?.[0] ?? 'unknown';
  return { cores: machineOf().processors, where, emcc, date: new Date().toISOString().slice(0, 10) };
}

function writeJson() {
  const byId = Object.entries(measured).map(([id, { report, results }]) => {
    const { tables, charts, findings } = report;
    const rows = results.map(({ row, ...shown }) => ({ ...row, ...shown }));
    return [id, { rows, tables, charts, findings }];
  });
  const text = `${JSON.stringify({ machine: { ...machine, rounds, divisor }, ...Object.fromEntries(byId), failed }, undefined, 2)}\n`;
  if (options.json === '-') {
    process.stdout.write(text);
    return;
  }
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, text);
  say(`written: ${options.json}`);
}

function stop(text) {
  console.error(text);
  process.exit(3);
}
