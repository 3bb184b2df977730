// Modules whose memory has 64-bit addresses: heapglass's own malloc for wasm64, and a text whose malloc hands out any address.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import wabt from 'wabt';
import { findCommand } from '../../tools/find_chromium.mjs';

setFlagsFromString('--experimental-wasm-memory64'); // Node 20; from 24 on it is on

const root = fileURLToPath(new URL('../../', import.meta.url));
const clang = process.env['CLANG'] ?? findCommand('clang');
const kFamily = ['malloc', 'free', 'calloc', 'realloc', 'memalign', 'posix_memalign'];

/** Whether clang links for wasm64 here. */
export function canBuildWide(): boolean {
  if (clang === undefined) return false;
  const out = join(folderOf('probe'), 'empty.wasm');
  const flags = ['--target=wasm64', '-nostdlib', '-Wl,--no-entry', '-x', 'c', '-', '-o', out];
  return spawnSync(clang, flags, { input: 'int nothing;' }).status === 0;
}

function folderOf(name: string): string {
  const parent = join(root, 'build/wide');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}

/** tests/foreign_toolchains/no_libc.c with heapglass's malloc, for 64 or for 32 bits: the same sources, the same calls. */
export function exerciseModule(bits: 32 | 64): Uint8Array {
  const folder = folderOf(`${bits}`);
  const run = (command: string, given: readonly string[]) =>
    execFileSync(command, given, { cwd: folder, stdio: 'pipe' });
  const defines = ['-DHG_TRACE=0', '-DHG_CHECKED=0', '-DHG_MALLOC=1', '-DHG_FREESTANDING=1'];
  const flags = ['-std=c++20', '-O2', '-mbulk-memory', '-fno-builtin', '-fno-exceptions', '-fno-rtti'];
  const include = [`-iquote${root}`, `-I${join(root, 'core/include')}`, `-I${join(root, 'core/src')}`];
  const width = bits === 64 ? ['-sMEMORY64=1'] : [];
  const cpp = [
    'emcc',
    ...width,
    ...flags,
    '-fno-threadsafe-statics',
    ...defines,
    ...include,
    '-c',
    join(root, 'build/wasm/heapglass-malloc-freestanding.cpp'),
  ];
  run(join(root, 'wasm-build.sh'), [...cpp, '-o', 'heap.o']);
  const sources = ['tests/foreign_toolchains/no_libc.c', 'tests/instrument/programs/multi3.c'];
  const exported = kFamily.map((name) => `-Wl,--export=${name}`);
  const c = ['-O2', '-nostdlib', '-mbulk-memory', '-fno-builtin', `-I${join(root, 'core/include')}`];
  const given = sources.map((path) => join(root, path));
  run(clang ?? '', [`--target=wasm${bits}`, ...c, '-c', ...given]);
  const objects = ['no_libc.o', 'multi3.o', 'heap.o'];
  run(clang ?? '', [`--target=wasm${bits}`, '-nostdlib', '-Wl,--no-entry', ...exported, ...objects, '-o', 'out.wasm']);
  return readFileSync(join(folder, 'out.wasm'));
}

/**
 * Its malloc gives one address after the other and makes memory grow as far as that may; `jump` says where the next block lies, and a
 * request of 2^40 bytes is refused. `memory`: its pages, first and most, and whether threads share it.
 */
export async function bumpModule(memory = '2 65536'): Promise<Uint8Array> {
  const text = `(module
    (memory (export "memory") i64 ${memory})
    (global $next (mut i64) (i64.const 65536))
    (func $malloc (export "malloc") (param $size i64) (result i64)
      (local $at i64)
      (if (i64.ge_u (local.get $size) (i64.const 0x10000000000)) (then (return (i64.const 0))))
      (local.set $at (global.get $next))
      (global.set $next
        (i64.and (i64.add (i64.add (local.get $at) (local.get $size)) (i64.const 15)) (i64.const -16)))
      (if (i64.gt_u (i64.shr_u (i64.add (global.get $next) (i64.const 65535)) (i64.const 16)) (memory.size))
        (then (drop (memory.grow
          (i64.sub (i64.shr_u (i64.add (global.get $next) (i64.const 65535)) (i64.const 16)) (memory.size))))))
      (local.get $at))
    (func $free (export "free") (param i64))
    (func $realloc (export "realloc") (param i64 i64) (result i64)
      (call $free (local.get 0)) (call $malloc (local.get 1)))
    (func $posix_memalign (export "posix_memalign") (param i64 i64 i64) (result i32)
      (i64.store (local.get 0) (call $malloc (local.get 2))) (i32.const 0))
    (func (export "jump") (param i64) (global.set $next (local.get 0))))`;
  const module = (await wabt()).parseWat('bump.wat', text, { memory64: true, threads: true });
  return module.toBinary({ write_debug_names: true }).buffer;
}
