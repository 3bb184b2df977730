// In which order the test programs judge a mutant: the nearest first.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

/** What the checked build has more; its tests are in a folder of their own. */
const isGuard = (file) => basename(file).includes('guard');

/** 3: the file's own test; 2: of its folder; 1: has its name or includes it or its header; 0: none of these. */
function nearness(test, { text, headers }, file) {
  const stem = basename(file).replace(/\.\w+$/, '');
  const folders = dirname(test).split('/');
  const inFolder = folders.includes(folderOf(file)) || (isGuard(file) && folders.includes('checked'));
  const includes =
    text.includes(`"${folderOf(file)}/${stem}.hpp"`) ||
    text.includes(`<heapglass/${basename(file)}>`) ||
    headers.has(file);
  const named = basename(test) === `${stem}_test.cpp`;
  if (named && (inFolder || includes)) return 3;
  return inFolder ? 2 : Number(named || includes);
}

export class Order {
  /** `programs`: [{name, files}] */
  constructor(tree, programs) {
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

  /** The programs in the order in which they judge a mutant of the file: {name, test: the nearest test's file, near}. */
  of(file) {
    const ranked = this.programs.map(({ name, files }) => {
      const tests = files
        .map((test) => ({ test, near: nearness(test, this.texts.get(test), file) }))
        .sort((a, b) => b.near - a.near);
      return { name, ...tests[0] };
    });
    return ranked.sort((a, b) => b.near - a.near || a.name.localeCompare(b.name));
  }
}
