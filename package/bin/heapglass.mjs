#!/usr/bin/env node
// What a build needs to link heapglass as the malloc of a program, printed for a command line:
//
//   emcc app.c $(npx heapglass --ldflags) -o app.js
//   clang --target=wasm32-wasi app.c $(npx heapglass --ldflags --profile freestanding) -o app.wasm
//
// Only the wanted text goes to standard output. A shell splits it at spaces and nothing quotes it again; so a folder whose name a
// shell would take apart is given relative to the current one, or refused.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const kProfiles = {
  fast: { threads: true, defines: [], about: 'the quickest; the default' },
  small: { threads: false, defines: [], about: 'the least code' },
  hardened: { threads: false, defines: [], about: 'for input from strangers; stops at misuse' },
  checked: {
    threads: true,
    defines: ['HG_TRACE=1', 'HG_CHECKED=1'],
    about: 'names misuse: double free, overflow, ...',
  },
  trace: { threads: true, defines: ['HG_TRACE=1'], about: 'writes events for the heap map' },
  freestanding: { threads: false, defines: [], about: 'fast, without Emscripten: clang, wasi-libc, Rust' },
};

// A thread's end is told by a pthread key; its functions are asked for by name, else they are there only when the program itself
// uses keys.
const kThreadFlags = ['-pthread', '-Wl,-u,pthread_key_create,-u,pthread_setspecific'];

const kHelp = `heapglass: flags to link the allocator into a program, by Emscripten (3.1.6 or newer) or another toolchain

  emcc app.c $(npx heapglass --ldflags) -o app.js
  emcc app.c -pthread $(npx heapglass --ldflags --threads) -o app.js
  clang --target=wasm32-wasi app.c $(npx heapglass --ldflags --profile freestanding) -o app.wasm

  --ldflags          the archive that replaces malloc, and what it needs
  --cflags           the folder of the headers; only for programs that include <heapglass/...>
  --lib-dir          the folder of the archives, as it is
  --profile <name>   ${Object.entries(kProfiles)
    .map(([name, { about }]) => `${name.padEnd(12)} ${about}`)
    .join(`\n${' '.repeat(21)}`)}
  --threads          for programs built with -pthread
  --version, --help

The archive holds every name of a libc's malloc, so it needs no -sMALLOC flag, and each of them (none, emmalloc, ...) changes
nothing. The names are weak: a program may define its own malloc over emscripten_builtin_malloc, and -fsanitize=address and leak bring
their own. It does not go together with -sMAIN_MODULE: the linker says so.
`;

class UsageError extends Error {}

const home = fileURLToPath(new URL('../emscripten/', import.meta.url)); // beside dist/bin

try {
  console.log(answer(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`heapglass: ${error.message}`);
  process.exitCode = 1;
}

function answer(given) {
  const options = parse(given);
  const profile = kProfiles[options.profile];
  if (options.help || given.length === 0) return kHelp.trimEnd();
  if (options.version) return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
  if (profile === undefined) {
    throw new UsageError(`there is no profile "${options.profile}"; there are ${Object.keys(kProfiles).join(', ')}`);
  }
  if (options.threads && !profile.threads)
    throw new UsageError(`the profile "${options.profile}" is not made for threads`);
  if (options['lib-dir']) return join(home, 'lib');
  const flags = [
    ...(options.cflags ? compileFlags(profile, options) : []),
    ...(options.ldflags ? linkFlags(options) : []),
  ];
  if (flags.length === 0) throw new UsageError('nothing was asked for: --ldflags, --cflags, --lib-dir or --help');
  return flags.join(' ');
}

function parse(args) {
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({
      args,
      options: {
        ldflags: flag,
        cflags: flag,
        'lib-dir': flag,
        threads: flag,
        version: flag,
        help: { ...flag, short: 'h' },
        profile: { type: 'string', default: 'fast' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error.message}\n(heapglass --help tells what there is)`);
  }
}

function compileFlags(profile, { threads }) {
  const defines = [...profile.defines, ...(threads ? ['HG_THREADS=1'] : [])];
  return [`-I${forShell('include')}`, ...defines.map((define) => `-D${define}`), ...(threads ? ['-pthread'] : [])];
}

function linkFlags({ profile, threads }) {
  const archive = `lib/libheapglass-malloc-${profile}${threads ? '-threads' : ''}.a`;
  if (!existsSync(join(home, archive))) {
    throw new UsageError(
      `${join(home, archive)} is missing; in a clone, npm run build:package makes dist/bin and the archives`,
    );
  }
  return [forShell(archive), ...recorderFlags(profile), ...(threads ? kThreadFlags : [])];
}

/** Profiles with events: the member of the archive that takes them out of the ring, and its JavaScript. */
function recorderFlags(profile) {
  if (!kProfiles[profile].defines.includes('HG_TRACE=1')) return [];
  const scripts = ['heapglass_trace_file.js', 'heapglass_packets.js', 'heapglass_recorder.js'];
  return ['-Wl,-u,hg_recorder_drain', ...scripts.flatMap((name) => ['--js-library', forShell(name)])];
}

function forShell(path) {
  const absolute = join(home, path);
  const fit = [absolute, relative(process.cwd(), absolute)]
    .map((name) => name.replaceAll('\\', '/'))
    .find((name) => /^[\w@%+=:,./-]+$/.test(name));
  if (fit !== undefined) return fit;
  throw new UsageError(
    `a shell would take this path apart: ${absolute}\nquote it: "$(npx heapglass --lib-dir)/libheapglass-malloc-fast.a"`,
  );
}
