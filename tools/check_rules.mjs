// Rules are numbered where they are stated, and cited by number elsewhere. This finds numbers that lead nowhere, and long files that
// do not say why they are.
//
//   //  malloc.L3  An empty list is filled ...       a definition: the id, two spaces, the text
//   // malloc.L3: ...   // (malloc.S1 to S4)         citations
//
//   U1  In core/ and programs/ an id has a prefix and is defined once in the project.
//   U2  An id with a prefix that is cited anywhere, docs included, is defined.
//   U3  Elsewhere an id without a prefix belongs to its file. A citation from another file names that file, as in
//       "(history.ts, Y3)" or "P4 of event.h", and the file defines it.
//   U4  A string of the program that names an id counts as a citation: hg_heap_check() answers with them.
//   U5  A file of the product or its tools with more than 300 lines says at its top why: "Over 300 lines: ...".

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const kSources = /\.(hpp|cpp|h|c|ts|mjs)$/;
const kCore = /^(core|programs)\//;
const kDefinition = /^\s*(?:\/\/|\*|\/\*)?\s*(?:([a-z_]+)\.)?([A-Z]\d{1,2}) {2,}\S/;
const kPrefixed = /(?<![\w./-])([a-z_]+)\.([A-Z]\d{1,2})(?: (?:to|and) (?:\1\.)?([A-Z]\d{1,2})(?![\w.]))?(?!\w)/g;
const kOfFile = [
  /([\w/]+\.(?:hpp|cpp|h|ts|mjs|c)), ([A-Z]\d{1,2})(?: (?:to|and) ([A-Z]\d{1,2}))?(?!\w)/g,
  /(?<![\w.])([A-Z]\d{1,2})(?: (?:to|and) ([A-Z]\d{1,2}))? (?:of|in) ([\w/]+\.(?:hpp|cpp|h|ts|mjs|c))(?!\w)/g,
];

/** U5. */
const kProduct = /^(core|web\/src|package|tools)\//;
const [kMostLines, kTopLines] = [300, 30];
const kSaysWhy = /\bOver \d00 lines[:,] ./i;

/** @typedef {{ path: string, text: string }} File */

/** U5. @param {File[]} files @returns {string[]} */
export function longFilesOf(files) {
  return files.flatMap(({ path, text }) => {
    const lines = text.replace(/\n$/, '').split('\n');
    if (!kSources.test(path) || !kProduct.test(path) || lines.length <= kMostLines) return [];
    if (kSaysWhy.test(lines.slice(0, kTopLines).join('\n'))) return [];
    return [`${path} has ${lines.length} lines, and does not say at its top why: "Over ${kMostLines} lines: ..."`];
  });
}

/** From 'L1' to 'L3': L1, L2, L3. */
function range(first, last = first) {
  const [from, to] = [Number(first.slice(1)), Number(last.slice(1))];
  if (first[0] !== last[0] || to < from) return [first, last];
  return Array.from({ length: to - from + 1 }, (_, i) => `${first[0]}${from + i}`);
}

/** @param {File[]} files @returns {string[]} what is wrong, a sentence each */
export function problemsOf(files) {
  const problems = [];
  const places = new Map(); // of ids with a prefix
  const ofFile = new Map(); // of ids without it, by the file's name
  for (const { path, text } of files) {
    if (!kSources.test(path)) continue;
    const mine = ofFile.get(basename(path)) ?? new Set();
    ofFile.set(basename(path), mine);
    for (const [at, line] of text.split('\n').entries()) {
      const found = kDefinition.exec(line);
      if (found === null) continue;
      const [, prefix, number] = found;
      mine.add(number);
      const place = `${path}:${at + 1}`;
      if (prefix === undefined) {
        if (kCore.test(path)) problems.push(`${place}: the rule ${number} has no prefix`);
        continue;
      }
      const id = `${prefix}.${number}`;
      if (places.has(id)) problems.push(`${place}: ${id} is defined at ${places.get(id)} too`);
      else places.set(id, place);
    }
  }
  const prefixes = new Set([...places.keys()].map((id) => id.slice(0, id.indexOf('.'))));
  for (const { path, text } of files) {
    for (const [at, line] of text.split('\n').entries()) {
      const place = `${path}:${at + 1}`;
      for (const [, prefix, first, last] of line.matchAll(kPrefixed)) {
        if (!prefixes.has(prefix)) continue; // an object's member
        for (const number of range(first, last)) {
          if (!places.has(`${prefix}.${number}`)) problems.push(`${place}: no rule ${prefix}.${number} is defined`);
        }
      }
      for (const [which, pattern] of kOfFile.entries()) {
        for (const match of line.matchAll(pattern)) {
          const [file, first, last] = which === 0 ? [match[1], match[2], match[3]] : [match[3], match[1], match[2]];
          const known = ofFile.get(basename(file));
          for (const number of range(first, last)) {
            if (!known?.has(number)) problems.push(`${place}: ${file} defines no rule ${number}`);
          }
        }
      }
    }
  }
  return problems;
}

export const projectFiles = () =>
  execFileSync('git', ['ls-files', 'core', 'programs', 'web', 'tests', 'tools', 'docs', 'package', 'README.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => kSources.test(path) || path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = projectFiles();
  const problems = [...problemsOf(files), ...longFilesOf(files)];
  for (const problem of problems) console.log(problem);
  console.log(`rules: ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
