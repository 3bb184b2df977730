// Kills recorded programs at random moments, and says what their traces have lost.
//
//   npm run check:kills -- --runs 200 --seed 1
//
//   A run: heapglass run program.mjs ─▶ after a random time its ending ─▶ the trace's calls against the program's own count
//          with a module that is instrumented, or one that is linked with heapglass, by turns
//
//   exit, trap   the program ends by itself        program   it is killed        recorder   heapglass run is killed
//   tab          it runs in a page, whose process is killed (tab.mjs)                closed     a test closes the page
//
//   kills.K1  What is lost is counted in calls, in milliseconds, and in milliseconds of processor time: on a machine that does much else a
//             program stands still for long, and so does whoever takes its events. A program that hangs calls nothing: the last milliseconds are
//             those from the last call that was not lost to the last one.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import binaryen from 'binaryen';
import { builtPackage } from '../../../tools/built.mjs';
import { leaveOutPackageTools } from '../../../tools/package_tools.mjs';
import { openTabs } from './tab.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = fileURLToPath(new URL('./program.mjs', import.meta.url));
const kEndings = ['exit', 'trap', 'program', 'recorder', 'tab'];
const kKinds = [
  ...[...kEndings, 'closed'].map((ending) => ({ module: 'instrumented', ending })),
  ...kEndings.map((ending) => ({ module: 'linked', ending })),
];
const kLongest = 1500; // milliseconds
const kPollMs = 5;
const kNote = 3; // numbers: calls, milliseconds, milliseconds of processor time
const kDebianPackages = '/usr/share/nodejs'; // there its emcc finds acorn, whatever the node

const kModule = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param i32) (result i32) (global.get $top))
  (func $give (param i32))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

/** @typedef {{ module: string, ending: string, calls: number, lost: number, lostMs: number, lostCpuMs: number, calledMs: number, events: number, bytes: number, notice: string | undefined }} Killed */

/** @param {{ runs: number, seed: number, longest?: number, each?: (killed: Killed) => void }} options @returns {Promise<Killed[]>} */
export async function killAll({ runs, seed, longest = kLongest, each = () => {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-kills-'));
  const { dist } = builtPackage();
  const command = join(dist, 'bin/heapglass.mjs');
  const reading = await import(join(dist, 'package/trace.js'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const make = { instrumented, linked };
    const modules = new Map();
    let state = seed >>> 0;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const all = [];
    let tabs;
    for (let nth = 0; nth < runs; ++nth) {
      const { ending, module: name } = kKinds[nth % kKinds.length];
      const after = random() * longest;
      if (!modules.has(name)) modules.set(name, await make[name](folder, command));
      const of = { folder, command, reading, ending, name, module: modules.get(name) };
      const isTab = ending === 'tab' || ending === 'closed';
      if (isTab) tabs ??= await openTabs(folder, dist);
      const killed = await (isTab ? killTab(tabs, of, seed + nth, after) : killOne({ ...of, seed: seed + nth, after }));
      all.push(killed);
      each(killed);
    }
    await tabs?.close();
    return all;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function instrumented(folder, command) {
  const module = binaryen.parseText(kModule);
  writeFileSync(join(folder, 'plain.wasm'), module.emitBinary());
  await ended(spawn(process.execPath, [command, 'instrument', 'plain.wasm', '-o', 'app.wasm'], { cwd: folder }));
  return join(folder, 'app.wasm');
}

function linked(folder, command) {
  leaveOutPackageTools();
  const printed = execFileSync(process.execPath, [command, '--ldflags', '--profile', 'trace'], { encoding: 'utf8' });
  const flags = ['-O2', '-sMODULARIZE', '-sNODEJS_CATCH_EXIT=0', '-sNODEJS_CATCH_REJECTION=0'];
  const exported = '-sEXPORTED_FUNCTIONS=_main,_malloc,_free';
  const out = join(folder, 'linked.js');
  const source = fileURLToPath(new URL('./linked.c', import.meta.url));
  execFileSync('emcc', [source, ...printed.trim().split(/\s+/), ...flags, exported, '-o', join(folder, 'linked.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(existsSync(kDebianPackages) ? { NODE_PATH: kDebianPackages } : {}) },
  });
  return out;
}

async function killOne({ folder, command, reading, ending, name, module, seed, after }) {
  const [log, trace] = [join(folder, 'calls.log'), join(folder, 'out.hgtrace')];
  for (const file of [log, trace]) rmSync(file, { force: true });
  const isKill = ending === 'program' || ending === 'recorder';
  const given = [module, log, String(seed), isKill ? 'kill' : ending, String(after)];
  const run = spawn(process.execPath, [command, 'run', '-o', trace, program, ...given], {
    cwd: folder,
    stdio: 'ignore',
  });
  const over = ended(run);
  if (isKill) {
    await until(() => statSync(log, { throwIfNoEntry: false })?.size > 0);
    await new Promise((resolve) => setTimeout(resolve, after));
    const child = programOf(run.pid, 'program.mjs');
    const watch = programOf(run.pid, 'run_watch.mjs');
    process.kill(ending === 'program' ? child : run.pid, 'SIGKILL');
    await over;
    await until(() => !isRunning(child) && !isRunning(watch)); // it packs
  } else await over;
  return { module: name, ending, ...judged(notesIn(log), readFileSync(trace), reading) };
}

async function killTab(tabs, { name, ending, reading }, seed, after) {
  const { log, path } = await tabs.endOne({ module: name, seed, after, ending });
  return { module: name, ending, ...judged(log, readFileSync(path), reading) };
}

/** The program's notes, as far as they are whole. */
function notesIn(file) {
  const log = readFileSync(file);
  return new Float64Array(log.buffer.slice(log.byteOffset, log.byteOffset + log.length - (log.length % (kNote * 8))));
}

/** What the trace has of the calls that the program has counted. */
function judged(notes, file, { decodeTraceFile, Model }) {
  const calls = notes.at(-kNote);
  const read = decodeTraceFile(file);
  const { trace, notice } = read.ok ? read.value : { trace: undefined, notice: read.error.message };
  const recorded = Math.min(calls, trace === undefined ? 0 : callsIn(new Model(trace))); // it may have called some more than it had noted
  const since = (nth, last) => (recorded === calls ? 0 : last[nth] - noteBehind(notes, recorded)[nth]);
  const [end, lastCall] = [notes.subarray(-kNote), noteBehind(notes, calls)];
  const lost = {
    lost: calls - recorded,
    lostMs: since(1, end),
    lostCpuMs: since(2, end),
    calledMs: since(1, lastCall),
  };
  return { calls, ...lost, events: trace?.count ?? 0, bytes: file.length, notice };
}

function callsIn({ history }) {
  history.fold();
  return history.operations.total;
}

/** The first note that was written behind so many calls. */
function noteBehind(notes, calls) {
  let at = notes.length - kNote;
  while (at > 0 && notes[at - kNote] >= calls) at -= kNote;
  return notes.subarray(at, at + kNote);
}

const ended = (child) => new Promise((resolve) => child.on('exit', resolve));

async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, kPollMs));
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The child of heapglass run that runs this script. */
function programOf(pid, script) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(script));
}

/** @param {Killed[]} all */
function table(all) {
  const most = (of, name) => Math.max(...of.map((one) => one[name])).toFixed(0);
  return kKinds.map(({ module, ending }) => {
    const of = all.filter((one) => one.module === module && one.ending === ending);
    const bytes = of.reduce((sum, one) => sum + one.bytes, 0) / of.reduce((sum, one) => sum + one.events, 0);
    const unread = of.filter(({ events }) => events === 0).length;
    return `${module.padEnd(12)} ${ending.padEnd(10)} ${String(of.length).padStart(4)} runs   lost at most ${most(of, 'lost')} calls, ${most(of, 'lostMs')} ms, ${most(of, 'lostCpuMs')} ms of processor time, called within ${most(of, 'calledMs')} ms   unreadable ${unread}   ${bytes.toFixed(1)} bytes an event`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
  });
  const all = await killAll({
    runs: Number(values.runs),
    seed: Number(values.seed),
    each: ({ module, ending, calls, lost, lostMs, lostCpuMs, calledMs, notice }) =>
      console.log(
        `${module.padEnd(12)} ${ending.padEnd(10)} ${calls} calls, lost ${lost} (${lostMs.toFixed(0)} ms, ${lostCpuMs.toFixed(0)} of processor time, called within ${calledMs.toFixed(0)})${notice === undefined ? '' : `   ${notice}`}`,
      ),
  });
  for (const line of table(all)) console.log(line);
}
