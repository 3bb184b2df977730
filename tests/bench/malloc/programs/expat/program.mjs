// Expat under a document tree: XML parsed, searched, changed, written and parsed again.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'expat-sys',
  version: '2.1.6',
  sha256: '658f19728920138342f68408b7cf7644d90d4784353d8ebc32e7e8663dbe45fa',
};
/** What its configure would find out. */
const kConfiguration = ['HAVE_MEMMOVE=1', 'BYTEORDER=1234', 'XML_CONTEXT_BYTES=1024', 'XML_DTD', 'XML_NS'].map(
  (name) => `-D${name}`,
);

export default {
  name: 'expat',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const library = join(folder, 'expat/lib');
    const sources = ['xmlparse.c', 'xmlrole.c', 'xmltok.c'].map((file) => join(library, file));
    return {
      sources: [join(here, 'main.c'), ...sources],
      flags: [`-I${library}`, ...kConfiguration, '-w'], // -w: no warnings about code that is not ours
      args: [],
      expected: '10c6bc5686c74c2d64a3dbb75b242f7d7f66feacd41aaf53ab1c1fa3d6dd4cbf',
    };
  },
};
