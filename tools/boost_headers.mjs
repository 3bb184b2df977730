// Boost's headers, unpacked into build/boost/<version>/include for the experiments AE1-AE5 and tests/boost: nothing is
// installed, and no other header of the system comes with them.
//
//   build/boost/1.74/include/boost/...     the main version: the first in alphabetical order
//   build/boost/1.81/include/boost/...     a second one, where there is one, for the adaptors' tests
//
// From the packages that apt offers (oldest and newest), else from $BOOST_ROOT or where Homebrew keeps them.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from './find_chromium.mjs';

const folder = fileURLToPath(new URL('../build/boost', import.meta.url));
const isBoost = (include) => existsSync(join(include, 'boost/version.hpp'));

/** Versions there are, the main one first. */
export function boostVersions() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((version) => isBoost(join(folder, version, 'include')))
    .sort();
}

/** Gets them. Throws with what to do when it cannot. `update`: refreshes apt's lists, where that may be done. */
export function installBoost(update) {
  mkdirSync(folder, { recursive: true });
  if (findCommand('apt-get') !== undefined && findCommand('dpkg-deb') !== undefined) fromApt(update);
  if (boostVersions().length === 0) fromPrefix();
  if (boostVersions().length === 0) throw new Error(kAdvice);
}

const kAdvice =
  'no Boost headers: the experiments AE1-AE5 are left out.\n' +
  '  Set BOOST_ROOT=/path/to/boost (or: brew install boost, apt-get update) and run: node tools/setup.mjs boost';

function fromApt(update) {
  unpackKnown();
  if (boostVersions().length > 0) return;
  update(); // lists that are empty, or so old that what they name is gone
  unpackKnown();
}

function unpackKnown() {
  const names = known();
  for (const name of new Set([names.at(0), names.at(-1)])) {
    if (name === undefined) continue;
    console.log(`setup: unpacking the headers of ${name}`);
    try {
      unpack(name);
    } catch (error) {
      console.log(`setup: ${name} cannot be had: ${error.message.split('\n')[0]}`);
    }
  }
}

/** Package names, by version. */
function known() {
  const found = execFileSync('apt-cache', ['search', '--names-only', '^libboost1\\.[0-9]+-dev$'], { encoding: 'utf8' });
  const minor = (name) => Number(/1\.(\d+)/.exec(name)?.[1]);
  return [...found.matchAll(/^libboost1\.\d+-dev/gm)].map((match) => match[0]).sort((a, b) => minor(a) - minor(b));
}

function unpack(name) {
  const version = /1\.\d+/.exec(name)[0];
  const work = join(folder, `.${version}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  execFileSync('apt-get', ['download', '-qq', name], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
  const [deb] = readdirSync(work).filter((file) => file.endsWith('.deb'));
  execFileSync('dpkg-deb', ['-x', deb, 'files'], { cwd: work });
  rmSync(join(folder, version), { recursive: true, force: true });
  mkdirSync(join(folder, version));
  renameSync(join(work, 'files/usr/include'), join(folder, version, 'include'));
  rmSync(work, { recursive: true });
}

/** A link to the one folder, so that -isystem brings nothing else. */
function fromPrefix() {
  const { BOOST_ROOT } = process.env;
  const places = [BOOST_ROOT && join(BOOST_ROOT, 'include'), BOOST_ROOT, '/opt/homebrew/include', '/usr/local/include'];
  const include = places.find((place) => place && isBoost(place));
  if (include === undefined) return;
  const text = readFileSync(join(include, 'boost/version.hpp'), 'utf8');
  const version = (/BOOST_LIB_VERSION "([\d_]+)"/.exec(text)?.[1] ?? '1_0').replaceAll('_', '.');
  mkdirSync(join(folder, version, 'include'), { recursive: true });
  symlinkSync(join(include, 'boost'), join(folder, version, 'include/boost'));
}
