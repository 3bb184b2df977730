// Heaps whose segments end anywhere: the strip beside the map shows them at every height that a window can have.

import { expect, test } from 'vitest';
import { bytes } from '../../../../web/src/base/brand.ts';
import { makeEngine, scenarioOf } from '../../engine/harness.ts';

const kSize = 596; // several chunks begin in the last KiB of a segment

test('the strip counts the same bytes at every height, where segments end inside of a cell', async () => {
  let blocks = 0;
  const scenario = scenarioOf('odd_ends', function* (operations) {
    for (const size of [70_008, 66_016, 70_504]) {
      operations.chooseHeap(operations.createFixedHeap(size));
      while (operations.operate({ op: 'allocate', size: bytes(kSize) }).ok) blocks++;
    }
    yield { chapter: undefined, done: 1 };
  });
  const { run, frame } = makeEngine({ scenarios: [scenario] });
  await run('odd_ends');
  expect(blocks).toBeGreaterThan(300);
  for (let rows = 20; rows < 400; rows += 7) {
    const { status, overview } = await frame({ overview: rows });
    expect(status.damage, `${rows} rows`).toBeUndefined();
    if (overview === undefined) throw new Error('there is no overview');
    const inUse = overview.cells.inUse.reduce((sum, share) => sum + (share / 255) * overview.cellBytes, 0);
    // Shares are of 255 steps, and what is there at all has one.
    expect(Math.abs(inUse - status.inUse), `${rows} rows`).toBeLessThan(rows * (overview.cellBytes / 255));
  }
});
