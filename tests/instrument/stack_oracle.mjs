// Loaded before the recorder, in each thread: writes the engine's own stack at every allocation to HEAPGLASS_ORACLE-<thread>.
//
//   site()       the stack, as numbers of the instrumented module's functions, the innermost first
//   allocated()  resized()   the block that it gave
//
//   A line: "address size frame frame ..."

import { openSync, writeSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const kMostFrames = 2000;
const { Instance, instantiate } = WebAssembly;

/** @param {Record<string, any> | undefined} imports */
function watched(imports) {
  const own = imports?.heapglass;
  if (own?.site === undefined || own.allocated === undefined) return imports;
  const file = openSync(`${process.env.HEAPGLASS_ORACLE}-${threadId}`, 'w');
  let frames = '';
  /** @param {bigint} context */
  const site = (context) => {
    Error.stackTraceLimit = kMostFrames;
    const [, ...found] = [...(new Error().stack ?? '').matchAll(/wasm-function\[(\d+)\]/g)]; // but the wrapper of malloc
    frames = found.map(([, index]) => index).join(' ');
    own.site(context);
  };
  const told =
    (/** @type {Function} */ real) =>
    (/** @type {number[]} */ ...given) => {
      const [, size, , address] = given;
      if (frames !== '') writeSync(file, `${address >>> 0} ${size >>> 0} ${frames}\n`);
      frames = '';
      return real(...given);
    };
  return { ...imports, heapglass: { ...own, site, allocated: told(own.allocated), resized: told(own.resized) } };
}

WebAssembly.Instance = new Proxy(Instance, {
  construct: (target, [module, imports]) => new target(module, watched(imports)),
});
WebAssembly.instantiate = /** @type {any} */ (
  (/** @type {any} */ source, /** @type {any} */ imports) => instantiate(source, watched(imports))
);
