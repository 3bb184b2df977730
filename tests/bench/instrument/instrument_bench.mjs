// What an instrumented module costs in time: node tests/bench/instrument/instrument_bench.mjs [--rounds N] [--only regex]
//
//   shipped       the module as its package has it
//   calls         instrumented, events taken and thrown away        (the goal: at most 1.10 of shipped)
//   calls, none   the same by keep = 'none': the recorder reads the events that it throws away, and knows which blocks live
//   calls, file   instrumented, events written to a trace file
//   stacks        instrumented with --stacks, thrown away           (at most 1.50)
//   sampled       instrumented with --sample 2097152, thrown away   (at most 1.03)
//
//  B1  Each measurement is a process of its own that does the work of tests/instrument/modules/programs.mjs often; its fastest time counts.
//  B2  Variants take turns within a round, so that what else the machine does meets all; the ratio is the median over the rounds.
//  B3  The packages are those that npm run check:modules fetched into build/modules; without them it is told to run first.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildCommandLine } from '../../../tools/build_command_line.mjs';
import { kPrograms } from '../../instrument/modules/programs.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const packages = join(root, 'build/modules');
const runOne = join(root, 'tests/instrument/modules/run_one.mjs');
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
const kRepeat = '30';
const kSample = '2097152';

if (!existsSync(join(packages, 'node_modules'))) {
  console.error(`there are no packages in ${packages}: npm run check:modules fetches them`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'heapglass-bench-'));
try {
  await buildCommandLine(join(folder, 'dist'), { page: false });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const loader = join(folder, 'loader.mjs');
  const entry = join(root, 'web/src/instrument/loader.ts');
  await build({ entryPoints: [entry], outfile: loader, bundle: true, format: 'esm', logLevel: 'warning' });
  const chosen = kPrograms.filter(({ name }) => new RegExp(values.only, 'i').test(name));
  const ratios = new Map();
  for (const program of chosen) ratios.set(program.name, measured(program, pathToFileURL(loader).href));
  console.log(tableOf(ratios));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {import('../../instrument/modules/programs.mjs').Program} program @param {string} install */
function measured(program, install) {
  const shipped = join(folder, 'shipped.wasm');
  writeFileSync(shipped, shippedBytes(program));
  const nothing = { HEAPGLASS_LOADER: new URL('keep_nothing.mjs', import.meta.url).href, HEAPGLASS_INSTALL: install };
  const file = {
    HEAPGLASS_LOADER: pathToFileURL(join(folder, 'dist/bin/record_instrumented.mjs')).href,
    HEAPGLASS_RECORD: join(folder, 'bench.hgtrace'),
  };
  const calls = made(program, shipped, 'calls.wasm');
  const variants = [
    { name: 'shipped', module: '-', env: {} },
    { name: 'calls', module: calls, env: nothing },
    { name: 'calls, none', module: calls, env: { ...nothing, HEAPGLASS_KEEP: 'none' } },
    { name: 'calls, file', module: calls, env: file },
    { name: 'stacks', module: made(program, shipped, 'stacks.wasm', '--stacks'), env: nothing },
    { name: 'sampled', module: made(program, shipped, 'sampled.wasm', '--sample', kSample), env: nothing },
  ].filter(({ module }) => module !== undefined);
  /** @type {Map<string, number[]>} */
  const times = new Map(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; ++round) {
    for (const { name, module, env } of variants) times.get(name)?.push(fastest(program, module ?? '-', env));
  }
  const base = times.get('shipped') ?? [];
  return new Map(
    [...times].map(([name, list]) => [name, median(list.map((time, round) => time / (base[round] ?? 1)))]),
  );
}

/** The path of the instrumented module; undefined where the command does not know the option. */
function made(program, shipped, name, ...options) {
  const output = join(folder, name);
  const named = Object.entries(program.named ?? {}).flatMap(([role, given]) => [`--${role}`, given]);
  const given = ['instrument', shipped, '-o', output, ...named, ...options];
  try {
    execFileSync(process.execPath, [join(folder, 'dist/bin/heapglass.mjs'), ...given], { stdio: 'pipe' });
    return output;
  } catch (error) {
    const said = String(/** @type {any} */ (error).stderr);
    if (said.includes('nknown option')) return undefined;
    throw new Error(`${program.name}, ${options.join(' ')}: ${said}`);
  }
}

function fastest(program, module, env) {
  const output = execFileSync(process.execPath, [runOne, program.name, packages, module], {
    encoding: 'utf8',
    env: { ...process.env, ...env, HEAPGLASS_REPEAT: kRepeat },
  });
  const { milliseconds } = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  return Math.min(...milliseconds);
}

function shippedBytes({ wasm }) {
  const require = createRequire(join(packages, 'package.json'));
  const file = require.resolve(wasm);
  if (file.endsWith('.wasm')) return readFileSync(file);
  const content = require(file);
  return typeof content === 'string' ? Buffer.from(content, 'base64') : content;
}

function median(list) {
  const sorted = list.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function tableOf(ratios) {
  const names = [...new Set([...ratios.values()].flatMap((row) => [...row.keys()]))].filter(
    (name) => name !== 'shipped',
  );
  const cell = (value) => (value === undefined ? '' : value.toFixed(3));
  const lines = [...ratios].map(
    ([name, row]) => `| ${[name, ...names.map((each) => cell(row.get(each)))].join(' | ')} |`,
  );
  const mean = (each) => {
    const known = [...ratios.values()].map((row) => row.get(each)).filter((value) => value !== undefined);
    return Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length);
  };
  const head = [`| time, of the shipped module's | ${names.join(' | ')} |`, `|---${'|---'.repeat(names.length)}|`];
  return [...head, ...lines, `| geometric mean | ${names.map((each) => cell(mean(each))).join(' | ')} |`].join('\n');
}
