// npm run fuzz:traces - damaged files, mutated event streams, damaged imports and well-formed streams of events that contradict
// each other, against readers, model and frames.
//
//   --files 10000   --streams 10000   --imports 10000   --contradictions 10000   --seed 1      each case is its seed: --seed 4711 --files 1 repeats one
//
// A case is wrong when it takes more than 2 s of processor time (its process is ended 6 s by the clock after it is opened), when memory grows
// by more than 4 times the file and 64 MiB, or when what is said is no sentence. Ends with 1 then.

import { fork } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const golden = join(root, 'tests/web/trace/golden');
const fixtures = join(root, 'tests/web/convert/fixtures');
const wasm = join(root, 'build/wasm/heapglass-trace.wasm');
const child = join(root, 'build/fuzz/traces_child.mjs');
const kHangMs = 2000;
const kMakingMs = 120_000;
const kSlack = 64 * 2 ** 20;
const kBatch = 2000;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

mkdirSync(join(root, 'build/fuzz'), { recursive: true });
await build({
  entryPoints: [join(root, 'tests/fuzz/traces_child.ts')],
  outfile: child,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
const seeds = readdirSync(golden).map((name) => join(golden, name));

const totals = { cases: 0, sentences: 0, wrong: 0, slowest: 0, largest: 0 };

/** Runs cases [first, first + count); resolves to the case behind the last that ended. */
function batch(kind, first, count) {
  const process_ = fork(child, [kind, first, count, fixtures, wasm, ...seeds].map(String), {
    execArgv: ['--expose-gc'],
  });
  let current;
  let timer;
  return new Promise((resolve) => {
    let next = first;
    process_.on('message', (message) => {
      clearTimeout(timer);
      current = message.seed;
      if (message.ms === undefined) {
        // Twice a case: before it is made, which a busy machine may take long for, and before it is opened.
        const limit = message.bytes === undefined ? kMakingMs : kHangMs * 3;
        timer = setTimeout(() => process_.kill('SIGKILL'), limit);
        return;
      }
      current = undefined;
      next = message.seed + 1;
      note(kind, message);
    });
    process_.on('exit', () => {
      clearTimeout(timer);
      if (current !== undefined) {
        note(kind, { seed: current, ms: Number.POSITIVE_INFINITY, wrong: 'hangs, or its process died' });
        next = current + 1;
      }
      resolve(next);
    });
  });
}

function note(kind, { seed, bytes = 0, ms, grown = 0, said, wrong }) {
  totals.cases += 1;
  totals.sentences += said ? 1 : 0;
  totals.slowest = Math.max(totals.slowest, ms);
  totals.largest = Math.max(totals.largest, grown);
  const tooLarge = grown > 4 * bytes + kSlack ? `memory grew by ${(grown / 2 ** 20).toFixed(0)} MiB` : undefined;
  const tooSlow = ms > kHangMs ? `took ${ms.toFixed(0)} ms` : undefined;
  const found = wrong ?? tooLarge ?? tooSlow;
  if (found === undefined) return;
  totals.wrong += 1;
  console.log(`${kind} ${seed}, ${bytes} bytes: ${found}`);
}

const seed = option('seed', 1);
for (const [kind, count] of [
  ['files', option('files', 10_000)],
  ['streams', option('streams', 10_000)],
  ['imports', option('imports', 10_000)],
  ['contradictions', option('contradictions', 10_000)],
]) {
  for (let at = seed; at < seed + count; ) at = await batch(kind, at, Math.min(kBatch, seed + count - at));
}
const { cases, sentences, wrong, slowest, largest } = totals;
console.log(`${cases} cases: ${sentences} answered with a sentence, ${wrong} wrong`);
console.log(`slowest ${slowest.toFixed(0)} ms, largest growth ${(largest / 2 ** 20).toFixed(1)} MiB`);
process.exitCode = wrong === 0 ? 0 : 1;
