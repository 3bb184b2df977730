// Builds what `heapglass replay` plays a program's operations on: a small module for each allocator, into build/wasm.
// Called by wasm-build.sh, which built our archives; the linking is that of the malloc bench (tests/bench/malloc/build.mjs).
//
//   build/wasm/replay-<name>.wasm    programs/replay/replay.c with that allocator; an empty module where it cannot be had
//   build/wasm/replay.json           the compiler; for each allocator its bytes of code, or why it is not there
//
//  B1  The bytes of an allocator are those of its module less those of the same module over a bump allocator.
//  B2  Memory begins at the page in which the static data ends, so that every byte of the heap is seen as growth.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { emccRelease, emccVersion, root } from '../tests/bench/harness/compile.mjs';
import { buildModule, withInitialHeap } from '../tests/bench/malloc/build.mjs';
import { compileObject } from '../tests/bench/malloc/objects.mjs';

const out = resolve(root, process.env.HG_OUT ?? 'build/wasm');
const programs = (file) => join(root, 'programs/replay', file);
const ours = (name) => join(out, `libheapglass-${name}.a`);
const kMimallocSince = 50; // Emscripten 3.1.50
const kEmptyModule = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const kPlain = { name: 'replay', kind: 'stream', sources: [programs('replay.c')], flags: [] };
const kWithPools = {
  ...kPlain,
  name: 'replay-pools',
  sources: [...kPlain.sources, programs('pools.c')],
  flags: [`-I${join(root, 'core/include')}`],
};

const fromSource = async (file) => compileObject(file, ['-O3', '-fno-builtin', `-I${join(root, 'core/include')}`]);

/** What is linked; a text says why it cannot be had. pools: the profile fast, with heapglass's pools beside it. */
const kAllocators = {
  fast: () => [ours('malloc-fast')],
  small: () => [ours('malloc-small')],
  hardened: () => [ours('malloc-hardened')],
  'row-d': async () => [await fromSource(programs('row_d_malloc.c')), ours('release')],
  dlmalloc: () => ['-sMALLOC=dlmalloc'],
  emmalloc: () => ['-sMALLOC=emmalloc'],
  mimalloc: () =>
    emccRelease() < kMimallocSince
      ? `built by ${compiler()}; only Emscripten 3.1.${kMimallocSince} and newer bring it`
      : ['-sMALLOC=mimalloc'],
  pools: () => [ours('malloc-fast')],
};

const compiler = () =>
  /Emscripten|emcc/i.test(emccVersion()) ? `Emscripten ${/\d+\.\d+\.\d+/.exec(emccVersion())?.[0]}` : emccVersion();

async function moduleOf(module, name, flags) {
  const bytes = readFileSync(await buildModule(module, { name, flags }, { names: false }));
  return withInitialHeap(bytes, 0);
}

const bump = await moduleOf(kPlain, 'bump', [await fromSource(join(root, 'tests/bench/malloc/runtime/bump.c'))]);
const allocators = {};
for (const [name, flagsOf] of Object.entries(kAllocators)) {
  const flags = await flagsOf();
  const absent = typeof flags === 'string' ? flags : null;
  const bytes = absent === null ? await moduleOf(name === 'pools' ? kWithPools : kPlain, name, flags) : kEmptyModule;
  allocators[name] = { code_bytes: absent === null ? bytes.length - bump.length : 0, absent };
  writeChanged(join(out, `replay-${name}.wasm`), bytes);
  console.log(
    `replay, ${name}: ${absent ?? `${bytes.length} bytes, ${allocators[name].code_bytes} of them the allocator`}`,
  );
}
writeChanged(join(out, 'replay.json'), `${JSON.stringify({ compiler: compiler(), allocators }, null, 2)}\n`);

/** A file that stays as it is keeps its time. */
function writeChanged(path, bytes) {
  if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(bytes))) writeFileSync(path, bytes);
}
