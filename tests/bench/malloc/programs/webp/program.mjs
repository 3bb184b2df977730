// libwebp: pictures of many sizes encoded, with loss and without, decoded, scaled and kept as small ones.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'libwebp-sys',
  version: '0.14.4',
  sha256: '6b3a87b44e34d17161e4f17d92a463d596cb13825dcd1758ed18fd3a721e189c',
};
const kFolders = ['src/dec', 'src/dsp', 'src/enc', 'src/utils', 'sharpyuv'];
const kOtherProcessors = /_(avx2|mips32|mips_dsp_r2|msa|neon|sse2|sse41)\.c$/;

export default {
  name: 'webp',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const library = join(folder, 'vendor');
    const sources = kFolders.flatMap((part) =>
      readdirSync(join(library, part))
        .filter((file) => file.endsWith('.c') && !kOtherProcessors.test(file))
        .map((file) => join(library, part, file)),
    );
    return {
      sources: [join(here, 'main.c'), ...sources],
      flags: [`-I${library}`, `-I${join(library, 'src')}`],
      args: [],
      expected: '3b27139384ce35f7d1c353a08f827c2a2d0532764f0b94f0b4e3f89f74cfedda',
    };
  },
};
