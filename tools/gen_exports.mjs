// Prints the export list of a wasm module as emcc's -sEXPORTED_FUNCTIONS=@file wants it: a JSON array of "_name".
//
//   node tools/gen_exports.mjs <variant> [header ...]   every function of heapglass.h and of the headers named
//
// The C headers are the only list of functions: what they declare is exported, and the few helpers for JavaScript that
// core/src/abi/wasm_abi.cpp defines (and wasm_place.cpp in modules that the host places); nothing else. The modules without
// probes (release, threads, placed, shared) have no ring, so they leave out what heapglass.h says exists only in the trace and checked
// builds; with real threads none can be played. What malloc.h declares is for programs in C, and for the glass.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readDefinitions, readFunctions, readHeader } from './headers/read_header.mjs';

const kPublicHeader = fileURLToPath(new URL('../core/include/heapglass/heapglass.h', import.meta.url));
const kMallocHeader = fileURLToPath(new URL('../core/include/heapglass/malloc.h', import.meta.url));
const kModuleSource = fileURLToPath(new URL('../core/src/abi/wasm_abi.cpp', import.meta.url));
const kPlaceSource = fileURLToPath(new URL('../core/src/abi/wasm_place.cpp', import.meta.url));
const kVariants = ['release', 'trace', 'checked', 'threads', 'placed', 'placed-trace', 'placed-checked', 'shared'];
const kPlayed = 'hg_small_play_thread';
/** What createHeap() has no words for: C and C++ link it from the archive, the glass finds it in the traced modules. */
const kNotInRelease = /^hg_(owned_|small_|memory_pool_of_fixed$|pool_owns_node$|thread_number$)/;
const kTraceSection = '---- events: only in the trace and checked builds';

/** Names of the functions that the module of a variant exports, in the headers' order. */
export function exportedFunctions(variant, extraHeaders = []) {
  if (!kVariants.includes(variant)) throw new Error(`no such variant: ${variant}`);
  const traced = /trace|checked/.test(variant);
  const placed = /placed|shared/.test(variant);
  const lean = /^(release|placed|shared)$/.test(variant);
  const headers = [kPublicHeader, ...(traced ? [kMallocHeader] : []), ...extraHeaders].flatMap((path) =>
    readFunctions(readHeader(path)),
  );
  const own = [kModuleSource, ...(placed ? [kPlaceSource] : [])].flatMap((path) => readDefinitions(readHeader(path)));
  const names = [...headers, ...own].map((found) => found.name);
  const left = new Set(traced ? [] : traceFunctions());
  if (variant === 'threads') left.add(kPlayed);
  return names.filter((name) => !left.has(name) && !(lean && kNotInRelease.test(name)));
}

/** Names of the functions below the header's trace section. */
export function traceFunctions() {
  const raw = readFileSync(kPublicHeader, 'utf8');
  const begin = raw.indexOf(kTraceSection);
  if (begin < 0) throw new Error(`heapglass.h has no section "${kTraceSection}"`);
  const before = new Set(
    readFunctions(raw.slice(0, begin).replace(/\/\*[\s\S]*?\*\/|\/\*[\s\S]*$/g, '')).map((f) => f.name),
  );
  return readFunctions(readHeader(kPublicHeader))
    .map((f) => f.name)
    .filter((name) => !before.has(name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [variant, ...headers] = process.argv.slice(2).filter((word) => word !== '');
  console.log(JSON.stringify(exportedFunctions(variant, headers).map((name) => `_${name}`)));
}
