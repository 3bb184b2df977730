// The page reads the figures of the last full run out of the document that npm run experiments writes.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kExperimentGroups } from '../../../../web/src/panels/experiments/experiment_list.ts';
import { readRecorded } from '../../../../web/src/panels/experiments/recorded.ts';

const text = readFileSync(new URL('../../../../docs/experiments.md', import.meta.url), 'utf8');

test('of each experiment every table of the document, whole', () => {
  let lines = 0;
  for (const { id } of kExperimentGroups.flatMap((group) => group.experiments)) {
    const found = readRecorded(text, id);
    expect(found?.run, id).toMatch(/^20\d\d-\d\d-\d\d; .*rounds/);
    expect(found?.tables.length, id).toBeGreaterThan(0);
    for (const { title, head, rows } of found?.tables ?? []) {
      expect(rows.length, title).toBeGreaterThan(0);
      for (const row of rows) expect(row, title).toHaveLength(head.length);
      for (const line of [head, ...rows]) expect(text).toContain(`| ${line.join(' | ')} |`);
      lines += rows.length + 2;
    }
  }
  const [, ...sections] = text.split(/^## (?=[A-E]E\d\. )/m);
  expect(lines).toBe(sections.join('').match(/^\|.*\|$/gm)?.length);
});
