// Where the sources of the programs come from that both the glass shows and the malloc bench runs: package, version, checksum,
// and what of it is compiled. Nothing of them is in the repository (crates.mjs).

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ crate: import('./crates.mjs').Crate, include: (folder: string) => string, files: (folder: string) => string[] }} Source */

/** @type {Source & { flags: readonly string[] }} */
export const kSqlite = {
  crate: {
    name: 'libsqlite3-sys',
    version: '0.39.1',
    sha256: '14a5f01b87b92705d07b433c06f96cbc764637d81a0bffb5734ce17cf0f9a2b3',
  },
  include: (folder) => join(folder, 'sqlite3'),
  files: (folder) => [join(folder, 'sqlite3/sqlite3.c')],
  flags: [
    '-DSQLITE_THREADSAFE=0',
    '-DSQLITE_OS_OTHER=1', // programs/watched/sqlite/no_files.c
    '-DSQLITE_TEMP_STORE=3', // sorting stays in memory
    '-DSQLITE_OMIT_LOAD_EXTENSION',
    '-DSQLITE_OMIT_WAL',
    '-DSQLITE_DQS=0',
  ],
};

/** @type {Source} without the program lua's own parts and its ways to files */
export const kLua = {
  crate: {
    name: 'lua-src',
    version: '551.1.0',
    sha256: '41d22b201501a536c0f5a96c7589b268b559172b20fb029064434e38ddcecb1f',
  },
  include: (folder) => join(folder, 'lua-5.4.9'),
  files(folder) {
    const without = new Set(['linit.c', 'liolib.c', 'loslib.c', 'loadlib.c', 'ldblib.c']);
    const lua = this.include(folder);
    return readdirSync(lua)
      .filter((file) => file.endsWith('.c') && !without.has(file))
      .sort()
      .map((file) => join(lua, file));
  },
};

/** @type {Source & { flags: readonly string[] }} */
export const kQuickJs = {
  crate: {
    name: 'rquickjs-sys',
    version: '0.14.0',
    sha256: 'cee271d0eeba64f0915b846cb7ae02e16faf3dfdffdca91731101d9d30fe3423',
  },
  include: (folder) => join(folder, 'quickjs'),
  files: (folder) =>
    ['quickjs.c', 'libregexp.c', 'libunicode.c', 'dtoa.c'].map((file) => join(folder, 'quickjs', file)),
  flags: ['-D_GNU_SOURCE', '-w'], // -w: no warnings about code that is not ours
};
