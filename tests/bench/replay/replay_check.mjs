// npm run check:replay - is what a replay says true? Real programs are recorded with the profile trace and replayed on each
// allocator; then the programs themselves are linked with each allocator and run, and both are printed side by side.
//
//   --only a,b       of the programs of tests/bench/malloc/programs, by default eight of them
//   --rounds n       interleaved rounds of times, replayed and real; 0 (default): peaks and growths alone, which are exact
//   --json file      the figures
//
//   C1  Peaks and growths: memory begins at the heap's base and grows by just what is asked, replayed and real.
//   C2  Times: the trace holds no time of the program. What the replay predicts is the real time with dlmalloc plus the difference
//       of the replayed times; beside it stands the real time with the other allocator. Real runs are processes of their own.
//   C3  A peak that is more than 10 % off fails the check; time never does.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importBundled } from '../harness/bundle.mjs';
import { archive, emccRelease, emccVersion, root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';
import { buildModule, withInitialHeap } from '../malloc/build.mjs';
import { execute } from '../malloc/execute.mjs';
import { compileObject } from '../malloc/objects.mjs';
import { runInProcess } from '../malloc/run.mjs';
import { recordProgram } from './recorded_program.mjs';

const kPrograms = 'sqlite,quickjs,zlib,freetype,oniguruma,webp,yyjson,expat';
const kReference = 'dlmalloc';
const kMostOff = 0.1;
const kWasm = join(root, 'build/wasm');

const rowD = await compileObject(join(root, 'programs/replay/row_d_malloc.c'), [
  '-O3',
  '-fno-builtin',
  `-I${join(root, 'core/include')}`,
]);
const kAllocators = [
  { name: 'fast', flags: [archive('malloc-fast')] },
  { name: 'small', flags: [archive('malloc-small')] },
  { name: 'hardened', flags: [archive('malloc-hardened')] },
  { name: 'row-d', flags: [rowD, archive('release')] },
  { name: 'dlmalloc', flags: ['-sMALLOC=dlmalloc'] },
  { name: 'emmalloc', flags: ['-sMALLOC=emmalloc'] },
  ...(emccRelease() >= 50 ? [{ name: 'mimalloc', flags: ['-sMALLOC=mimalloc'] }] : []),
];

const rounds = Number(option('rounds', 0));
const replayed = await importBundled('replay/replayed');

async function prepare(name) {
  const path = join(root, `tests/bench/malloc/programs/${name}/program.mjs`);
  if (!existsSync(path)) throw new Error(`there is no program ${name}`);
  const made = await (await import(pathToFileURL(path).href)).default.prepare();
  if (made === undefined) return undefined;
  const { sources, flags, args = [], expected } = made;
  return { name, module: { name, kind: 'command', sources, flags }, args: [name, ...args], expected };
}

/** Peak and growths of the program itself (C1). */
async function realMemory({ module, args, expected }, allocator) {
  const path = await buildModule(module, allocator);
  const bytes = withInitialHeap(readFileSync(path), 0);
  const { heapBytes, growths, checksum } = await execute(bytes, { mode: 'footprint', kind: 'command', args });
  if (checksum !== expected) throw new Error(`${module.name} with ${allocator.name}: its output is not the known one`);
  return { path, peak: heapBytes, growths };
}

/** ms of each allocator in each round: [allocator][round]. */
async function realTimes({ args }, paths) {
  const times = paths.map(() => []);
  for (let round = 0; round < rounds; ++round) {
    for (const [nth, wasm] of paths.entries()) {
      times[nth].push((await runInProcess({ mode: 'time', kind: 'command', args, wasm })).ms);
    }
  }
  return times;
}

async function checkProgram(name) {
  const program = await prepare(name);
  if (program === undefined) return undefined;
  const recorder = await recordProgram(program, replayed.createRecorder);
  const { words, notices } = replayed.operationsOfTrace({ trace: recorder.trace, wordSize: 4 });
  if (notices.length > 0) throw new Error(`${name}: ${notices.join('; ')}`);
  const { program: facts, places } = replayed.countOperations(words);
  const candidates = [];
  const rows = [];
  for (const allocator of kAllocators) {
    const module = await replayed.ReplayModule.load(readFileSync(join(kWasm, `replay-${allocator.name}.wasm`)));
    candidates.push({ module, words });
    const memory = await replayed.measureMemory(candidates.at(-1), places);
    const real = await realMemory(program, allocator);
    rows.push({ allocator: allocator.name, replayed: { peak: memory.footprintBytes, growths: memory.growths }, real });
  }
  if (rounds > 0) {
    const repeats = replayed.repeatsOf(words);
    const replayedTimes = (await replayed.measureTimes(candidates, { rounds, repeats })).map(median);
    const times = (
      await realTimes(
        program,
        rows.map(({ real }) => real.path),
      )
    ).map(median);
    const reference = rows.findIndex(({ allocator }) => allocator === kReference);
    rows.forEach((row, nth) => {
      row.replayed.ms = replayedTimes[nth];
      row.real.ms = times[nth];
      row.predicted_ms = times[reference] + replayedTimes[nth] - replayedTimes[reference];
    });
  }
  for (const { real } of rows) delete real.path;
  return { name, operations: facts.operations, events: recorder.count(), live: facts.peak_live_bytes, rows };
}

const off = (is, should) => is / should - 1;
const percent = (share) => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
const mib = (bytes) => fixed(bytes / 2 ** 20);

function print({ name, operations, events, live, rows }) {
  printTable(
    `${name}: ${operations} operations, ${events} events, ${mib(live)} MiB live at the peak`,
    [
      'allocator',
      ...['peak, MiB: replayed', 'real', 'off', 'growths: replayed', 'real'],
      ...(rounds > 0 ? ['ms replayed', 'program, ms: predicted', 'real', 'off'] : []),
    ],
    rows.map(({ allocator, replayed: is, real, predicted_ms }) => [
      allocator,
      mib(is.peak),
      mib(real.peak),
      percent(off(is.peak, real.peak)),
      is.growths,
      real.growths,
      ...(rounds > 0
        ? [fixed(is.ms, 1), fixed(predicted_ms, 1), fixed(real.ms, 1), percent(off(predicted_ms, real.ms))]
        : []),
    ]),
  );
}

/** What fast gives in place of the reference, replayed and real: one line a program. */
function printGains(programs) {
  printTable(
    `fast in place of ${kReference}`,
    [
      'program',
      'peak: replayed',
      'real',
      ...(rounds > 0 ? ['time of malloc: replayed', 'program: predicted', 'real'] : []),
    ],
    programs.map(({ name, rows }) => {
      const [fast, from] = ['fast', kReference].map((one) => rows.find(({ allocator }) => allocator === one));
      const times = () => [
        fixed(fast.replayed.ms / from.replayed.ms),
        fixed(fast.predicted_ms / from.real.ms),
        fixed(fast.real.ms / from.real.ms),
      ];
      return [
        name,
        fixed(fast.replayed.peak / from.replayed.peak),
        fixed(fast.real.peak / from.real.peak),
        ...(rounds > 0 ? times() : []),
      ];
    }),
  );
}

mkdirSync(join(root, 'build/bench/replay'), { recursive: true });
console.log(`${emccVersion()}, Node ${process.version}, ${rounds} rounds`);
const programs = [];
for (const name of option('only', kPrograms).split(',')) {
  const checked = await checkProgram(name);
  if (checked === undefined) continue;
  programs.push(checked);
  print(checked);
}
printGains(programs);
const pairs = programs.flatMap(({ name, rows }) => rows.map((row) => ({ name, ...row })));
const worst = (of) => pairs.reduce((most, pair) => (Math.abs(of(pair)) > Math.abs(of(most)) ? pair : most));
const say = (what, of) => {
  const most = worst(of);
  const within = pairs.filter((pair) => Math.abs(of(pair)) <= kMostOff).length;
  console.log(
    `${what}: ${within} of ${pairs.length} within 10 %; worst ${percent(of(most))} (${most.name}, ${most.allocator})`,
  );
  return within;
};
console.log();
const within = say('peaks', ({ replayed: is, real }) => off(is.peak, real.peak));
say('growths', ({ replayed: is, real }) => off(is.growths, real.growths));
if (rounds > 0) say('times of the program', ({ predicted_ms, real }) => off(predicted_ms, real.ms));
writeJson({ bench: 'replay-check', emcc: emccVersion(), rounds, programs });
writeFileSync(join(root, 'build/bench/replay/check.json'), JSON.stringify(programs));
if (within < pairs.length) process.exitCode = 1;
