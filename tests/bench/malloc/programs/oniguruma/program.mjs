// Oniguruma: grammars of regular expressions compiled, lines searched and replaced.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'onig_sys',
  version: '69.9.3',
  sha256: '1e68317604e77e53b85896388e1a803c1d21b74c899ec9e5e1112db90735edd7',
};
const kSources =
  /^(regexec|regerror|regparse|regext|regcomp|regenc|regsyntax|regtrav|regversion|st|onig_init|ascii|utf8)\.c$/;
/** What its configure would find out for wasm32. */
const kConfiguration = [
  ...['ALLOCA_H', 'INTTYPES_H', 'LIMITS_H', 'PROTOTYPES', 'STDARG_H', 'STDLIB_H', 'STRING_H'].map(
    (name) => `-DHAVE_${name}=1`,
  ),
  ...['INT=4', 'LONG=4', 'LONG_LONG=8', 'SHORT=2', 'VOIDP=4'].map((size) => `-DSIZEOF_${size}`),
];
const kUnicode = /^unicode(_unfold_key|_fold[123]_key)?\.c$/;

export default {
  name: 'oniguruma',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const library = join(folder, 'oniguruma/src');
    const sources = readdirSync(library).filter((file) => kSources.test(file) || kUnicode.test(file));
    return {
      sources: [join(here, 'main.c'), ...sources.map((file) => join(library, file))],
      flags: [`-I${library}`, `-I${here}`, ...kConfiguration, '-DONIG_STATIC', '-w'], // -w: no warnings about code that is not ours
      args: [],
      expected: '76301cdec8e063f5cede7fa32c3b20e5bcf4dd9c40cace602e8f698655e31d59',
    };
  },
};
