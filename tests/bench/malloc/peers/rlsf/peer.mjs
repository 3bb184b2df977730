// rlsf, two-level segregated fit in Rust: constant time, a block's class by two bit scans.

import { join } from 'node:path';
import { buildRustPeer } from '../rust/build.mjs';

const crates = [
  { name: 'rlsf', version: '0.2.3', sha256: '07393724337be2ee43a9d86164df4505746874a3fa65913374bc6d6a92314362' },
  { name: 'cfg-if', version: '1.0.5', sha256: '4e7648175b45a9a48536d676f68d918270699102aa8dab5496df06904c914600' },
  {
    name: 'const-default',
    version: '1.0.0',
    sha256: '0b396d1f76d455557e1218ec8066ae14bba60b4b36ecd55577ba979f5db7ecaa',
  },
  {
    name: 'rustversion',
    version: '1.0.23',
    sha256: 'cf54715a573b99ac80df0bc206da022bcd442c974952c7b9720069370852e21f',
  },
  { name: 'libc', version: '0.2.191', sha256: '65cd87c9a6d60536580b316ad985726104730a5151c99845f2490428ef91240a' }, // only where it is built natively
];

export default {
  name: 'rlsf',
  threads: false,
  prepare: async () => buildRustPeer('rlsf', join(import.meta.dirname, 'peer.rs'), crates),
};
