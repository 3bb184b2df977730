// FreeType: glyphs of a font loaded, hinted, drawn and stroked at many sizes, for lines of text.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'freetype-sys',
  version: '0.23.0',
  sha256: 'eab537ce43cab850c64b4cdc390ce7e4f47f877485ddc323208e268280c308ae',
};
const fonts = {
  name: 'epaint_default_fonts',
  version: '0.37.0',
  sha256: 'cfc1cc505827f4c23eedc297975a0fd038268d41293f389dd8ff3b574aefab19',
};
const kBase = ['ftbase', 'ftbbox', 'ftbitmap', 'ftdebug', 'ftglyph', 'ftinit', 'ftmm', 'ftstroke', 'ftsystem'].map(
  (name) => `base/${name}`,
);
const kModules = [
  'autofit/autofit',
  'gzip/ftgzip',
  'psnames/psnames',
  'sfnt/sfnt',
  'smooth/smooth',
  'truetype/truetype',
];

export default {
  name: 'freetype',
  crates: [crate, fonts],
  async prepare() {
    const [folder, fontFolder] = [fetchCrate(crate), fetchCrate(fonts)];
    if (folder === undefined || fontFolder === undefined) return undefined;
    const library = join(folder, 'freetype2');
    const sources = [...kBase, ...kModules].map((name) => join(library, 'src', `${name}.c`));
    return {
      sources: [join(here, 'main.c'), embed('freetype', join(fontFolder, 'fonts/Ubuntu-Light.ttf')), ...sources],
      flags: [
        `-I${join(library, 'include')}`,
        '-DFT2_BUILD_LIBRARY',
        '-DFT_CONFIG_OPTION_DISABLE_STREAM_SUPPORT', // no files
        `-DFT_CONFIG_MODULES_H="${join(here, 'modules.h')}"`,
        `-DFT_CONFIG_STANDARD_LIBRARY_H="${join(here, 'without_jumps.h')}"`,
        '-w', // no warnings about code that is not ours
      ],
      args: [],
      expected: 'a49b20d1bd74d96e3e7ad3ddb5afd2f74821eabf72084f965f5f15048da65376',
    };
  },
};
