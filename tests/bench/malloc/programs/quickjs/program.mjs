// QuickJS (the ng line) with a script of our own: objects, arrays, strings, maps, closures, JSON, typed arrays.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'rquickjs-sys',
  version: '0.14.0',
  sha256: 'cee271d0eeba64f0915b846cb7ae02e16faf3dfdffdca91731101d9d30fe3423',
};

export default {
  name: 'quickjs',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const quickjs = join(folder, 'quickjs');
    const sources = ['quickjs.c', 'libregexp.c', 'libunicode.c', 'dtoa.c'].map((file) => join(quickjs, file));
    return {
      sources: [join(here, 'main.c'), embed('quickjs', join(here, 'script.js')), ...sources],
      flags: [`-I${quickjs}`, '-D_GNU_SOURCE', '-w'], // -w: no warnings about code that is not ours
      args: [],
      expected: '10940a5a6b19aad9c6dbcad8381c8d2291cd8a1485955065de4f4fda8f710509',
    };
  },
};
