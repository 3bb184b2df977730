// What the package has for C and its build systems, below dist/emscripten: headers, archives, the recorder's JavaScript, and ways in
// for CMake, pkg-config, Meson, make and Emscripten's ports (package/emscripten, docs/build_systems.md).
//
//   cmake/heapglass-config.cmake    by hand      cmake/heapglass-targets.cmake, -config-version.cmake    written here
//   port/heapglass.py               by hand      flags.json, which it reads                              written here
//   examples/                       by hand      pkgconfig/*.pc                                          written here
//
//   F1  What a profile links is said once, by the command heapglass. All that is written here is asked of it.
//   F2  Nothing written names a folder: each file finds the package from where it lies, so node_modules may be moved.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRecorder, writeShrink } from './build_recorder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Of the heap alone; the first is the one without a suffix. */
const kVariants = ['release', 'trace', 'checked', 'threads'];
const kMallocs = {
  fast: true, // also for threads
  small: false,
  hardened: true,
  checked: true,
  trace: true,
  freestanding: false,
};
/** Profiles with their archives' names: fast, fast-threads, small, ... */
const kProfiles = Object.entries(kMallocs).flatMap(([profile, threads]) => [
  { profile, options: [], name: profile },
  ...(threads ? [{ profile, options: ['--threads'], name: `${profile}-threads` }] : []),
]);
/** Linked with other flags where no JavaScript is. */
const kStandalone = ['hardened', 'checked', 'trace'].map((profile) => ({
  profile,
  options: ['--standalone'],
  name: `${profile}-standalone`,
}));

/** Archives, headers, and what is written by hand. */
export function placeEmscripten(dist) {
  const lib = join(dist, 'emscripten/lib');
  mkdirSync(lib, { recursive: true });
  for (const name of [...kVariants, ...kProfiles.map((one) => `malloc-${one.name}`), 'wasi-entropy', 'discard']) {
    copyFileSync(join(root, `build/wasm/libheapglass-${name}.a`), join(lib, `libheapglass-${name}.a`));
  }
  cpSync(join(root, 'core/include'), join(dist, 'emscripten/include'), { recursive: true });
  cpSync(join(root, 'package/emscripten'), join(dist, 'emscripten'), { recursive: true });
  writeRecorder(join(dist, 'emscripten'));
  writeShrink(join(dist, 'emscripten'));
}

/** pre: dist/bin/heapglass.mjs and what placeEmscripten puts there */
export function writeBuildSystems(dist) {
  const home = join(dist, 'emscripten');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const flags = Object.fromEntries([...kProfiles, ...kStandalone].map((one) => [one.name, askedFlags(home, one)]));
  const write = (path, text) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  write('package.json', `${JSON.stringify({ type: 'commonjs' })}\n`); // JavaScript libraries for emcc are scripts, not modules
  write('flags.json', `${JSON.stringify(flags, null, 2)}\n`);
  write('cmake/heapglass-targets.cmake', cmakeTargets(flags));
  write('cmake/heapglass-config-version.cmake', cmakeVersion(version));
  for (const [name, { link, compile }] of Object.entries(flags)) {
    const about = `heapglass as the malloc of a WebAssembly program, profile ${name}`;
    write(`pkgconfig/${nameOfMalloc(name, '-')}.pc`, pkgConfig(nameOfMalloc(name, '-'), about, version, link, compile));
  }
  for (const variant of kVariants) {
    const name = variant === 'release' ? 'heapglass' : `heapglass-${variant}`;
    const { archive, compile } = heapOf(variant);
    write(`pkgconfig/${name}.pc`, pkgConfig(name, `heapglass's heap and pools, ${variant}`, version, archive, compile));
  }
}

/** F1: the words with `@` for the package's folder. */
function askedFlags(home, { profile, options }) {
  const ask = (what) =>
    execFileSync(process.execPath, [join(home, '../bin/heapglass.mjs'), what, '--profile', profile, ...options], {
      cwd: home,
      encoding: 'utf8',
    })
      .trim()
      .replaceAll('--js-library ', '--js-library=') // one word each: build systems drop what stands twice
      .split(' ')
      .map((word) => relativeTo(home, word));
  return { link: ask('--ldflags'), compile: ask('--cflags') };
}

/** The command prints a whole path, or one relative to the current folder, which is `home` here. */
function relativeTo(home, word) {
  const prefix = /^(-I|--js-library=)/.exec(word)?.[0] ?? '';
  const path = word.slice(prefix.length).replace(`${home.replaceAll('\\', '/')}/`, '');
  const isFile = /^(lib\/.*\.a|include|[\w/]+\.js)$/.test(path);
  return isFile ? `${prefix}@/${path}` : word;
}

/** As CMake and pkg-config write one. */
const variable = (name) => `\${${name}}`;

/** fast is the one without a suffix. */
const nameOfMalloc = (name, separator) => {
  const suffix = name.replace(/^fast-?/, '').replaceAll('-', separator);
  return `${separator === '-' ? 'heapglass-malloc' : 'malloc'}${suffix === '' ? '' : `${separator}${suffix}`}`;
};

function heapOf(variant) {
  const defines = { trace: ['-DHG_TRACE=1'], checked: ['-DHG_TRACE=1', '-DHG_CHECKED=1'] }[variant] ?? [];
  const threads = variant === 'threads' ? ['-DHG_THREADS=1', '-pthread'] : [];
  return { archive: [`@/lib/libheapglass-${variant}.a`], compile: ['-I@/include', ...defines, ...threads] };
}

function cmakeTargets(flags) {
  const target = (name, link, compile) => {
    const inPackage = (words) => words.map((word) => word.replace('@/', `${variable('heapglass_HOME')}/`));
    const [archive = '', ...others] = link;
    const options = inPackage(compile.filter((word) => !word.startsWith('-I'))).join(' ');
    return `heapglass_target(${name} ${archive.replace('@/', '')}\n  "${inPackage(others).join(' ')}"\n  "${options}")\n`;
  };
  const mallocs = Object.entries(flags).map(([name, { link, compile }]) =>
    target(nameOfMalloc(name, '_'), link, compile),
  );
  const heaps = kVariants.map((variant) => {
    const { archive, compile } = heapOf(variant);
    return target(variant === 'release' ? 'heap' : `heap_${variant}`, archive, compile);
  });
  return `# Written by tools/build_systems.mjs from what the command heapglass prints.\n${mallocs.join('')}${heaps.join('')}`;
}

/** As CMake's own: the same major version, not older than asked for. */
function cmakeVersion(version) {
  const major = version.split('.')[0];
  return [
    `set(PACKAGE_VERSION "${version}")`,
    'if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION',
    `   OR (NOT PACKAGE_FIND_VERSION STREQUAL "" AND NOT PACKAGE_FIND_VERSION_MAJOR STREQUAL "${major}"))`,
    '  set(PACKAGE_VERSION_COMPATIBLE FALSE)',
    'else()',
    '  set(PACKAGE_VERSION_COMPATIBLE TRUE)',
    '  if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)',
    '    set(PACKAGE_VERSION_EXACT TRUE)',
    '  endif()',
    'endif()',
    '',
  ].join('\n');
}

function pkgConfig(name, description, version, link, compile) {
  const inPackage = (words) => words.map((word) => word.replace('@/', `${variable('prefix')}/`)).join(' ');
  return [
    `prefix=${variable('pcfiledir')}/..`,
    '',
    `Name: ${name}`,
    `Description: ${description}`,
    `Version: ${version}`,
    `Libs: ${inPackage(link)}`,
    `Cflags: ${inPackage(compile)}`,
    '',
  ].join('\n');
}
