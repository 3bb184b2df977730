// Toolchains that are not Emscripten's, as far as they are there, and the archive that they link.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../../tools/find_chromium.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const here = join(root, 'tests/foreign_toolchains');
const archives = join(root, 'build/wasm');
const out = join(root, 'build/foreign');
const kRustTarget = 'wasm32-unknown-unknown';

/** Builds a program of this folder; the path of what it built. */
export type Build = () => string;
/** How to build, or why that cannot be done here. */
export type Found = { readonly build: Build } | { readonly missing: string };

export function archive(): string {
  const path = join(archives, 'libheapglass-malloc-freestanding.a');
  if (!existsSync(path)) throw new Error(`missing ${path}: run ./wasm-build.sh first`);
  return path;
}

function run(command: string, given: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  const done = spawnSync(command, given, { cwd: out, encoding: 'utf8', env: { ...process.env, ...environment } });
  if (done.status !== 0) throw new Error(`${command} ${given.join(' ')}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

const kNoLibc = ['--target=wasm32', '-nostdlib', '-ffreestanding', '-Wl,--no-entry'];

/** How clang builds `source`, when it can build an empty program by the same flags: a broken archive is no reason to skip. */
function byClang(name: string, flags: readonly string[], empty: string, missing: string): Found {
  mkdirSync(out, { recursive: true });
  const command = process.env['CLANG'] ?? findCommand('clang');
  if (command === undefined) return { missing };
  const probe = ['-x', 'c', '-', '-o', join(mkdtempSync(join(out, 'probe-')), 'empty.wasm')];
  if (spawnSync(command, [...flags, ...probe], { input: empty }).status !== 0) return { missing };
  const path = join(out, `${name}.wasm`);
  const object = join(out, `${name}.o`);
  const compile = [
    '-O2',
    '-Wall',
    '-Wextra',
    '-Werror',
    `-I${join(root, 'core/include')}`,
    '-c',
    join(here, `${name}.c`),
  ];
  const build = () => {
    run(command, [...flags.filter((flag) => !flag.startsWith('-Wl,')), ...compile, '-o', object]);
    run(command, [...flags, object, archive(), '-o', path]); // no -O: clang would then run wasm-opt, which drops the names
    return path;
  };
  return { build };
}

export const withoutLibc = (): Found =>
  byClang('no_libc', kNoLibc, 'int nothing;', 'clang with wasm-ld (apt-get install clang lld)');

export function withWasiLibc(): Found {
  const sysroot = process.env['WASI_SYSROOT'];
  const flags = ['--target=wasm32-wasi', ...(sysroot === undefined ? [] : [`--sysroot=${sysroot}`])];
  const missing = 'clang with wasi-libc (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)';
  return byClang('wasi', flags, 'int main(void) { return 0; }', missing);
}

export function withRust(): Found {
  const missing = `cargo and rustc for ${kRustTarget} (rustup target add ${kRustTarget})`;
  const [cargo, rustc] = [process.env['CARGO'] ?? findCommand('cargo'), process.env['RUSTC'] ?? findCommand('rustc')];
  if (cargo === undefined || rustc === undefined || !hasLibrary(rustc, kRustTarget)) return { missing };
  mkdirSync(out, { recursive: true });
  const target = join(out, 'rust');
  const manifest = join(here, 'rust_allocator/Cargo.toml');
  const given = ['build', '--quiet', '--offline', '--locked', '--release', '--manifest-path', manifest];
  const environment = { HEAPGLASS_LIB: archives, CARGO_TARGET_DIR: target };
  return {
    build: () => {
      archive();
      run(cargo, [...given, '--target', kRustTarget], environment);
      return join(target, kRustTarget, 'release/rust_allocator.wasm');
    },
  };
}

/** Of Rust's standard library for a target. */
export function hasLibrary(rustc: string, target: string): boolean {
  try {
    const at = execFileSync(rustc, ['--print', 'target-libdir', '--target', target], { encoding: 'utf8' }).trim();
    return readdirSync(at).some((file) => file.startsWith('libstd-'));
  } catch {
    return false;
  }
}
