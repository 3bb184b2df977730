// Sources from packages of the Rust registry, by name, version and SHA-256: the benches' real programs (C sources that a
// crate carries with it) and peers (allocators written in Rust). Nothing of them is in the repository.
//
//   build/sources/<name>-<version>/     one crate, unpacked by fetchCrate
//   <folder>/vendor/<name>/             several crates that are built together, unpacked by vendorCrates
//
// F1  cargo downloads, by whatever registry it is set up with, and compares each package with the checksum that the
//     registry's index names; here that checksum is compared with the one pinned in the code. A difference is an error.
// F2  What cannot be had (no cargo, no network) is a message and undefined, never an exception: a bench leaves it out.
// F3  A folder appears under its final name when it is complete, so a broken download is not taken for a whole one.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../find_chromium.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const kept = join(root, 'build/sources');

/** @typedef {{ name: string, version: string, sha256: string }} Crate `sha256`: of the package file. */

export const cargo = () => process.env.CARGO ?? findCommand('cargo');

/** Where a crate lies once it has been fetched. */
export const crateFolder = ({ name, version }) => join(kept, `${name}-${version}`);

/**
 * Unpacks one crate, without those it depends on; a second call finds it there.
 * @param {Crate} crate
 * @param {(why: string) => void} told gets the reason when it cannot be had
 * @returns {string | undefined} its folder
 */
export function fetchCrate(crate, listed = say) {
  const folder = crateFolder(crate);
  if (existsSync(folder)) return folder;
  const work = `${folder}.part`;
  rmSync(work, { recursive: true, force: true });
  try {
    const vendor = vendored([crate], work, kManifest, listed);
    if (vendor === undefined) return undefined;
    renameSync(join(vendor, crate.name), folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Unpacks crates side by side, all that they depend on included, for a build by cargo: `folder` gets their manifest as well.
 * @param {readonly Crate[]} crates every crate that comes: one more or one less is an error
 * @param {string} manifest what the manifest says besides the dependencies
 * @returns {string | undefined} `folder`
 */
export function vendorCrates(crates, folder, manifest) {
  const stamp = JSON.stringify([crates, manifest]);
  const stampFile = join(folder, 'vendored.json');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return folder;
  rmSync(folder, { recursive: true, force: true });
  const vendor = vendored(crates, folder, manifest, say);
  if (vendor === undefined) return undefined;
  const known = new Set(crates.map(({ name }) => name));
  const stranger = readdirSync(vendor).find((name) => !known.has(name));
  if (stranger !== undefined) throw new Error(`${folder}: ${stranger} comes without a pinned checksum`);
  writeFileSync(stampFile, stamp);
  return folder;
}

const kManifest = '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n';

/** The folder with one folder per crate, those named proved to be what was pinned. */
function vendored(crates, folder, manifest, listed) {
  const tool = cargo();
  if (tool === undefined) return unavailable(listed, crates, 'there is no cargo (apt-get install cargo, or set CARGO)');
  mkdirSync(folder, { recursive: true });
  const wanted = crates.map(({ name, version }) => `${name} = { version = "=${version}", default-features = false }\n`);
  writeFileSync(join(folder, 'Cargo.toml'), `${manifest}[dependencies]\n${wanted.join('')}`);
  if (manifest === kManifest) writeFileSync(join(folder, 'lib.rs'), '');
  const vendor = join(folder, 'vendor');
  try {
    execFileSync(tool, ['vendor', '--quiet', vendor], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const lines = (String(error.stderr ?? '').trim() || error.message).split('\n');
    const first = lines.find((line) => line.startsWith('error')) ?? lines[0];
    const why = lines.length > 1 ? `${first}: ${lines.at(-1).trim()}` : first; // cargo names the cause at the end
    return unavailable(listed, crates, why.replaceAll(/https?:\S+/g, 'the registry'));
  }
  for (const { name, sha256 } of crates) {
    const { package: found } = JSON.parse(readFileSync(join(vendor, name, '.cargo-checksum.json'), 'utf8'));
    if (found !== sha256) throw new Error(`the package of ${name} has checksum ${found}, pinned is ${sha256}`);
  }
  return vendor;
}

function say(text) {
  console.log(`fetch: ${text}`);
}

function unavailable(listed, crates, why) {
  listed(`${crates.map(({ name, version }) => `${name} ${version}`).join(', ')} cannot be had: ${why}`);
  return undefined;
}
