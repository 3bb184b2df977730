// THIRD_PARTY_LICENSES of the package: what of node_modules its bundles carry, found by what the bundlers put in, and the texts.
//
//   recordBundled()      a plugin for Vite: notes the modules in each chunk, and the files that became assets (fonts)
//   recordMetafile(m)    the same from esbuild's metafile
//   thirdPartyLicenses   the text, a section for each package, then what wasm modules and archives carry (licenses_native.md)
//
//   T1  Only what is in the output counts: modules with text in a chunk, inputs with bytes in an output.
//   T2  A package without a licence or its text fails the build: nobody ships what he may not.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const kNative = fileURLToPath(new URL('./licenses_native.md', import.meta.url));
const kFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/; // of the innermost package

/** Folders of the packages that something was taken from. */
const folders = new Set();

/** @param {string} id a module or file, as bundlers name them */
function record(id, from = root) {
  const path = id.replace(/^\0+/, '').replace(/[?#].*$/, '');
  const found = kFolder.exec(isAbsolute(path) ? path : resolve(from, path));
  if (found !== null) folders.add(found[0]);
}

/** @returns {import('vite').Plugin} */
export function recordBundled() {
  let from = root;
  return {
    name: 'record-bundled',
    configResolved(config) {
      from = config.root;
    },
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'asset') for (const file of output.originalFileNames) record(file, from);
        else for (const [id, { renderedLength }] of Object.entries(output.modules)) if (renderedLength > 0) record(id);
      }
    },
  };
}

/** @param {import('esbuild').Metafile} metafile */
export function recordMetafile({ outputs }) {
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) record(path);
  }
}

/** @param {string} folder */
function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (typeof license !== 'string' || file === undefined)
    throw new Error(`${name} ${version} has no licence in its folder`);
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8').trim() };
}

/** The packages recorded so far, by name. */
export function thirdParties() {
  const found = [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).map(describe);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function thirdPartyLicenses() {
  const sections = thirdParties().map(
    ({ name, version, license, text }) => `## ${name} ${version}\n\n${license}\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  );
  return [
    '# What heapglass carries of others\n',
    'Bundled into scripts and pages, by package:\n',
    ...sections,
    readFileSync(kNative, 'utf8'),
  ].join('\n');
}
