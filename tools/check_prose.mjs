// npm run check:prose: spelling and plain English in the documents, comments and messages.
//
//   npm run check:prose                          spelling everywhere, plain English in documents and public comments
//   npm run check:prose -- docs/attach.md        plain English in these documents only
//   npm run check:prose -- --table               words, sentence length and readability grade of each document
//   npm run check:prose -- --table --before REF  the same beside the documents as they were at a commit; REF may be "first": the
//                                                commit that added each document
//   npm run check:prose -- --retired             names with a retired word (P6), counted by folder
//
//   P1  Every word is in a dictionary of cspell or in tools/prose/words.txt.
//   P2  A sentence has at most kMostWords words. Code in backticks counts as one word.
//   P3  No wording of tools/prose/phrases.mjs, which also lists terms that the glossary replaces.
//   P4  No word stands twice in a row; "a" and "an" fit the next word.
//   P5  An allowance is written in the document, with its reason: <!-- prose: long sentence: the reason -->
//       It holds for the block that follows.
//   P6  No retired word: in documents, in the texts of command line and site, in names of the cleaned folders (prose/retired.mjs).

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { blocksOf, sentencesOf } from './prose/blocks.mjs';
import { commentsOf } from './prose/comments.mjs';
import { kAvoided, kTerms } from './prose/phrases.mjs';
import { measures } from './prose/readability.mjs';
import { kCleanFolders, kCode, kTexts, retiredIn, retiredNames, textsOf } from './prose/retired.mjs';
import { wordProblems } from './prose/words.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
export const kMostWords = 40;
const kDocuments = [
  'README.md',
  'SECURITY.md',
  'package/README.md',
  'core/README.md',
  'docs/*.md',
  'docs/decisions/*.md',
  'site/learn.md',
];
/** Sources whose comments are read, for wordings only. */
const kRead = ['core/include/heapglass/*.h', 'core/include/heapglass/*.hpp', 'core/src/*.hpp', 'core/src/*.cpp'];

const filesOf = (patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

/** @param {string} text of a document @returns {string[]} "line: what is wrong" */
export async function problemsOfDocument(text) {
  const problems = [];
  for (const block of blocksOf(text)) problems.push(...(await problemsOfBlock(block)));
  return problems;
}

/** @param {string} text of a source: only its comments are read; rules are checked, sentence length is not */
export async function problemsOfComments(text) {
  const problems = [];
  for (const block of commentsOf(text)) problems.push(...wordings(block));
  return problems;
}

async function problemsOfBlock(block) {
  const problems = [...wordings(block), ...retiredIn(block.text).map((message) => `${block.line}: ${message}`)];
  for (const message of await wordProblems(block.text)) problems.push(`${block.line}: ${message}`);
  if (block.allowed) return problems;
  for (const { words, text } of sentencesOf(block.text)) {
    if (words > kMostWords) problems.push(`${block.line}: ${words} words in one sentence: "${text.slice(0, 70)}..."`);
  }
  return problems;
}

function wordings({ line, text }) {
  return [...kAvoided, ...kTerms].flatMap(([pattern, instead]) => {
    const found = new RegExp(pattern, 'iu').exec(text);
    return found === null ? [] : [`${line}: "${found[0]}": ${instead}`];
  });
}

/** P6, in sources. */
function retiredProblems() {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const texts = filesOf(kTexts).flatMap((path) =>
    textsOf(path, read(path)).flatMap(({ line, text }) =>
      retiredIn(text).map((message) => `${path}:${line}: ${message}`),
    ),
  );
  const names = codeIn(kCleanFolders).flatMap((path) => namesIn(path));
  return [...texts, ...names];
}

const codeIn = (folders) => filesOf(folders).filter((path) => kCode.has(extname(path)));
const namesIn = (path) => retiredNames(join(root, path)).map((problem) => `${path}:${problem}`);

function countRetired() {
  const counts = new Map();
  for (const path of codeIn(['core', 'package', 'programs', 'site', 'tests', 'tools', 'web'])) {
    const folder = dirname(path).split('/').slice(0, 3).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + namesIn(path).length);
  }
  for (const [folder, count] of [...counts].sort()) {
    const isClean = kCleanFolders.some((clean) => folder === clean || folder.startsWith(clean.concat('/')));
    console.log(`${isClean ? 'clean' : count} ${folder}`);
  }
}

/** Files that are as they were, and whose dictionaries are, are not read again. */
const kCache = ['--cache', '--cache-strategy', 'content', '--cache-location', join(root, 'build/cspell')];

function spelling() {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/cspell/bin.mjs'), 'lint', '--no-progress', '--no-summary', '--no-color', ...kCache],
    { cwd: root, encoding: 'utf8' },
  );
  if (error !== undefined) throw error;
  const lines = stdout.split('\n').filter(Boolean);
  return status !== 0 && lines.length === 0 ? [`cspell did not run: ${stderr.trim()}`] : lines;
}

const addedBy = (path) =>
  execFileSync('git', ['log', '--diff-filter=A', '--format=%H', '--', path], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);

async function table(files, before) {
  const head = ['document', 'words', 'words a sentence', 'longest', 'Flesch-Kincaid grade', 'ARI grade'];
  const at = (path, ref) => {
    if (ref === undefined) return readFileSync(join(root, path), 'utf8');
    const { status, stdout } = spawnSync('git', ['show', `${ref}:${path}`], { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout : undefined;
  };
  console.log(
    `| ${head.join(' | ')} |\n| --- | ${head
      .slice(1)
      .map(() => '---:')
      .join(' | ')} |`,
  );
  for (const path of files) {
    const now = measures(at(path, undefined));
    const old = before === undefined ? undefined : at(path, before === 'first' ? addedBy(path) : before);
    const was = old === undefined ? undefined : measures(old);
    const cells = now.map((value, index) => (was === undefined ? `${value}` : `${was[index]} → ${value}`));
    console.log(`| ${[path, ...cells].join(' | ')} |`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      table: { type: 'boolean', default: false },
      before: { type: 'string' },
      retired: { type: 'boolean', default: false },
    },
  });
  const documents = positionals.length > 0 ? positionals : filesOf(kDocuments);
  if (values.table) {
    await table(documents, values.before);
  } else if (values.retired) {
    countRetired();
  } else {
    const problems = positionals.length > 0 ? [] : [...spelling(), ...retiredProblems()];
    for (const path of documents) {
      const found = await problemsOfDocument(readFileSync(join(root, path), 'utf8'));
      problems.push(...found.map((problem) => `${path}:${problem}`));
    }
    for (const path of positionals.length > 0 ? [] : filesOf(kRead)) {
      const found = await problemsOfComments(readFileSync(join(root, path), 'utf8'));
      problems.push(...found.map((problem) => `${path}:${problem}`));
    }
    for (const problem of problems) console.log(problem);
    console.log(`prose: ${problems.length} problems in ${documents.length} documents`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
