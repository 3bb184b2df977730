import { expect, test } from 'vitest';
import { kSlabLists, kSlabWords } from '../../../web/src/protocol/event_layout.ts';
import { isSlabList } from '../../../web/src/protocol/slab_lists.ts';

test('lists of slabs lie between those of chunks and what slabs have for themselves', () => {
  const lists = [0, kSlabLists - 1, kSlabLists, kSlabWords - 1, kSlabWords, kSlabWords + 1];
  expect(lists.map(isSlabList)).toEqual([false, false, true, true, false, false]);
});
