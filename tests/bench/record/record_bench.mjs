// What recording costs: real programs linked with the profile fast, and with trace, recorded in four ways. Each run is a
// process of its own and times main alone; the ways take turns, and the figure is the median.
//
//   node tests/bench/record/record_bench.mjs [--rounds 9] [--only sqlite,lua]
//
//   fast      the profile fast
//   off       the profile trace without a recorder: probes that write nothing
//   drained   recorded, lossless, nothing kept: the ring is emptied as it fills
//   kept      the same, all events kept in memory
//   file      the same, all events written to a file (HEAPGLASS_RECORD)
//   stacks    as drained, instrumented with --stacks: each allocation with its call site

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { buildCommandLine } from '../../../tools/build_command_line.mjs';
import { writeRecorder } from '../../../tools/build_recorder.mjs';
import { archive, callEmcc, emccRelease, emccVersion, root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { compileObject } from '../malloc/objects.mjs';

const kPrograms = ['sqlite', 'lua', 'quickjs', 'tree_sitter', 'zlib'];
const kWays = {
  fast: { profile: 'fast' },
  off: { profile: 'trace' },
  drained: { profile: 'trace', recorder: true, keep: 'none' },
  kept: { profile: 'trace', recorder: true, keep: 'all' },
  file: { profile: 'trace', recorder: true, file: true },
  stacks: { profile: 'trace', recorder: true, keep: 'none', stacks: true },
};
const kGlue = [
  '-O3',
  '-sMODULARIZE',
  '-sINVOKE_RUN=0',
  '-sEXPORTED_RUNTIME_METHODS=callMain',
  '-sALLOW_MEMORY_GROWTH',
  '-sMAXIMUM_MEMORY=2GB',
  '-w',
];

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, only: { type: 'string', default: kPrograms.join(',') } },
});
const out = join(root, 'build/bench/record');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n');
const libraries = ['--js-library', writeRecorder(join(root, 'build/emscripten'))];

const dist = join(out, 'dist');
const loader = join(out, 'loader.mjs');
await buildCommandLine(dist, { page: false });
const stdin = {
  contents: "import { install } from './loader.ts'; install();",
  resolveDir: join(root, 'web/src/instrument'),
};
await build({ stdin, outfile: loader, bundle: true, format: 'esm', logLevel: 'warning' });

/** The script of each way, by its name. */
async function link(name) {
  const { default: program } = await import(`../malloc/programs/${name}/program.mjs`);
  const prepared = await program.prepare();
  if (prepared === undefined) return undefined;
  const objects = [];
  for (const source of prepared.sources) objects.push(await compileObject(source, ['-O3', ...prepared.flags, '-w']));
  const scripts = {};
  for (const [way, { profile, recorder, stacks }] of Object.entries(kWays)) {
    const same = Object.keys(scripts).find(
      (other) =>
        kWays[other].recorder === recorder && kWays[other].profile === profile && kWays[other].stacks === stacks,
    );
    scripts[way] = same === undefined ? join(out, `${name}-${way}.js`) : scripts[same];
    if (same !== undefined) continue;
    const flags = recorder ? ['-Wl,-u,hg_recorder_drain', ...libraries] : [];
    if (stacks) flags.push('--profiling-funcs'); // the names of functions, which -O3 leaves out
    await callEmcc(
      [...objects, archive(`malloc-${profile}`), ...flags, ...kGlue, '-o', scripts[way]],
      `${name}, ${way}`,
    );
    if (stacks) instrument(scripts[way]);
  }
  return scripts;
}

/** Puts the instrumented module in the place of the script's. */
function instrument(script) {
  const wasm = script.replace(/\.js$/, '.wasm');
  const command = join(dist, 'bin/heapglass.mjs');
  execFileSync(process.execPath, [command, 'instrument', wasm, '--stacks', '-o', wasm], { stdio: 'pipe' });
}

async function runOnce(script, { keep, file, stacks }) {
  const record = join(out, 'record.hgtrace');
  const env = { ...process.env, ...(file ? { HEAPGLASS_RECORD: record } : {}) };
  const glue = emccRelease() < 27 ? ['--import', 'data:text/javascript,delete globalThis.fetch'] : [];
  const preload = stacks ? ['--import', pathToFileURL(loader).href] : [];
  const given = [
    ...glue,
    ...preload,
    join(import.meta.dirname, 'run_once.cjs'),
    script,
    ...(keep === undefined ? [] : [keep]),
  ];
  const { stderr } = await promisify(execFile)(process.execPath, given, { env, maxBuffer: 1 << 26 });
  rmSync(record, { force: true });
  return JSON.parse(stderr.trim().split('\n').at(-1));
}

const rounds = Number(values.rounds);
const load = execFileSync('uptime', { encoding: 'utf8' })
  .replace(/.*load average/, 'load average')
  .trim();
console.log(`${emccVersion()}, Node ${process.version}, ${rounds} rounds, ${load}`);
console.log('program        ms fast   off      drained  kept     file     stacks   events');
const ratios = Object.fromEntries(Object.keys(kWays).map((way) => [way, []]));
for (const name of values.only.split(',')) {
  const scripts = await link(name);
  if (scripts === undefined) {
    console.log(`${name}: its sources are not there and cannot be fetched`);
    continue;
  }
  const times = Object.fromEntries(Object.keys(kWays).map((way) => [way, []]));
  let events = 0;
  for (let round = -1; round < rounds; ++round) {
    for (const [way, settings] of Object.entries(kWays)) {
      const result = await runOnce(scripts[way], settings);
      if (round >= 0) times[way].push(result.milliseconds);
      events = Math.max(events, result.events);
    }
  }
  const medians = Object.fromEntries(Object.entries(times).map(([way, all]) => [way, median(all)]));
  for (const way of Object.keys(kWays)) ratios[way].push(medians[way] / medians.fast);
  const shown = Object.keys(kWays)
    .filter((way) => way !== 'fast')
    .map((way) => (medians[way] / medians.fast).toFixed(3).padEnd(8));
  console.log(`${name.padEnd(14)} ${medians.fast.toFixed(1).padEnd(9)} ${shown.join(' ')} ${events}`);
}
const mean = (all) => Math.exp(all.reduce((sum, ratio) => sum + Math.log(ratio), 0) / all.length);
const means = Object.keys(kWays).filter((way) => way !== 'fast');
console.log(`geometric mean           ${means.map((way) => mean(ratios[way]).toFixed(3).padEnd(8)).join(' ')}`);
