// What documents say beside what is so: names of files, links and scripts, and the table of all experiments. A proof that the
// checks can fail stands at the end.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { documentFiles, namesOf, projectNames } from '../../tools/check_names.mjs';
import { summaryOf, withSummary } from '../../tools/experiments/summary.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const names = projectNames();
const documents = documentFiles(names.files);

test('every file, link and script that a document names exists', () => {
  expect(documents.length).toBeGreaterThan(35);
  expect(documents.flatMap((path) => namesOf(path, read(path), names))).toEqual([]);
});

/** Run by others (prepare by npm itself), or shown by the page: no document needs to name them. */
const kInner = new Set(['dev', 'setup', 'generate', 'format', 'build:wasm', 'build:package', 'prepare']);

test('every script of package.json stands in a document', () => {
  const all = documents.map(read).join('\n');
  const unnamed = names.scripts.filter(
    (script) => !kInner.has(script) && !new RegExp(`npm (?:run )?${script}(?![\\w:-])`).test(all),
  );
  expect(unnamed).toEqual([]);
});

test('the table of all experiments has the figures of the tables below it', () => {
  const document = read('docs/experiments.md');
  expect(withSummary(document)).toBe(document);
  expect([...summaryOf(document).matchAll(/^\| ([A-E]E\d) \|/gm)]).toHaveLength(13);
});

describe('the checks can fail', () => {
  const at = {
    files: ['docs/a.md', 'core/src/b.cpp', 'tests/x_y.test.ts'],
    folders: new Set(['core/src', 'docs']),
    scripts: ['bench'],
  };
  test.each([
    ['`core/src/gone.cpp`', 'there is no core/src/gone.cpp'],
    ['`core/src/c*.cpp`', 'there is no core/src/c*.cpp'],
    ['`gone_file.ts`', 'no file is called gone_file.ts'],
    ['[b](b.md)', 'leads nowhere'],
    ['# Title\n[b](#other)', 'has no heading #other'],
    ['`npm run gone`', 'no script "gone"'],
    ['`npx vitest run tests/gone docs`', 'there is no tests/gone'],
  ])('in "%s" a name leads nowhere', (text, problem) => {
    expect(namesOf('docs/a.md', text, at).join('\n')).toContain(problem);
  });

  test.each([
    ['`core/src/*.cpp`'],
    ['`core/src/`'],
    ['# One title\n[b](#one-title) `npm run bench`'],
    ['`x_y.test.ts`'],
  ])('in "%s" all names lead somewhere', (text) => expect(namesOf('docs/a.md', text, at)).toEqual([]));

  test('a changed figure changes the table of all experiments', () => {
    const document = read('docs/experiments.md');
    const changed = document.replace(/(\| V2 \| 10,000 \| )[\d.]+×/, '$19.99×');
    expect(changed).not.toBe(document);
    expect(summaryOf(changed)).not.toBe(summaryOf(document));
  });
});
