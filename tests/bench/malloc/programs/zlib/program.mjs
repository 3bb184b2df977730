// zlib: a store of compressed files, filled, read at random and changed.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'libz-sys',
  version: '1.1.31',
  sha256: 'ff20308ecabd635a2dc1dd5834a86c462cca20efba1d5d3ddab1f8aea3455cb2',
};
const kSources = ['adler32', 'crc32', 'deflate', 'inffast', 'inflate', 'inftrees', 'trees', 'zutil'];

export default {
  name: 'zlib',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const library = join(folder, 'src/zlib');
    return {
      sources: [join(here, 'main.c'), ...kSources.map((name) => join(library, `${name}.c`))],
      flags: [`-I${library}`],
      args: [],
      expected: 'de0440c948f9d5055e543e725a5262966ef6b2f419745798662931a1e9c607b5',
    };
  },
};
