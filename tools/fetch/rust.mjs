// A Rust compiler for wasm32-unknown-unknown, for peers of the malloc bench that are written in Rust.
//
// R1  $RUSTC or the rustc on PATH, when it has the target's core library (rustup target add wasm32-unknown-unknown).
// R2  Else Debian's newest, whose packages are unpacked into build/rust (137 MB, no installation). It has no libraries for
//     wasm, but a package of their source: core and alloc are compiled once, which takes about half a minute.
// R3  Otherwise a message and undefined.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommand } from '../find_chromium.mjs';
import { cargo, root } from './crates.mjs';

const kTarget = 'wasm32-unknown-unknown';
/** What Emscripten's older compilers can link, and their own code uses. */
const kCode = ['-Ctarget-cpu=mvp', '-Ctarget-feature=+mutable-globals,+sign-ext', '-Cpanic=abort', '-Copt-level=3'];
const folder = join(root, 'build/rust');

/** @typedef {{ rustc: string, env: Record<string, string>, sysroot?: string }} Rust */

/** @returns {Rust | undefined} */
export function findRust() {
  const installed = process.env.RUSTC ?? findCommand('rustc');
  if (installed !== undefined && hasTarget(installed)) return { rustc: installed, env: {} };
  if (!existsSync(join(folder, 'sysroot'))) {
    const why = unpackDebians();
    if (why !== undefined) {
      console.log(`fetch: no Rust for ${kTarget}: ${why} (with rustup: rustup target add ${kTarget})`);
      return undefined;
    }
  }
  return debians(folder);
}

/** Compiles the package in `place` (see vendorCrates) as one static library; returns the path of its object file. */
export function compileRust(rust, place, crate) {
  const flags = [...kCode, ...(rust.sysroot === undefined ? [] : [`--sysroot=${rust.sysroot}`])];
  mkdirSync(join(place, '.cargo'), { recursive: true });
  writeFileSync(
    join(place, '.cargo/config.toml'),
    '[source.crates-io]\nreplace-with = "vendor"\n[source.vendor]\ndirectory = "vendor"\n',
  );
  const object = join(place, `${crate}.o`);
  const given = ['rustc', '--quiet', '--offline', '--release', '--lib', '--target', kTarget, '--target-dir', 'target'];
  const env = { ...process.env, ...rust.env, RUSTC: rust.rustc, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') };
  execFileSync(cargo(), [...given, '--', `--emit=obj=${object}`], { cwd: place, stdio: 'inherit', env });
  return object;
}

function hasTarget(rustc) {
  try {
    const at = execFileSync(rustc, ['--print', 'target-libdir', '--target', kTarget], { encoding: 'utf8' }).trim();
    return readdirSync(at).some((file) => file.startsWith('libcore-'));
  } catch {
    return false;
  }
}

function debians(at) {
  const libraries = readdirSync(join(at, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const paths = libraries.map((name) => join(at, 'usr/lib', name)).concat(process.env.LD_LIBRARY_PATH ?? []);
  return {
    rustc: join(at, 'usr/bin/rustc'),
    env: { LD_LIBRARY_PATH: paths.join(':') },
    sysroot: join(at, 'sysroot'),
  };
}

/** undefined when all went well. */
function unpackDebians() {
  if (findCommand('apt-get') === undefined || findCommand('dpkg-deb') === undefined) return 'not on Debian';
  const work = `${folder}.part`;
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    const run = (command, ...args) => execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
    console.log("fetch: unpacking Debian's Rust into build/rust");
    run('apt-get', 'download', '-qq', ...packages());
    for (const deb of readdirSync(work).filter((file) => file.endsWith('.deb'))) {
      run('dpkg-deb', '-x', deb, '.');
      rmSync(join(work, deb));
    }
    compileLibraries(work);
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
    return undefined;
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    return String(error.stderr || error.message).split('\n')[0];
  }
}

/** The compiler, its libraries and their source, all of one version. */
function packages() {
  const found = new Set(['rustc-web', 'rust-web-src']);
  for (const name of found) {
    const shown = execFileSync('apt-cache', ['show', '--no-all-versions', name], { encoding: 'utf8' });
    const depends = /^Depends: (.*)$/m.exec(shown)?.[1] ?? '';
    for (const [needed] of depends.matchAll(/\b(libstd-rust-web|libllvm)[\w.-]*/g)) found.add(needed);
  }
  return [...found];
}

function compileLibraries(at) {
  const { rustc, env, sysroot } = debians(at);
  const [source] = readdirSync(join(at, 'usr/src'));
  const out = join(sysroot, 'lib/rustlib', kTarget, 'lib');
  mkdirSync(out, { recursive: true });
  const builtins = join(at, 'compiler_builtins.rs'); // libc has what it would bring
  writeFileSync(builtins, '#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n');
  const library = (name) => join(at, 'usr/src', source, 'library', name, 'src/lib.rs');
  for (const [name, file] of [
    ['core', library('core')],
    ['compiler_builtins', builtins],
    ['alloc', library('alloc')],
  ]) {
    const given = [
      '--crate-type=rlib',
      '--edition=2024',
      `--target=${kTarget}`,
      ...kCode,
      '--cap-lints=allow',
      '-L',
      out,
    ];
    execFileSync(rustc, ['--crate-name', name, file, ...given, '--out-dir', out], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env, RUSTC_BOOTSTRAP: '1' }, // the libraries use what is not stable yet
    });
  }
}
