// Words that the project has given up for the field's own, and where none of them may stand any more.
//
//   RW1  In documents, and in the texts of what kTexts lists, no sentence uses one in its retired sense. What the patterns leave
//        out is plain English: "hands them over", "tell apart".
//   RW2  In the folders of kCleanFolders no identifier and no file name has one as a part. A folder that has been cleaned is added;
//        none is taken out. `npm run check:prose -- --retired` counts what is left in all folders.

import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { parse } from '@babel/parser';

/** [pattern over a sentence, what to write] */
export const kRetired = [
  [/\b(?:told|untold|retold|telling)\b|\btells?\b(?! apart\b)/, '"report", "record" or "notify", with its subject'],
  [/\bstor(?:y|ies)\b/, '"session", "trace" or "scenario"'],
  [/\brooms?\b/, '"folder", "panel", "space" or "capacity"'],
  [/\b(?:bury|buries|buried|burying)\b/, '"dispose of"'],
  [/\bmeets?\b|\bmeeting\b/, '"connect" or "find"'],
  [/\bhands\b(?! (?:it|them|each|out|over|on|the|a)\b)/, '"operations"'],
  [/\bbeginnings\b/, '"catalog"'],
  [/\boffered\b/, '"catalog", or "available"'],
  [/\b(?:hears?|heard)\b/, '"receive", "listen" or "onProgress"'],
];

/** [words of an identifier, what to call it] */
const kNames = [
  [['told', 'tell', 'tells', 'telling', 'untold', 'retold'], 'notify, report, recorded'],
  [['story', 'stories'], 'session, trace, scenario'],
  [['room', 'rooms'], 'folder, panel, space, capacity'],
  [['bury', 'buries', 'buried'], 'dispose'],
  [['meet', 'meets', 'met'], 'connect'],
  [['hands'], 'operations'],
  [['beginnings', 'offered'], 'catalog'],
  [['hear', 'hears', 'heard'], 'onProgress, listen'],
];
const kInstead = new Map(kNames.flatMap(([words, instead]) => words.map((word) => [word, instead])));

/** Former names in the public API, kept as aliases of what replaced them. */
const kAliases = new Set(['ToldExports']);

/** RW1: sources whose texts people read. */
export const kTexts = ['package/cli/*.ts', 'site/index.md', 'site/*.mjs', 'site/theme/*.ts', 'site/plots/*.mjs'];

/** RW2: widen it, never narrow it. */
export const kCleanFolders = [
  'core/src/abi',
  'core/src/base',
  'core/src/chunk',
  'core/src/heap',
  'core/src/index',
  'core/src/malloc',
  'core/src/platform',
  'core/src/pool',
  'core/src/threads',
  'core/src/trace',
  'package',
  'programs',
  'site',
  'tests/boost',
  'tests/build_systems',
  'tests/diff',
  'tests/experiments',
  'tests/foreign_toolchains',
  'tests/replay',
  'tests/site',
  'tests/tools',
  'tools',
  'web/src',
];

const kScripts = new Set(['.ts', '.mjs', '.js']);
export const kCode = new Set([...kScripts, '.c', '.h', '.cpp', '.hpp', '.css']);

/** @param {string} text of a sentence or more @returns {string[]} */
export const retiredIn = (text) =>
  kRetired.flatMap(([pattern, instead]) => {
    const found = new RegExp(pattern, 'iu').exec(text);
    return found === null ? [] : [`"${found[0]}" is retired: ${instead}`];
  });

/** Sentences in a source: a script's literals with a space in them, or all lines of a page whose texts are settings.
 *  @returns {{ line: number, text: string }[]} */
export function textsOf(path, source) {
  if (!kScripts.has(extname(path))) return source.split('\n').map((text, at) => ({ line: at + 1, text }));
  return tokensOf(source)
    .filter(({ type }) => type.label === 'string' || type.label === 'template')
    .map(({ value, loc }) => ({ line: loc.start.line, text: String(value?.cooked ?? value ?? '') }))
    .filter(({ text }) => /\S \S/.test(text));
}

/** RW2 @param {string} path @returns {string[]} "line: what is wrong" */
export function retiredNames(path, source = readFileSync(path, 'utf8')) {
  const problems = [];
  const seen = new Set();
  const look = (name, line) => {
    for (const word of wordsOf(name)) {
      const instead = kInstead.get(word);
      if (instead === undefined || seen.has(name) || kAliases.has(name)) continue;
      seen.add(name);
      problems.push(`${line}: the name ${name} has the retired word "${word}": ${instead}`);
    }
  };
  look(basename(path), 1);
  for (const { name, line } of namesIn(path, source)) look(name, line);
  return problems;
}

/** buryOldStories, hg_old_stories and old-stories are the same words. */
const wordsOf = (name) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

function namesIn(path, source) {
  if (kScripts.has(extname(path)))
    return tokensOf(source)
      .filter(({ type }) => type.label === 'name' || type.label === '#name')
      .map(({ value, loc }) => ({ name: String(value), line: loc.start.line }));
  const bare = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, (text) =>
    text.replaceAll(/[^\n]/g, ' '),
  );
  const name = extname(path) === '.css' ? /[A-Za-z][\w-]*/g : /[A-Za-z_]\w*/g;
  return [...bare.matchAll(name)].map((found) => ({
    name: found[0],
    line: bare.slice(0, found.index).split('\n').length,
  }));
}

function tokensOf(source) {
  const { tokens } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript'],
    tokens: true,
    errorRecovery: true,
  });
  return tokens.filter(({ type }) => typeof type === 'object');
}
