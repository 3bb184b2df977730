// Tree-sitter with its grammar of C: three files are parsed, then edited and parsed again three hundred times.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const parser = {
  name: 'tree-sitter',
  version: '0.27.1',
  sha256: 'a5129de2ccc97808c4583d48f1fb44576d015cf241e432800572bda11ef30c3b',
};
const grammar = {
  name: 'tree-sitter-c',
  version: '0.24.2',
  sha256: 'a9b2eb57a55fed6b00812912e730b7a275cf4fe98bfd6a5d76263d4438371728',
};

export default {
  name: 'tree_sitter',
  crates: [parser, grammar],
  async prepare() {
    const [library, language] = [fetchCrate(parser), fetchCrate(grammar)];
    if (library === undefined || language === undefined) return undefined;
    return {
      sources: [
        join(import.meta.dirname, 'main.c'),
        join(library, 'src/lib.c'), // includes the others
        join(language, 'src/parser.c'),
      ],
      flags: ['include', 'src'].map((folder) => `-I${join(library, folder)}`).concat(`-I${join(language, 'src')}`),
      args: [],
      expected: '7c62cf247e04d7a69b5be8294b68faae9126e9b8f52c5b687cf9ef1a0cb7a204',
    };
  },
};
