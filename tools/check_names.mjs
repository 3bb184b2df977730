// Documents name files, folders, npm scripts and commands. This finds names that lead nowhere.
//
//   N1  A path in backticks that begins with a folder of the project exists; a * stands for any part of a name.
//   N2  The target of a relative link exists, and so does its heading where the link names one.
//   N3  Each `npm run x` is a script of package.json, and each script of package.json except kInner is named in a document.
//   N4  A file that is named without its folder, as in `history.ts`, exists somewhere in the project.
//   N5  The paths in a command, as in `npx vitest run tests/web`, exist.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const kFolders = /^(?:core|docs|package|programs|tests|tools|web)\//;
const kOurs = /^[a-z][a-z0-9_]*_[a-z0-9_]+\.(?:ts|mjs|hpp|cpp|h)$/; // two words: names of other projects' files are rarely so
const kGenerated = /^(?:build|dist|node_modules)\//;

/** What the project holds: files as git lists them, and every folder of one. */
export function projectNames() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  const folders = new Set();
  for (const file of files) for (let at = dirname(file); at !== '.'; at = dirname(at)) folders.add(at);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { files, folders, scripts: Object.keys(scripts) };
}

/** The project's documents, but those of programs and tests. */
/** @param {string[]} files @returns {string[]} */
export const documentFiles = (files) => files.filter((path) => /^(?:README|(?:docs|package|core)\/.*)\.md$/.test(path));

/** @returns {string[]} what is wrong in one document, "line: sentence" */
export function namesOf(
  path,
  text,
  { files, folders, scripts },
  textOf = (file) => readFileSync(join(root, file), 'utf8'),
) {
  const problems = [];
  const known = new Set(files);
  const names = new Set(files.map((file) => basename(file)));
  let fenced = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    const say = (problem) => problems.push(`${path}:${at + 1}: ${problem}`);
    for (const [, script] of line.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)) {
      if (!scripts.includes(script)) say(`package.json has no script "${script}"`);
    }
    if (fenced) continue;
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) {
      const word = code.replace(/[/]$/, '');
      if (kFolders.test(code) && /^[\w./*@-]+$/.test(code)) {
        if (!matches(word, known, folders)) say(`there is no ${code}`);
      } else if (kOurs.test(code) && !names.has(code)) say(`no file is called ${code}`);
      if (!/^(?:npx vitest run|node) /.test(code)) continue;
      for (const argument of code.split(' ').filter((one) => kFolders.test(one))) {
        if (!matches(argument, known, folders)) say(`there is no ${argument} for ${code}`);
      }
    }
    for (const [, target] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file, heading] = target.split('#');
      const place = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '');
      if (!known.has(place) && !folders.has(place) && !kGenerated.test(place))
        say(`the link to ${target} leads nowhere`);
      else if (heading !== undefined && place.endsWith('.md')) {
        const own = place === path ? text : textOf(place);
        if (!anchorsOf(own).has(heading)) say(`${place} has no heading #${heading}`);
      }
    }
  }
  return problems;
}

function matches(pattern, files, folders) {
  if (!pattern.includes('*')) return files.has(pattern) || folders.has(pattern);
  const expression = new RegExp(`^${pattern.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')}$`);
  return [...files, ...folders].some((path) => expression.test(path));
}

/** The anchors that a document's headings get: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, title] of text.matchAll(/^#+ (.*)$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    anchors.add(
      plain
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    );
  }
  return anchors;
}
