// Builds a peer written in Rust: one object with the functions of a C allocator, for Emscripten's linker.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, vendorCrates } from '../../../../../tools/fetch/crates.mjs';
import { compileRust, findRust } from '../../../../../tools/fetch/rust.mjs';

const shared = ['c_abi.rs', 'pages.rs'].map((file) => join(import.meta.dirname, file));

/**
 * @param {string} name
 * @param {string} source the peer's crate root
 * @param {readonly import('../../../../../tools/fetch/crates.mjs').Crate[]} crates all that it is built from
 * @returns {string[] | undefined} link flags; undefined, with a printed reason, when it cannot be had here
 */
export function buildRustPeer(name, source, crates) {
  const place = join(root, 'build/peers', name);
  const object = join(place, `${name}.o`);
  const stampFile = join(place, 'built.sha256');
  const stamp = createHash('sha256').update(JSON.stringify(crates));
  for (const file of [source, ...shared]) stamp.update(readFileSync(file));
  const digest = stamp.digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return [object];

  const rust = findRust();
  if (rust === undefined) return undefined;
  const manifest = [
    `[package]\nname = "${name}_peer"\nversion = "0.0.0"\nedition = "2021"`,
    `[lib]\npath = "${source}"\ncrate-type = ["staticlib"]`,
    '[profile.release]\nlto = "fat"\ncodegen-units = 1\npanic = "abort"\nopt-level = 3\n',
  ].join('\n');
  if (vendorCrates(crates, place, manifest) === undefined) return undefined;
  console.log(`peers: compiling ${name} from ${dirname(source).slice(root.length)}`);
  compileRust(rust, place, name);
  writeFileSync(stampFile, digest);
  return [object];
}
