// Lua 5.4 with a script of our own: tables, strings, closures. Its only way to memory is realloc and free.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';
import { kLua } from '../../../../../tools/fetch/program_sources.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;
/** Without jumps neither coroutines; utf8 is not used. */
const without = /\/(lcorolib|lutf8lib)\.c$/;

export default {
  name: 'lua',
  crates: [kLua.crate],
  async prepare() {
    const folder = fetchCrate(kLua.crate);
    if (folder === undefined) return undefined;
    return {
      sources: [
        join(here, 'main.c'),
        embed('lua', join(here, 'script.lua')),
        ...kLua.files(folder).filter((file) => !without.test(file)),
      ],
      flags: [
        `-I${kLua.include(folder)}`,
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
