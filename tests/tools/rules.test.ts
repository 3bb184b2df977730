// Numbered rules: every id that is cited is defined, those with a prefix once; and a proof that the check can fail.

import { expect, test } from 'vitest';
import { problemsOf, projectFiles } from '../../tools/check_rules.mjs';

const file = (path: string, text: string) => ({ path, text });
// Put together here, so that this file cites nothing.
const [list, rule] = ['list', 'L'];
const defined = file(
  'core/src/list.hpp',
  `//  ${list}.${rule}1  A slot is in one list.\n//  ${list}.${rule}2  It stays there.\n`,
);

test('the project cites no rule that nobody defines', () => {
  const files = projectFiles();
  expect(problemsOf(files)).toEqual([]);
  const definitions = files.flatMap(({ text }) => text.match(/^\/\/ {2}[a-z_]+\.[A-Z]\d+ {2}/gm) ?? []);
  expect(definitions.length).toBeGreaterThan(150);
});

test.each([
  ['core/src/a.cpp', `// as ${list}.${rule}3 says`, `no rule ${list}.${rule}3 is defined`],
  ['docs/a.md', `see ${list}.${rule}1 to ${rule}4`, `no rule ${list}.${rule}3 is defined`],
  ['core/src/a.cpp', `  return "${list}.${rule}7 it does not end";`, `no rule ${list}.${rule}7 is defined`],
  [
    'core/src/a.cpp',
    `//  ${list}.${rule}1  The same once more.`,
    `${list}.${rule}1 is defined at core/src/list.hpp:1 too`,
  ],
  ['core/src/a.cpp', `//  ${rule}1  No prefix.`, `the rule ${rule}1 has no prefix`],
  ['web/src/a.ts', `// (list.hpp, ${rule}9)`, `list.hpp defines no rule ${rule}9`],
  ['web/src/a.ts', `// ${rule}2 of gone.ts`, `gone.ts defines no rule ${rule}2`],
])('in %s "%s" is found', (path, text, problem) => {
  expect(problemsOf([defined, file(path, text)]).join('\n')).toContain(problem);
});

test.each([
  ['docs/a.md', `see ${list}.${rule}1 to ${rule}2`],
  ['web/src/a.ts', `// (list.hpp, ${rule}1)\n//  ${rule}1  Of this file.\nclient.${rule}1;`],
])('in %s all is well', (path, text) => {
  expect(problemsOf([defined, file(path, text)])).toEqual([]);
});
