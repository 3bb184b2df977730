// Call sites in a report: a trace's own names may have any length, and those of a row do not.

import { expect, test } from 'vitest';
import { kMostLetters, kMostStackRows } from '../../../web/src/report/limits.ts';
import { noFigures } from '../../../web/src/report/site_facts.ts';
import { siteRows } from '../../../web/src/report/site_sums.ts';

const rowOf = (stack: readonly string[]) =>
  siteRows([{ stack, figures: { ...noFigures(), allocated_bytes: 8 } }], undefined).list[0];

test('of very long names and deep stacks a row has the beginning', () => {
  const [name, file] = ['n'.repeat(5000), 'f'.repeat(5000)];
  const frame = `${name}@${file}:12`;
  expect(rowOf(Array.from({ length: 100 }, () => frame))).toMatchObject({
    function: 'n'.repeat(kMostLetters),
    file: 'f'.repeat(kMostLetters),
    line: 12,
    stack: Array.from({ length: kMostStackRows }, () => 'n'.repeat(kMostLetters)),
  });
});

test('what is no longer than a row may have is there whole', () => {
  const [name, file] = ['n'.repeat(kMostLetters), 'f'.repeat(kMostLetters)];
  expect(rowOf([`${name}@${file}:12`, 'main'])).toMatchObject({
    function: name,
    file,
    line: 12,
    stack: [name, 'main'],
  });
});
