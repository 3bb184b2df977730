// What the model's walk says of slabs: each block by itself, free or in use, as the walk of the real heap does.

import { expect, test } from 'vitest';
import { bytes } from '../../../../web/src/base/brand.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { WalkKind } from '../../../../web/src/protocol/event_layout.ts';
import { Drive } from '../drive.ts';

const kRequest = 40;
const kHeader = 4;

test('every block of a slab is in the walk once, free or in use, where malloc gave it out', async () => {
  const drive = await Drive.start(3);
  const size = bytes(kRequest);
  const { mems } = drive.calls.operate(0, { op: 'mallocAllocate', thread: undefined, size, count: 300 });
  const freed = mems.filter((_, nth) => nth % 3 === 0);
  for (const mem of freed) drive.calls.operate(0, { op: 'mallocFree', thread: undefined, mem });
  expect(drive.compare()).toBeUndefined(); // the walk of the real heap is the same
  const blocks = { inUse: new Set<number>(), free: new Set<number>() };
  let records = 0;
  const sizes = new Set<number>();
  for (const heap of drive.calls.heaps) {
    walkModel(drive.history.head, heap, (head, address, blockBytes) => {
      const kind = head & 0xff;
      if (kind !== WalkKind.slabBlockInUse && kind !== WalkKind.slabBlockFree) return;
      (kind === WalkKind.slabBlockInUse ? blocks.inUse : blocks.free).add(address + kHeader);
      records += 1;
      sizes.add(blockBytes);
    });
  }
  const isInSlab = (mem: number) => blocks.inUse.has(mem) || blocks.free.has(mem);
  const inSlabs = mems.filter(isInSlab); // the first ones are chunks of their own
  expect(inSlabs.length).toBeGreaterThan(200);
  for (const mem of inSlabs) expect(blocks.free.has(mem), `${mem}`).toBe(freed.includes(mem));
  expect(records).toBe(blocks.inUse.size + blocks.free.size);
  expect([...sizes]).toEqual([kRequest]);
});
