// Runs a linked program many times in this thread, each time in a fresh instance: a memory, static data and secrets of its own, as in a
// process of its own, at a hundredth of the price. For programs without threads.
//
//   new Worker('fresh_instances.mjs', { workerData: { glue, lists } })   ──▶ what each run printed, one for each list of arguments
//
//   FI1  The module is compiled once. What a program prints before it ends, by exit, trap or return, is its answer.
//   FI2  A program that loops keeps the thread: whoever started it ends it, and starts another one for the runs that are left.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const { glue, lists } = workerData;
const code = readFileSync(glue, 'utf8');
const module = new WebAssembly.Module(readFileSync(glue.replace(/\.js$/, '.wasm')));
const start = new Function('Module', 'require', 'module', 'exports', '__filename', '__dirname', 'process', code);
const quiet = new Proxy(process, {
  get: (real, name) =>
    name === 'on' ? () => {} : name === 'argv' ? [process.execPath, glue] : Reflect.get(real, name),
});

class Ended extends Error {}

/** Newer glue runs its program in a promise that nobody waits for. */
let stopped = (_error) => {};
process.on('unhandledRejection', (error) => stopped(error));

/** @param {readonly string[]} given the program's arguments */
async function runOnce(given) {
  let out = '';
  let status;
  let end = () => {};
  let fail = (_error) => {};
  const ended = new Promise((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  const settings = {
    arguments: [...given], // newer glue adds the program's name to it
    print: (line) => {
      out += `${line}\n`;
    },
    printErr: () => {},
    quit: (code) => {
      status = code;
      end();
      throw new Ended();
    },
    onAbort: () => end(),
    onExit: () => end(),
    postRun: () => end(),
    instantiateWasm: (imports, receive) => {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
  };
  stopped = (error) => {
    const isEnd = error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error instanceof Ended;
    if (isEnd) end();
    else fail(error);
  };
  try {
    start(settings, createRequire(glue), { exports: {} }, {}, glue, dirname(glue), quiet);
  } catch (error) {
    stopped(error);
  }
  await ended;
  if (status === 0 && out === '') throw new Error(`${glue}: it printed nothing`);
  return out;
}

for (const given of lists) parentPort?.postMessage(await runOnce(given));
