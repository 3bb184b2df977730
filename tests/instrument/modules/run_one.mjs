// Runs one program in a process of its own, with its module exchanged:
//
//   node run_one.mjs <name> <folder of the packages> <module that takes the shipped one's place, or -> [counted: names, as JSON]
//
//   counted   the module calls heapglass_count.entered(member, first argument) where a function of the family begins. Whether that is
//             an outermost call says the engine's own stack: it has one frame of the family then.
//
// Prints the hash of what the program gave, what was counted, and, with HEAPGLASS_REPEAT, how long it takes when it is done again.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kPrograms } from './programs.mjs';
import { kUnseenPrograms } from './unseen_programs.mjs';

const [name, folder = '', path = '-', counted] = process.argv.slice(2);
const program = [...kPrograms, ...kUnseenPrograms].find((one) => one.name === name);
if (program === undefined) throw new Error(`there is no program ${name}`);
const require = createRequire(join(folder, 'package.json'));
const shipped = bytesOf(require.resolve(program.wasm));

/** @param {string} file */
function bytesOf(file) {
  if (file.endsWith('.wasm')) return readFileSync(file);
  const content = require(file); // base64 or bytes in a script
  return typeof content === 'string' ? Buffer.from(content, 'base64') : content;
}

// ---- the exchange: whoever compiles the shipped bytes gets the others ----

const isShipped = (/** @type {any} */ source) => {
  if (!(source instanceof ArrayBuffer) && !ArrayBuffer.isView(source)) return false;
  const bytes =
    source instanceof ArrayBuffer
      ? Buffer.from(source)
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return shipped.equals(bytes);
};
const other = path === '-' ? shipped : readFileSync(path);
const exchanged = (/** @type {any} */ source) => (isShipped(source) ? other : source);
const { compile, instantiate, Module, Instance } = WebAssembly;
const more = counted === undefined ? {} : { heapglass_count: { entered: counter(JSON.parse(counted)) } };
const whole = (/** @type {any} */ imports) => (counted === undefined ? imports : { ...imports, ...more });
WebAssembly.compile = (source) => compile(exchanged(source));
WebAssembly.instantiate = /** @type {any} */ (
  (/** @type {any} */ source, /** @type {any} */ imports) => instantiate(exchanged(source), whole(imports))
);
WebAssembly.Module = new Proxy(Module, { construct: (target, [source]) => new target(exchanged(source)) });
WebAssembly.Instance = new Proxy(Instance, {
  construct: (target, [module, imports]) => new target(module, whole(imports)),
});

/** @type {Record<string, number>} */
const counts = {};

/** @param {{ role: string, index: number }[]} members */
function counter(members) {
  const indices = new Set(members.map(({ index }) => index));
  Error.stackTraceLimit = 64;
  return (/** @type {number} */ member, /** @type {number} */ first) => {
    const stack = new Error().stack ?? '';
    const frames = [...stack.matchAll(/wasm-function\[(\d+)\]/g)].filter(([, index]) => indices.has(Number(index)));
    const { role } = members[member];
    if (frames.length === 1 && !(role === 'free' && first === 0)) counts[role] = (counts[role] ?? 0) + 1;
  };
}

// ---- the program ----

if (counted === undefined && path !== '-' && globalThis.process.env.HEAPGLASS_LOADER !== undefined) {
  await import(process.env.HEAPGLASS_LOADER ?? '');
}
const from = (/** @type {string} */ specifier) => import(pathToFileURL(require.resolve(specifier)).href);
const work = await program.begin(from, shipped, folder);
const given = await work();
const milliseconds = [];
for (let left = Number(process.env.HEAPGLASS_REPEAT ?? 0); left > 0; --left) {
  const begun = performance.now();
  await work();
  milliseconds.push(performance.now() - begun);
}
console.log(
  JSON.stringify({ hash: createHash('sha256').update(JSON.stringify(given)).digest('hex'), counts, milliseconds }),
);
