// Builds the module of a workload with an allocator, into build/bench/malloc; again only when something changed.
//
//   L1  The same objects are linked with every allocator, so only the allocator differs.
//   L2  Calls stay calls (-fno-builtin-malloc and kin). The counted build proves it: the same objects, their calls led
//       through runtime/count.c.
//   L3  The linker's map shows the allocator that is meant and no other one.
//   L4  One module serves time and footprint: memory begins 128 KiB above the heap's base; the loader raises it for a timed
//       run to what Emscripten's default is, and sets the step of growth (programs/replay/growth.c).
//   L5  No JavaScript of Emscripten: standalone modules run on every Node and in the browser, from 3.1.6 on.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { callEmxx, emccRelease, emccVersion, root } from '../harness/compile.mjs';
import { withInitialPages } from '../harness/initial_memory.mjs';
import { compileObject, digest } from './objects.mjs';

const outFolder = join(root, 'build/bench/malloc');
const runtime = (file) => join(root, 'tests/bench/malloc/runtime', file);
const kGrowth = join(root, 'programs/replay/growth.c');

const kFamily = [
  'malloc',
  'free',
  'calloc',
  'realloc',
  'memalign',
  'aligned_alloc',
  'posix_memalign',
  'malloc_usable_size',
];
const kCompile = ['-O3', ...kFamily.map((name) => `-fno-builtin-${name}`)];
const kCxx = ['-std=c++20', '-fno-exceptions', '-fno-rtti'];
const kWrapped = ['emscripten_resize_heap'];
const kInitialHeap = 128 * 1024;
const kPage = 65536;
const kSystemAllocators = /^lib(dl|em|mi)malloc[a-z-]*\.a$/;

const link = (names, level) => [
  level,
  '-sSTANDALONE_WASM',
  '-sALLOW_MEMORY_GROWTH',
  '-sMAXIMUM_MEMORY=4GB',
  emccRelease() < 27 ? '-sTOTAL_STACK=1MB' : '-sSTACK_SIZE=1MB',
  ...(names ? ['--profiling-funcs'] : []), // for profiles; the code is the same
  '-Wl,--export=__heap_base',
];

const wrap = (names) => names.map((name) => `-Wl,--wrap=${name}`);

/** File names of archives and objects whose code or data the map shows; of system archives only their malloc. */
function linkedFiles(map) {
  const files = new Set();
  for (const [, path, member] of map.matchAll(/\s(\S+\.(?:a|o))(?:\(([^)]*)\))?:\(/g))
    if (member !== 'sbrk.o') files.add(basename(path)); // libc's sbrk lies in libdlmalloc in old ones
  return files;
}

/** Throws unless the map shows this allocator alone. */
export function assertLinked(map, { name, flags }, what) {
  const files = linkedFiles(map);
  const system = flags.find((flag) => flag.startsWith('-sMALLOC='))?.slice('-sMALLOC='.length);
  const own = flags.filter((flag) => /\.(a|o)$/.test(flag)).map((flag) => basename(flag));
  const found = [...files].filter((file) => kSystemAllocators.test(file));
  const foreign = found.filter((file) => !file.startsWith(`lib${system}`));
  const present = own.length > 0 ? own.some((file) => files.has(file)) : found.length > 0;
  if (!present) throw new Error(`${what}: ${name} is not in it`);
  if (foreign.length > 0) throw new Error(`${what}: beside ${name} it holds ${foreign.join(', ')}`);
}

/** The map lists what the linker took; functions that were dropped are not in it. */
async function linkModule(out, words, allocator) {
  const what = basename(out);
  const map = await callEmxx([...words, '-Wl,--print-map', '-o', out], what); // 3.1.6 knows no --Map=file
  assertLinked(map, allocator, what);
  if (emccRelease() < 40) writeFileSync(out, withInitialHeap(readFileSync(out), kInitialHeap)); // it could not be told so
}

/** The module with memory that begins so many bytes above the heap's base. */
export function withInitialHeap(bytes, heapBytes) {
  const module = new WebAssembly.Module(bytes);
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => 0;
  }
  const base = new WebAssembly.Instance(module, imports).exports.__heap_base.value;
  return withInitialPages(bytes, Math.ceil((base + heapBytes) / kPage));
}

/** Room enough for the static data of any program, where -sINITIAL_HEAP is not known. */
const initial = () => (emccRelease() < 40 ? '-sINITIAL_MEMORY=67108864' : `-sINITIAL_HEAP=${kInitialHeap}`);

/**
 * The path of a workload's module with an allocator.
 * @param {{ name: string, kind: 'micro' | 'program' | 'command' | 'stream', sources: string[], flags: string[] }} module
 * @param {import('./allocators.mjs').Allocator} allocator
 * @param {{ counted?: boolean, names?: boolean, level?: string }} [how] level: the linker's. counted: calls and live bytes are counted, and calls recorded;
 *   its time means nothing. names: functions have names in it
 */
export async function buildModule(module, allocator, { counted = false, names = true, level = '-O3' } = {}) {
  const objects = [];
  for (const source of module.sources) {
    const language = /\.(cpp|cc)$/.test(source) ? kCxx : [];
    objects.push(await compileObject(source, [...kCompile, ...language, ...module.flags]));
  }
  const parts = [kGrowth, ...['entropy.c', ...(counted ? ['count.c', 'record.c'] : [])].map(runtime)];
  for (const part of parts) objects.push(await compileObject(part, ['-O3', '-fno-builtin']));
  const words = [
    ...objects,
    ...link(names, level),
    ...module.flags.filter((flag) => flag.startsWith('-s')), // how errors jump, for instance
    initial(),
    ...(module.kind === 'command' ? [] : ['--no-entry']),
    ...wrap([...kWrapped, ...(counted ? kFamily : [])]),
    ...allocator.flags,
  ];
  mkdirSync(outFolder, { recursive: true });
  const changes = allocator.flags.filter((flag) => existsSync(flag)).map((flag) => readFileSync(flag));
  const key = digest(emccVersion(), readFileSync(new URL(import.meta.url)), ...words, ...changes);
  const out = join(outFolder, `${module.name}-${allocator.name}${counted ? '-counted' : ''}-${key}.wasm`);
  const stamp = `${out}.done`;
  if (!existsSync(stamp)) {
    await linkModule(out, words, allocator);
    writeFileSync(stamp, `${statSync(out).size}\n`);
  }
  return out;
}
