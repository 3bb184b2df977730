import { expect, test } from 'vitest';
import { bytes } from '../../../../web/src/base/brand.ts';
import type { PoolRow } from '../../../../web/src/panels/lists/part.ts';
import { livePool } from '../../../../web/src/panels/lists/query.ts';

const rows = (...pools: number[]) => pools.map((pool) => ({ pool, nodeSize: bytes(24) }) as PoolRow);

test('the pool whose blocks are shown is the chosen one while it lives, else the first', () => {
  expect(livePool(3, rows(1, 3))).toBe(3);
  expect(livePool(3, rows(1, 2))).toBe(1);
  expect(livePool(undefined, rows(5))).toBe(5);
});

test('where no pool lives none is shown', () => {
  expect(livePool(3, rows())).toBeUndefined();
  expect(livePool(undefined, rows())).toBeUndefined();
});
