// The targets of `npm run fuzz` that take what a stranger gives: modules, requests, messages, traces. A case is a seed.
//
//   tests/fuzz/corpus/strangers/<target>.json    one seed for each kind of answer, with the newest ones; each run begins with them
//
// A case is a finding when the target throws (target.ts), when its process dies, or when it takes kCaseMs of a core. Findings are printed with
// their seed, and put into the corpus.

import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildBesideCommandLine } from '../../../tools/build_command_line.mjs';
import { afterCoreTime } from '../core_time.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const work = join(root, 'build/fuzz/strangers');
const corpora = join(root, 'tests/fuzz/corpus/strangers');
const child = join(work, 'bin/child.mjs');
const kCaseMs = 20_000;
const kProgressMs = 30_000;
const kMostSeeds = 100;
const kMostShown = 20;
const kSeeds = 2 ** 30;

export const kStrangers = ['instrument', 'http', 'wire', 'report', 'ask', 'diff', 'replay', 'convert', 'symbolize'];

/** Tests name the module from where their sources lie. */
const traceModule = {
  name: 'trace-module',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onLoad }) {
    onLoad({ filter: /live_program\.ts$/ }, ({ path }) => {
      const modules = pathToFileURL(join(root, 'build/wasm/')).href;
      return { contents: readFileSync(path, 'utf8').replaceAll("'../../../build/wasm/", `'${modules}`), loader: 'ts' };
    });
  },
};

/** The child beside what the command line finds beside itself. */
export async function buildStrangers() {
  await buildBesideCommandLine(work, join(root, 'tests/fuzz/strangers/child.ts'), child, [traceModule]);
  mkdirSync(corpora, { recursive: true });
}

/** A native wasm-opt is twenty times as quick as the package's. */
function wasmOpt() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const own = folders.map((folder) => join(folder, 'wasm-opt')).find((path) => existsSync(path));
  return own ?? join(root, 'node_modules/.bin/wasm-opt');
}

/** keep: the repository's seeds become those of each kind of answer that came. */
export async function fuzzStranger(target, { minutes, keep }) {
  const file = join(corpora, `${target}.json`);
  const kinds = new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : []);
  const known = [...kinds.values()];
  const counts = { executions: 0, answers: new Map(), found: new Map() };
  const end = Date.now() + minutes * 60_000;
  let next = Math.floor(Math.random() * kSeeds); // each run sees new ones; a finding says its seed
  let seeds = known;
  while (Date.now() < end) {
    next = await batch(target, next, Math.ceil((end - Date.now()) / 1000), seeds, counts);
    seeds = [];
  }
  for (const [kind, seed] of [...counts.answers, ...counts.found]) if (!kinds.has(kind)) kinds.set(kind, seed);
  const kept = [...kinds].slice(-kMostSeeds);
  if (keep) writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
  return { target, executions: counts.executions, kinds: counts.answers.size, kept: kept.length, found: counts.found };
}

/** Runs until the time is over or the process dies; resolves to the next seed. */
function batch(target, first, seconds, known, counts) {
  const { answers, found } = counts;
  const golden = join(root, 'tests/web/trace/golden');
  const given = [target, first, seconds, golden, wasmOpt(), ...known].map(String);
  const started = fork(child, given, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let errors = '';
  let current;
  let stopWatch = () => {};
  let next = first;
  started.stderr?.on('data', (data) => {
    errors = `${errors}${data}`.slice(-2000);
  });
  return new Promise((resolve) => {
    const progress = setInterval(() => say(target, counts.executions, answers, found), kProgressMs);
    started.on('message', ({ seed, kind, wrong }) => {
      stopWatch();
      current = seed;
      if (kind === undefined && wrong === undefined) {
        stopWatch = afterCoreTime(started.pid, kCaseMs, () => started.kill('SIGKILL'));
        return;
      }
      current = undefined;
      if (seed >= first) next = seed + 1;
      counts.executions += 1;
      if (wrong === undefined) answers.set(kind, answers.get(kind) ?? seed);
      else note(target, found, seed, wrong);
    });
    started.on('exit', () => {
      stopWatch();
      clearInterval(progress);
      if (current !== undefined) {
        note(target, found, current, `it hangs, or its process died: ${errors}`);
        next = Math.max(next, current + 1);
      }
      resolve(next);
    });
  });
}

const say = (target, executions, answers, found) =>
  console.log(`  ${target}: ${executions} executions, ${answers.size} kinds of answers, ${found.size} findings`);

function note(target, found, seed, wrong) {
  const kind = `finding: ${wrong.split('\n')[0]?.slice(0, 100)}`;
  if (!found.has(kind) && found.size < kMostShown) console.log(`  ${target} ${seed}: ${wrong}`);
  found.set(kind, found.get(kind) ?? seed);
}
