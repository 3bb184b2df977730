// libyaml: settings read into documents, changed and written.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'libyaml-sys',
  version: '0.1.0',
  sha256: '3c0db97a2d3c6e1498825300c7608e14e1ce2fab0f1fdb6be83efae55decef94',
};
const kSources = ['api', 'dumper', 'emitter', 'loader', 'parser', 'reader', 'scanner', 'writer'];

export default {
  name: 'yaml',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const library = join(folder, 'libyaml');
    return {
      sources: [join(here, 'main.c'), ...kSources.map((name) => join(library, 'src', `${name}.c`))],
      flags: [
        `-I${join(library, 'include')}`,
        '-DYAML_DECLARE_STATIC',
        '-DYAML_VERSION_STRING="0.2.2"',
        '-DYAML_VERSION_MAJOR=0',
        '-DYAML_VERSION_MINOR=2',
        '-DYAML_VERSION_PATCH=2',
        '-w', // no warnings about code that is not ours
      ],
      args: [],
      expected: '623e894a4f4ab9898ffaeccdb76657df4f01ec73c23160f20e7b4cea494f6715',
    };
  },
};
