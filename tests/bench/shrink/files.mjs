// What the hosts of a scene load: the linked program, as `heapglass --ldflags --shrink` has it, and the scene as one script.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { writeShrink } from '../../../tools/build_recorder.mjs';
import { root } from '../harness/compile.mjs';

const kExports = [
  ...['hg_malloc_trim', 'hg_heap_returnable', 'hg_heap_free_pages', 'hg_memory_free_pages'],
  'hg_malloc_cached_pages',
  ...['hg_memory_end', 'hg_memory_moved', 'hg_memory_scratch'],
];
const wasmFolder = join(root, 'build/wasm');
const folder = join(root, 'build/bench/shrink');

function link() {
  const flags = [
    '-O2',
    join(wasmFolder, 'libheapglass-malloc-fast.a'),
    `-Wl,${kExports.map((name) => `--export=${name}`).join(',')}`,
    ...['--pre-js', writeShrink(join(root, 'build/emscripten'))],
    ...['-sALLOW_MEMORY_GROWTH', '-sMODULARIZE', '-sEXPORT_NAME=heldProgram', '-sINITIAL_MEMORY=16777216'],
  ];
  const source = join(root, 'tests/link/programs/shrinks.cpp');
  execFileSync(join(root, 'wasm-build.sh'), ['emcc', source, ...flags, '-o', join(folder, 'held.js')], {
    stdio: 'inherit',
  });
}

function bundleScene() {
  buildSync({
    entryPoints: [join(root, 'tests/bench/shrink/scene.ts')],
    outfile: join(folder, 'scene.js'),
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    define: { 'import.meta.url': '"http://localhost/"' }, // the module is given, nothing is looked for
    logLevel: 'error',
  });
}

/** Makes them; the folders that they lie in. */
export function prepareScene() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  link();
  bundleScene();
  return { folder, wasmFolder };
}
