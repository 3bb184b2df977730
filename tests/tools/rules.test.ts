// Numbered rules: every id that is cited is defined, those with a prefix once; long files say why; and a proof that the checks can fail.

import { expect, test } from 'vitest';
import { longFilesOf, problemsOf, projectFiles } from '../../tools/check_rules.mjs';

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

test('every long file of the product says at its top why it is one', () => {
  expect(longFilesOf(projectFiles())).toEqual([]);
});

test('a long file that does not say why is found, a short one and one of the tests are not', () => {
  const lines = (count: number) => 'x();\n'.repeat(count);
  const found = longFilesOf([
    file('web/src/a.ts', lines(301)),
    file('web/src/b.ts', lines(300)),
    file('core/src/c.cpp', `// Over 300 lines: a table.\n${lines(301)}`),
    file('core/src/d.cpp', `${lines(301)}// Over 300 lines: too late.\n`),
    file('tests/e.ts', lines(400)),
  ]);
  expect(found.map((problem) => problem.split(' ')[0])).toEqual(['web/src/a.ts', 'core/src/d.cpp']);
});
