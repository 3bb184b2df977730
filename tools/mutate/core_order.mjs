// In which order the test programs judge a mutant: the nearest first.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { kCoreLayers } from '../check_layers.mjs';

/** heap, pool ...; `public` for the headers of programs. */
export function folderOf(file) {
  return file.startsWith('core/include/') ? 'public' : file.split('/')[2];
}

const publicHeader = (name) => `core/include/heapglass/${name}`;
const publicHeadersIn = (text) => [...text.matchAll(/^#include <heapglass\/(\S+\.hpp)>/gm)].map(([, name]) => name);

/** The C++ headers of programs that a test includes, and those that these include. */
function headersOf(tree, text) {
  const names = new Set(publicHeadersIn(text));
  for (const name of names) {
    const path = join(tree, publicHeader(name));
    if (existsSync(path)) for (const more of publicHeadersIn(readFileSync(path, 'utf8'))) names.add(more);
  }
  return new Set([...names].map(publicHeader));
}

/** Of a file of core/src: the folders of tests/core that are its own, and those whose tests reach it first.
 *    own    that of the same folder; one named as the file begins (command, hardened) or, of guards, `checked`; and one named as
 *           another file of the folder
 *    users  those of the folders that use the file's folder and are not above another user: heap -> pool, slab; slab -> malloc
 *  @param coreFiles all of the core */
export function testFolders(file, coreFiles) {
  const folder = folderOf(file);
  const stem = basename(file);
  const siblings = coreFiles
    .filter((other) => dirname(other) === dirname(file))
    .map((other) => basename(other, '.cpp'));
  const begins = (name) => stem.startsWith(`${name}.`) || stem.startsWith(`${name}_`);
  const uses = (user, used) => kCoreLayers[user].includes(used);
  const users = Object.keys(kCoreLayers).filter((user) => folder in kCoreLayers && uses(user, folder));
  return {
    isOwn: (name) =>
      name === folder || begins(name) || siblings.includes(name) || (stem.includes('guard') && name === 'checked'),
    isNamed: begins,
    isUsers: (name) => users.includes(name) && !users.some((other) => uses(name, other)),
  };
}

/** 3: the file's own test; 2: of its folder; 1: has its name or includes it or its header, or is of what uses it; 0: none of these. */
function nearness(test, { text, headers }, file, { isOwn, isNamed, isUsers }) {
  const stem = basename(file).replace(/\.\w+$/, '');
  const folders = dirname(test).split('/');
  const inFolder = folders.some(isOwn);
  const includes =
    text.includes(`"${folderOf(file)}/${stem}.hpp"`) ||
    text.includes(`<heapglass/${basename(file)}>`) ||
    headers.has(file);
  const named = basename(test) === `${stem}_test.cpp`;
  if ((named && (inFolder || includes)) || folders.some(isNamed)) return 3;
  return inFolder ? 2 : Number(named || includes || folders.some(isUsers));
}

export class Order {
  /** `programs`: [{name, variant, files}] */
  constructor(tree, programs, coreFiles) {
    this.coreFiles = coreFiles;
    this.programs = programs;
    this.texts = new Map(
      programs
        .flatMap(({ files }) => files)
        .map((path) => {
          const text = readFileSync(join(tree, path), 'utf8');
          return [path, { text, headers: headersOf(tree, text) }];
        }),
    );
  }

  /** The programs in the order in which they judge a mutant of the file: {name, variant, test: the nearest test's file, near}. */
  of(file) {
    const folders = testFolders(file, this.coreFiles);
    const ranked = this.programs.map(({ name, variant, files }) => {
      const tests = files
        .map((test) => ({ test, near: nearness(test, this.texts.get(test), file, folders) }))
        .sort((a, b) => b.near - a.near);
      return { name, variant, ...tests[0] };
    });
    return ranked.sort((a, b) => b.near - a.near || a.name.localeCompare(b.name));
  }
}
