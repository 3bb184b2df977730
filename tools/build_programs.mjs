// Builds the real programs that the glass watches - SQLite, Lua, QuickJS - with heapglass's malloc and its probes, into build/wasm.
// Called by wasm-build.sh, which built the archive; their sources are packages (tools/fetch).
//
//   build/wasm/<program>.wasm     the module; an empty one where the sources cannot be had
//   build/wasm/programs.json      for each program why it cannot be watched, or null: what the page lists
//   build/wasm/programs/          objects, kept as long as sources, flags and compiler are the same
//
//  build.B1  Without sources, a network or cargo the build goes on: the page says which program is missing and why.
//  build.B2  A change of the core links the programs again and compiles nothing of them.

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { fetchCrate, root } from './fetch/crates.mjs';
import { kLua, kQuickJs, kSqlite } from './fetch/program_sources.mjs';
import { exportedFunctions } from './gen_exports.mjs';

const wasmBuild = join(root, 'wasm-build.sh');
const out = resolve(root, process.env.HG_OUT ?? 'build/wasm');
const objects = join(out, 'programs');
const watched = (...path) => join(root, 'programs/watched', ...path);

const kPrograms = [
  {
    id: 'sqlite',
    source: kSqlite,
    own: [watched('sqlite/sqlite_shell.c'), watched('sqlite/no_files.c')],
    flags: [...kSqlite.flags, '-DSQLITE_MAX_MMAP_SIZE=0'],
  },
  {
    id: 'lua',
    source: kLua,
    own: [watched('lua/lua_shell.c')],
    // Errors jump by wasm's own exceptions; the seed is fixed, else the order of keys came from addresses and the clock.
    flags: ['-sSUPPORT_LONGJMP=wasm', '-Dluai_makeseed(L)=20261u'],
  },
  { id: 'quickjs', source: kQuickJs, own: [watched('quickjs/quickjs_shell.c')], flags: kQuickJs.flags },
];

const kCompile = ['-Oz', '-fno-builtin-malloc', '-fno-builtin-free', '-fno-builtin-realloc', '-fno-builtin-calloc'];
/** npm test links at -O1: 1 s of processor time for SQLite instead of 11, and 3 % more bytes for a visitor, who gets -Oz. */
const kLinkLevel = process.env.HG_PROGRAMS_LINK ?? '-Oz';
/** As the modules of wasm-build.sh, with a stack for parsers and with an end, so that a visitor's mistake ends in an error. */
const kLink = [
  kLinkLevel,
  '-sSTANDALONE_WASM',
  '--no-entry',
  '-sALLOW_MEMORY_GROWTH=1',
  '-sINITIAL_MEMORY=4194304',
  '-sMAXIMUM_MEMORY=536870912',
  '-sERROR_ON_UNDEFINED_SYMBOLS=0',
  '-sWARN_ON_UNDEFINED_SYMBOLS=0',
];
const kEmptyModule = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const kCores = 2;

mkdirSync(objects, { recursive: true });
const version = emccNow(['--version']).split('\n')[0];
const heap = ['heapglass-malloc-trace.o', 'wasm_abi-trace.o', 'libc_sbrk.o'].map((name) => join(out, name));
const unavailable = {};
for (const program of kPrograms) unavailable[program.id] = await buildProgram(program);
writeChanged(join(out, 'programs.json'), `${JSON.stringify(unavailable, null, 2)}\n`);

/** Why it cannot be had; null: it is there. */
async function buildProgram({ id, source, own, flags }) {
  let why = 'its sources cannot be had';
  const folder = fetchCrate(source.crate, (text) => {
    why = text;
  });
  const module = join(out, `${id}.wasm`);
  if (folder === undefined) {
    console.log(`programs, ${id}: ${why}`);
    writeChanged(module, kEmptyModule);
    return why;
  }
  const words = [...kCompile, `-I${source.include(folder)}`, ...flags];
  const headers = readdirSync(watched()).filter((name) => name.endsWith('.h'));
  const shared = headers.map((name) => readFileSync(watched(name)));
  const compiled = await inTurns(kCores, [...own, ...source.files(folder)], (file) =>
    compileObject(id, file, own.includes(file) ? [...words, '-Wall', '-Wextra'] : [...words, '-w'], shared),
  );
  const exported = exportedFunctions('trace', [watched('watched_program.h')]).map((name) => `_${name}`);
  const stack = /\b3\.1\.([0-9]|1[0-9]|2[0-6])\b/.test(version) ? '-sTOTAL_STACK=1MB' : '-sSTACK_SIZE=1MB';
  const settings = flags.filter((flag) => flag.startsWith('-s'));
  const link = [...kLink, ...settings, stack, `-sEXPORTED_FUNCTIONS=${exported.join(',')}`];
  const key = digest(version, ...link, ...[...compiled, ...heap].map((path) => readFileSync(path)));
  await when(module, key, () => emcc([...compiled, ...heap, ...link, '-o', module]));
  console.log(`programs, ${id}: ${readFileSync(module).length} bytes`);
  return null;
}

async function compileObject(id, file, words, shared) {
  const object = join(objects, `${id}-${basename(file, '.c')}.o`);
  const key = digest(version, ...words, readFileSync(file), ...shared);
  await when(object, key, () => emcc([file, ...words, '-c', '-o', object]));
  return object;
}

/** Makes `file` unless it was made from the same. */
async function when(file, key, make) {
  const stamp = join(objects, `${basename(file)}.stamp`);
  if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  await make();
  writeFileSync(stamp, key);
}

async function inTurns(atOnce, jobs, work) {
  const results = new Array(jobs.length);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < jobs.length; at = next++) results[at] = await work(jobs[at]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

async function emcc(words) {
  await promisify(execFile)(wasmBuild, ['emcc', ...words], { maxBuffer: 1 << 26 }).catch((error) => {
    throw new Error(`the compiler failed: ${error.stderr || error.message}`);
  });
}

function emccNow(words) {
  return execFileSync(wasmBuild, ['emcc', ...words], { encoding: 'utf8' });
}

function digest(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** A file that stays as it is keeps its time, so that nothing is served or bundled anew. */
function writeChanged(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(bytes))) writeFileSync(path, bytes);
}
