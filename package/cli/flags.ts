// What a build needs to link heapglass as the malloc of a program, printed for a command line:
//
//   emcc app.c $(npx heapglass --ldflags) -o app.js
//   clang --target=wasm32-wasi app.c $(npx heapglass --ldflags --profile freestanding) -o app.wasm
//
// Only the wanted text goes to standard output. A shell splits it at spaces and nothing quotes it again; so a folder
// whose name a shell would take apart is given relative to the current one, or refused.

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { kShrinkExports, kShrinkScratch } from '../../web/src/protocol/shrink_exports.ts';
import { packaged } from './files.ts';
import { Problem } from './problem.ts';

interface Profile {
  readonly threads: boolean;
  readonly defines: readonly string[];
  readonly about: string;
}

const kProfiles: Readonly<Record<string, Profile>> = {
  fast: { threads: true, defines: [], about: 'the quickest; the default' },
  small: { threads: false, defines: [], about: 'the least code' },
  hardened: { threads: true, defines: [], about: 'for input from strangers; stops at misuse' },
  checked: {
    threads: true,
    defines: ['HG_TRACE=1', 'HG_CHECKED=1'],
    about: 'names misuse: double free, overflow, ...',
  },
  trace: { threads: true, defines: ['HG_TRACE=1'], about: 'writes events for the heap map' },
  freestanding: { threads: false, defines: [], about: 'fast, without Emscripten: clang, wasi-libc, Rust' },
};

// A thread's end is reported by a pthread key; its functions are asked for by name, else they are there only when the
// program itself uses keys.
const kThreadFlags = ['-pthread', '-Wl,-u,pthread_key_create,-u,pthread_setspecific'];

/** The linker takes out of the archive what these need. */
const kExportedToShrink = `-Wl,${[...kShrinkExports, kShrinkScratch].map((name) => `--export=${name}`).join(',')}`;

export const kFlagsHelp = `heapglass: flags to link the allocator into a program, by Emscripten (3.1.6 or newer) or another toolchain

  emcc app.c $(npx heapglass --ldflags) -o app.js
  emcc app.c -pthread $(npx heapglass --ldflags --threads) -o app.js
  clang --target=wasm32-wasi app.c $(npx heapglass --ldflags --profile freestanding) -o app.wasm

  --ldflags          the archive that replaces malloc, and what it needs
  --cflags           the folder of the headers; only for programs that include <heapglass/...>
  --lib-dir          the folder of the archives, as it is
  --cmake-dir        for CMake: -Dheapglass_DIR=$(npx heapglass --cmake-dir)
  --pkgconfig-dir    for pkg-config and Meson: PKG_CONFIG_PATH=$(npx heapglass --pkgconfig-dir)
  --port             for Emscripten 3.1.54 and newer: --use-port=$(npx heapglass --port):profile=trace
  --profile <name>   ${Object.entries(kProfiles)
    .map(([name, { about }]) => `${name.padEnd(12)} ${about}`)
    .join(`\n${' '.repeat(21)}`)}
  --threads          for programs built with -pthread
  --shrink           for programs whose memory goes back: heapglass/shrink; not with threads
  --discard          trimming gives free pages to the host: memory.discard of engines that have it
  --standalone       for programs linked with -sSTANDALONE_WASM: no JavaScript; hardened asks the WASI host for its key
  --version, --help

The archive holds every name of a libc's malloc, so it needs no -sMALLOC flag, and each of them (none, emmalloc, ...) changes
nothing. The names are weak: a program may define its own malloc over emscripten_builtin_malloc, and -fsanitize=address and leak bring
their own. It does not go together with -sMAIN_MODULE: the linker says so.
`;

export interface FlagOptions {
  readonly profile: string;
  readonly ldflags?: boolean;
  readonly cflags?: boolean;
  readonly libDir?: boolean;
  readonly threads?: boolean;
  readonly standalone?: boolean;
  readonly shrink?: boolean;
  readonly discard?: boolean;
  readonly cmakeDir?: boolean;
  readonly pkgconfigDir?: boolean;
  readonly port?: boolean;
}

const home = packaged('emscripten/');

/** The flags, as one line. */
export function flagsFor(options: FlagOptions): string {
  const profile = Object.hasOwn(kProfiles, options.profile) ? kProfiles[options.profile] : undefined;
  if (profile === undefined) {
    throw new Problem(`there is no profile "${options.profile}"; there are ${Object.keys(kProfiles).join(', ')}`);
  }
  if (options.threads === true && !profile.threads)
    throw new Problem(`the profile "${options.profile}" is not made for threads`);
  if (options.threads === true && options.standalone === true)
    throw new Problem('--threads and --standalone exclude each other: a WASI host starts no threads');
  if (options.threads === true && options.shrink === true)
    throw new Problem('--threads and --shrink exclude each other: a memory that threads are in cannot be exchanged');
  if (options.libDir === true) return join(home, 'lib');
  if (options.cmakeDir === true) return join(home, 'cmake');
  if (options.pkgconfigDir === true) return join(home, 'pkgconfig');
  if (options.port === true) return join(home, 'port/heapglass.py');
  const flags = [
    ...(options.cflags === true ? compileFlags(profile, options) : []),
    ...(options.ldflags === true ? linkFlags(options) : []),
  ];
  if (flags.length === 0)
    throw new Problem(
      'nothing was asked for: --ldflags, --cflags, --lib-dir, --cmake-dir, --pkgconfig-dir, --port or --help',
    );
  return flags.join(' ');
}

function compileFlags(profile: Profile, { threads }: FlagOptions): string[] {
  const defines = [...profile.defines, ...(threads ? ['HG_THREADS=1'] : [])];
  return [`-I${forShell('include')}`, ...defines.map((define) => `-D${define}`), ...(threads ? ['-pthread'] : [])];
}

function linkFlags({ profile, threads, standalone, shrink, discard }: FlagOptions): string[] {
  const archive = `lib/libheapglass-malloc-${profile}${threads ? '-threads' : ''}.a`;
  if (!existsSync(join(home, archive))) {
    throw new Problem(
      `${join(home, archive)} is missing; in a clone, npm run build:package makes dist/bin and the archives`,
    );
  }
  const exported = shrink === true ? [kExportedToShrink] : [];
  if (standalone === true || profile === 'freestanding') {
    return [
      forShell(archive),
      ...exported,
      ...(discard ? discardFlags() : []),
      ...(profile === 'hardened' ? wasiEntropyFlags() : []),
    ];
  }
  const script =
    shrink === true
      ? [
          ...['--pre-js', forShell('heapglass_shrink.js')],
          `--closure-args=--externs=${forShell('heapglass_shrink.externs.js')}`, // without --closure 1 it has no effect
        ]
      : [];
  const discarding = discard === true ? discardFlags() : [];
  return [
    forShell(archive),
    ...recorderFlags(profile),
    ...exported,
    ...script,
    ...discarding,
    ...(threads ? kThreadFlags : []),
  ];
}

/** getentropy, which Emscripten's C library has only beside JavaScript. */
const wasiEntropyFlags = (): string[] => [
  forShell('lib/libheapglass-wasi-entropy.a'),
  '--js-library',
  forShell('heapglass_wasi.js'),
];

/** The member that asks the host; of the text, older Emscriptens only want to see the name where no JavaScript is. */
const discardFlags = (): string[] => [
  '-Wl,-u,hg_discard_by_host',
  forShell('lib/libheapglass-discard.a'),
  '--js-library',
  forShell('heapglass_discard.js'),
];

/** Profiles with events: the member of the archive that takes them out of the ring, and its JavaScript. */
function recorderFlags(profile: string): string[] {
  if (kProfiles[profile]?.defines.includes('HG_TRACE=1') !== true) return [];
  return ['-Wl,-u,hg_recorder_drain', '--js-library', forShell('heapglass_recorder.js')];
}

function forShell(path: string): string {
  const absolute = join(home, path);
  const fit = [absolute, relative(process.cwd(), absolute)]
    .map((name) => name.replaceAll('\\', '/'))
    .find((name) => /^[\w@%+=:,./-]+$/.test(name));
  if (fit !== undefined) return fit;
  throw new Problem(
    `a shell would take this path apart: ${absolute}; quote it: "$(npx heapglass --lib-dir)/libheapglass-malloc-fast.a"`,
  );
}
