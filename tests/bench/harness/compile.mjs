// Compiles a C workload to a standalone wasm module with emcc ($EMCC, else the one that is found) and instantiates it without
// any JavaScript glue. Modules go to build/bench; they are compiled anew each time, which takes a second each.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const outFolder = join(root, 'build/bench');

const wasmBuild = join(root, 'wasm-build.sh'); // the only place that knows how to call emcc

let version;
export const emccVersion = () => {
  version ??= execFileSync(wasmBuild, ['emcc', '--version'], { encoding: 'utf8' }).split('\n')[0];
  return version;
};

/** n of Emscripten 3.1.n; infinite for later ones. */
export const emccRelease = () => Number(/ 3\.1\.(\d+)/.exec(emccVersion())?.[1] ?? Number.POSITIVE_INFINITY);

/** The compiler's own name or path, for those who need em++ or emar beside it. */
export const emccCommand = () =>
  process.env.EMCC ?? (process.env.EMSDK ? join(process.env.EMSDK, 'upstream/emscripten/emcc') : 'emcc');

const archives = join(root, 'build/bench/archives');
let archivesBuilt = false;

/** Builds our archives by the same compiler as what they are linked to, as the peers' are. */
export function buildOwnArchives() {
  if (archivesBuilt) return;
  const env = { ...process.env, EMCC: emccCommand(), HG_OUT: archives };
  execFileSync(wasmBuild, ['product'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  archivesBuilt = true;
}

/** Where one of them then is. */
export const ownArchive = (name) => join(archives, `libheapglass-${name}.a`);

/** Calls emcc. What it prints is the result; when it failed, its complaint is thrown, after `what`. */
export const callEmcc = (words, what) => call(process.env, words, what);

/** The same as em++, which links libc++ where it is needed. */
export const callEmxx = (words, what) =>
  call({ ...process.env, EMCC: emccCommand().replace(/emcc$/, 'em++') }, words, what);

async function call(env, words, what) {
  try {
    return (await promisify(execFile)(wasmBuild, ['emcc', ...words], { env, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    throw new Error(`${what}: the compiler failed\n${error.stderr || error.message}`);
  }
}

/** The heap's archive of a variant; says what to do when it has not been built. */
export function archive(variant) {
  const path = join(root, `build/wasm/libheapglass-${variant}.a`);
  if (!existsSync(path)) throw new Error(`missing ${path}: run ./wasm-build.sh first`);
  return path;
}

/** Compiles sources with the given extra flags; returns the bytes of the module. */
export function compile(name, sources, flags) {
  mkdirSync(outFolder, { recursive: true });
  const out = join(outFolder, `${name}.wasm`);
  const given = [
    '-O3',
    '-fno-builtin', // malloc and free stay calls
    `-I${join(root, 'core/include')}`,
    '-sSTANDALONE_WASM',
    '--no-entry',
    '-sALLOW_MEMORY_GROWTH',
    '-sMAXIMUM_MEMORY=2GB',
    ...flags,
  ];
  execFileSync(wasmBuild, ['emcc', ...sources, ...given, '-o', out], { stdio: 'inherit' });
  return readFileSync(out);
}

/** Instantiates a standalone module. Its imports are a notice of growth and, with lossless tracing, the drain. */
export async function instantiate(bytes) {
  const module = await WebAssembly.compile(bytes);
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`unexpected import ${from}.${name} (${kind})`);
    imports[from] ??= {};
    imports[from][name] = () => 0;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  return exports;
}
