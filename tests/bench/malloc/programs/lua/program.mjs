// Lua 5.4 with a script of our own: tables, strings, closures. Its only way to memory is realloc and free.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'lua-src',
  version: '551.1.0',
  sha256: '41d22b201501a536c0f5a96c7589b268b559172b20fb029064434e38ddcecb1f',
};
const withoutFiles = new Set(['linit.c', 'liolib.c', 'loslib.c', 'loadlib.c', 'ldblib.c', 'lutf8lib.c', 'lcorolib.c']);

export default {
  name: 'lua',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const lua = join(folder, 'lua-5.4.9');
    const sources = readdirSync(lua).filter((file) => file.endsWith('.c') && !withoutFiles.has(file));
    return {
      sources: [
        join(here, 'main.c'),
        embed('lua', join(here, 'script.lua')),
        ...sources.map((file) => join(lua, file)),
      ],
      flags: [
        `-I${lua}`,
        '-Dluai_makeseed(L)=20261u', // else the order of keys comes from addresses and the clock
        '-Dluai_jmpbuf=int', // no jumps: an error ends the program
        '-DLUAI_TRY(L,c,a)={a}',
        '-DLUAI_THROW(L,c)=__builtin_trap()',
      ],
      args: [],
      expected: 'a578aaec3bed982e895f5e013bdf3777bacdb80e79d950a0a2676e8f938b170c',
    };
  },
};
