// yyjson: messages read, looked into, changed and written, a queue of them live.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'yyjson-sys',
  version: '0.1.0',
  sha256: '4ed7a5810c650d227cae9d2cb1c73cf0d6d5901181cb2a53dc07007dfcead82c',
};

export default {
  name: 'yyjson',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const library = join(folder, 'yyjson/src');
    return {
      sources: [join(here, 'main.c'), join(library, 'yyjson.c')],
      flags: [`-I${library}`],
      args: [],
      expected: '1b001f99a7972e7e0d0f4bc963ddf4f79ca54799d22bbc037c1adee706a6d4e9',
    };
  },
};
