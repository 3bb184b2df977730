// Talc, a Rust allocator made with WebAssembly in mind: boundary tags, bins found by one 64-bit map.

import { join } from 'node:path';
import { buildRustPeer } from '../rust/build.mjs';

const crates = [
  { name: 'talc', version: '5.1.1', sha256: '53f8ad14fa1c1b8635114abf9721076fe1e869572a5f26a52690f407292c80dc' },
  {
    name: 'allocator-api2',
    version: '0.4.0',
    sha256: 'c880a97d28a3681c0267bd29cff89621202715b065127cd445fa0f0fe0aa2880',
  },
  { name: 'lock_api', version: '0.4.14', sha256: '224399e74b87b5f3557511d98dff8b14089b3dadafcab6bb93eab67d3aace965' },
  { name: 'scopeguard', version: '1.2.0', sha256: '94143f37725109f92c262ed2cf5e59bce7498c01bcc1502d7b9afe439a4e9f49' },
];

export default {
  name: 'talc',
  threads: false,
  prepare: async () => buildRustPeer('talc', join(import.meta.dirname, 'peer.rs'), crates),
};
