// Blocks by address: each has a slot of its own while it lives, and what stood in the columns stays with it.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { LiveBlocks } from '../../../web/src/report/live_blocks.ts';

test.each([1, 2])('of random blocks that come, go and move each has what was written for it (seed %i)', (seed) => {
  const { below } = createRandom(seed);
  const blocks = new LiveBlocks();
  const live = new Map<number, number>(); // address to what was written
  for (let step = 1; step < 6000; ++step) {
    const kind = below(10);
    const some = [...live.keys()][below(live.size)] ?? 0;
    const address = 16 * below(5000);
    if (kind < 7 && !live.has(address)) {
      const slot = blocks.add(address); // it may make the columns anew
      blocks.request[slot] = step;
      live.set(address, step);
    } else if (kind < 9) {
      blocks.remove(some);
      live.delete(some);
    } else {
      blocks.move(some, address);
      const written = live.get(some);
      if (written !== undefined && some !== address) {
        live.delete(some);
        live.set(address, written);
      }
    }
    expect(blocks.count).toBe(live.size);
  }
  expect(live.size).toBeGreaterThan(1024); // more than it has slots at first
  const found = [...blocks.entries()].map(([address, slot]) => [address, blocks.request[slot]]);
  expect(found.toSorted(([one = 0], [other = 0]) => one - other)).toEqual(
    [...live].toSorted(([one], [other]) => one - other),
  );
  expect(new Set([...blocks.entries()].map(([, slot]) => slot)).size).toBe(live.size);
  for (const [address, written] of live) expect(blocks.request[blocks.at(address) ?? -1]).toBe(written);
});

test('a slot that was freed serves the next block, and all of them do after a clearing', () => {
  const blocks = new LiveBlocks();
  const slots = [16, 32, 48].map((address) => blocks.add(address));
  blocks.remove(32);
  expect([blocks.at(32), blocks.add(64)]).toEqual([undefined, slots[1]]);
  blocks.remove(999); // of no block
  blocks.remove(48);
  blocks.clear();
  const again = [16, 32, 48, 64].map((address) => blocks.add(address));
  expect(again).toEqual([0, 1, 2, 3]);
  blocks.clear();
  expect([blocks.count, blocks.at(16)]).toEqual([0, undefined]);
});

test('a block that moves to where another is takes its place, and one that stays is as it was', () => {
  const blocks = new LiveBlocks();
  blocks.request[blocks.add(16)] = 10;
  blocks.request[blocks.add(32)] = 20;
  blocks.move(16, 16);
  expect(blocks.count).toBe(2);
  const freed = blocks.at(32);
  blocks.move(16, 32);
  expect([blocks.count, blocks.at(16), blocks.request[blocks.at(32) ?? -1]]).toEqual([1, undefined, 10]);
  blocks.move(999, 32);
  expect([blocks.count, blocks.add(48)]).toEqual([1, freed]);
});

test('all that is written of a block stays when there are more slots', () => {
  const blocks = new LiveBlocks();
  const columns = ['request', 'chunkBytes', 'bornEvent', 'bornAllocation', 'bornBytes', 'site', 'found'] as const;
  const slot = blocks.add(16);
  for (const [nth, column] of columns.entries()) blocks[column][slot] = nth + 1;
  for (let nth = 0; nth < 1500; ++nth) blocks.add(32 + nth * 16);
  expect(columns.map((column) => blocks[column][slot])).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(columns.map((column) => blocks[column].length)).toEqual(columns.map(() => 2048));
});
