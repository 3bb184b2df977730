// A program that is killed at any moment: it calls its module's allocator at an uneven pace and writes down, where its killer can read it,
// how many calls it had made at which time.
//
//   node program.mjs <module> <log> <seed> <ending> <after ms>      module: an instrumented .wasm, or the .js of a linked program
//                                                                   ending: exit, trap, or wait for somebody's kill
//
// By its seed it returns to its event loop now and then, never, or never and hangs at last: it calls nothing any more, and goes on.

import { openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const [path, log, seed, ending, after] = process.argv.slice(2);
const kMostAtOnce = 3000; // calls
/** A module whose start traps. */
const kTrap = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11);
const kind = ['returns', 'busy', 'hangs'][Number(seed) % 3];

async function allocator() {
  if (!path.endsWith('.wasm')) {
    const wasmBinary = readFileSync(path.replace(/\.js$/, '.wasm'));
    const { _malloc, _free } = await createRequire(import.meta.url)(path)({ wasmBinary });
    return { malloc: _malloc, free: _free };
  }
  const { instance } = await WebAssembly.instantiate(readFileSync(path));
  return instance.exports;
}

const { malloc, free } = await allocator();
const file = openSync(log, 'w');
const begun = performance.now();
let calls = 0;
let state = Number(seed);
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const isOver = (share = 1) => performance.now() - begun > Number(after) * share;
const hangs = () => kind === 'hangs' && isOver(0.5);
const entry = new Float64Array(2);
for (;;) {
  for (let nth = hangs() ? 0 : random(kMostAtOnce); nth > 0; nth -= 2) {
    free(malloc(16));
    calls += 2;
  }
  entry.set([calls, performance.now()]);
  writeSync(file, new Uint8Array(entry.buffer));
  if (isOver() && ending === 'exit') process.exit(0);
  if (isOver() && ending === 'trap') await WebAssembly.instantiate(kTrap);
  const until = performance.now() + random(20);
  if (kind === 'returns' && random(4) === 0) await new Promise((resolve) => setTimeout(resolve, random(60)));
  else while (performance.now() < until);
}
