// What several suites use, made once from the same sources: the package, packed and installed, and the page.
//
//   build/built/package/           heapglass-*.tgz, what `npm run package` packs
//   build/built/package/project/   an empty project that has it, installed without network and without scripts
//   build/built/command/           bin/heapglass.mjs alone, without the package around it and the page
//   build/built/page/              the page, as Vite builds it
//   build/built/site/              the site
//   build/built/*.stamp            a hash of everything that the folder is made from
//
//   node tools/built.mjs [package] [command] [page] [site]    makes what is missing or older than its sources, and prints where it is; package
//                                                   and page when none is named
//
//   built.1  Whoever asks first makes it; the others wait (a folder is the lock, with the maker's process id inside).
//   built.2  Nobody writes into it: a suite that changes an installed project copies it first.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf } from './hash_of.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...path) => join(root, 'build/built', ...path);
const kPage = ['web', 'core', 'programs', 'docs', 'tools', 'README.md', 'package-lock.json', 'vite.config.ts'];
const kPackage = [
  ...kPage,
  'package',
  'site',
  'package.json',
  'LICENSE',
  'CHANGELOG.md',
  'tsconfig.json',
  'tsconfig.package.json',
];
const kPollMs = 200;

/** The page's folder. */
export function builtPage() {
  const page = at('page');
  once('page', [...kPage, 'wasm-build.sh'], () => {
    run(root, join(root, 'wasm-build.sh'));
    run(root, join(root, 'node_modules/.bin/vite'), 'build', '--logLevel', 'warn', '--outDir', page, '--emptyOutDir');
  });
  return page;
}

/** The command's folder: bin/heapglass.mjs and what it needs beside it. */
export function builtCommand() {
  const folder = at('command');
  once('command', [...kPackage, 'wasm-build.sh'], () => {
    run(root, process.execPath, join(root, 'tools/build_command_line.mjs'), folder, '--no-page');
  });
  return folder;
}

/** The site's folder. */
export function builtSite() {
  const site = at('site');
  once('site', [...kPackage, 'wasm-build.sh'], () => {
    run(root, join(root, 'wasm-build.sh'));
    run(root, process.execPath, join(root, 'site/build.mjs'), '--out', site);
  });
  return site;
}

/** @returns {{ tarball: string, project: string, dist: string }} */
export function builtPackage() {
  const folder = at('package');
  const project = join(folder, 'project');
  once('package', [...kPackage, 'wasm-build.sh'], () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
    const printed = run(root, process.execPath, join(root, 'tools/pack_package.mjs'), folder);
    const tarball = printed.trim().split('\n').at(-1);
    run(project, 'npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball);
  });
  const tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  return { tarball, project, dist: join(project, 'node_modules/heapglass/dist') };
}

/** built.1 */
function once(what, sources, make) {
  const stamp = hashOf(sources);
  const stamped = at(`${what}.stamp`);
  const isFresh = () => existsSync(stamped) && readFileSync(stamped, 'utf8') === stamp;
  if (isFresh()) return;
  const release = takeLock(at(`${what}.lock`));
  try {
    if (isFresh()) return;
    rmSync(stamped, { force: true });
    make();
    writeFileSync(stamped, stamp);
  } finally {
    release();
  }
}

/** A lock whose process has ended is nobody's. */
function takeLock(lock) {
  mkdirSync(at(), { recursive: true });
  const owner = join(lock, 'process');
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(owner, String(process.pid));
      return () => rmSync(lock, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, kPollMs);
    if (hasEnded(owner)) rmSync(lock, { recursive: true, force: true });
  }
}

function hasEnded(owner) {
  try {
    process.kill(Number(readFileSync(owner, 'utf8') || process.pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH'; // ENOENT: it has the lock, and writes its number now
  }
}

function run(cwd, command, ...options) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return execFileSync(command, options, { cwd, encoding: 'utf8', stdio, maxBuffer: 1 << 26 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = { package: builtPackage, command: builtCommand, page: builtPage, site: builtSite };
  const named = process.argv.length > 2 ? process.argv.slice(2) : ['package', 'page'];
  const unknown = named.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(parts).join(', ')}`);
  for (const name of named) console.log(parts[name]());
}
