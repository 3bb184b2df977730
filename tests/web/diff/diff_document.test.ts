// The document of a comparison: what is in it where nothing changed.

import { expect, test } from 'vitest';
import { makeDiff } from '../../../web/src/diff/diff.ts';
import { diffDocument } from '../../../web/src/diff/diff_document.ts';
import type { Run } from '../../../web/src/diff/diff_types.ts';

const run = (blocks: number): Run => ({
  ...{ name: 'a run', events: 100 },
  sites: [
    {
      stack: ['f', 'main'],
      figures: {
        ...{ allocations: blocks, allocated_bytes: 16 * blocks, live_blocks: 0, live_bytes: 0 },
        ...{ peak_bytes: 16, temporaries: 0 },
      },
    },
  ],
});
const wholeProgram = (a: Run, b: Run) =>
  diffDocument(makeDiff({ a: [a], b: [b] })).sections.find(({ title }) => title === 'The whole program');

test('the whole program is compared where some total of it changed, and else there is no comparison of nothing', () => {
  expect(wholeProgram(run(5), run(5))).toMatchObject({ blocks: [] });
  expect(wholeProgram(run(5), run(9))?.blocks).toMatchObject([
    { is: 'comparison', changes: expect.arrayContaining([expect.objectContaining({ before: 5, after: 9 })]) },
  ]);
});
