// A program that is killed at any moment (pace.mjs). It writes down, where its killer can read it, how many calls it had made at which time.
//
//   node program.mjs <module> <log> <seed> <ending> <after ms>      module: an instrumented .wasm, or the .js of a linked program
//                                                                   ending: exit, trap, or wait for somebody's kill

import { openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { work } from './pace.mjs';

const [path, log, seed, ending, after] = process.argv.slice(2);
/** A module whose start traps. */
const kTrap = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11);

async function allocator() {
  if (!path.endsWith('.wasm')) {
    const wasmBinary = readFileSync(path.replace(/\.js$/, '.wasm'));
    const { _malloc, _free } = await createRequire(import.meta.url)(path)({ wasmBinary });
    return { malloc: _malloc, free: _free };
  }
  const { instance } = await WebAssembly.instantiate(readFileSync(path));
  return instance.exports;
}

const endings = { exit: async () => process.exit(0), trap: () => WebAssembly.instantiate(kTrap) };
const file = openSync(log, 'w');
await work(await allocator(), {
  seed: Number(seed),
  after: Number(after),
  note: (calls, now) =>
    writeSync(file, new Uint8Array(Float64Array.of(calls, now, process.cpuUsage().user / 1000).buffer)),
  ending: endings[ending],
});
