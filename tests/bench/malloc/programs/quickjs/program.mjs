// QuickJS (the ng line) with a script of our own: objects, arrays, strings, maps, closures, JSON, typed arrays.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';
import { kQuickJs } from '../../../../../tools/fetch/program_sources.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;

export default {
  name: 'quickjs',
  crates: [kQuickJs.crate],
  async prepare() {
    const folder = fetchCrate(kQuickJs.crate);
    if (folder === undefined) return undefined;
    return {
      sources: [join(here, 'main.c'), embed('quickjs', join(here, 'script.js')), ...kQuickJs.files(folder)],
      flags: [`-I${kQuickJs.include(folder)}`, ...kQuickJs.flags],
      args: [],
      expected: '10940a5a6b19aad9c6dbcad8381c8d2291cd8a1485955065de4f4fda8f710509',
    };
  },
};
