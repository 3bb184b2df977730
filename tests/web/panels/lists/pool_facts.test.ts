import { describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { blockName, blockNames, kNoNames, nameOfBlock, poolTitle } from '../../../../web/src/map/pool_names.ts';
import type { PoolRow } from '../../../../web/src/panels/lists/part.ts';
import { poolFacts, poolNote, tileName } from '../../../../web/src/panels/lists/pool_facts.ts';

const pool = (shape: PoolRow['shape'], given: Partial<PoolRow> = {}): PoolRow => ({
  pool: 3,
  heap: 1,
  address: addr(0x30000),
  shape,
  nodeSize: bytes(128),
  nodesPerBlock: 511,
  subBlockBytes: bytes(0),
  subBlocks: 0,
  maxFreeBlocks: 2,
  blocks: 2,
  nodesInUse: 700,
  nodesFree: 322,
  ...given,
});
const plain = (text: string): string => text.replace(/\u202f/g, ' ');
const named = (row: PoolRow): Record<string, string> =>
  Object.fromEntries(poolFacts(row).map(({ name, text }) => [name, plain(text)]));

describe('what is told of a pool', () => {
  test('a size class has spans and blocks, and keeps nothing by a limit of its own', () => {
    expect(named(pool('size_class'))).toEqual({
      'blocks in use': '700',
      'blocks free': '322',
      spans: '2',
      'blocks in each': '511',
    });
  });

  test('an adaptive pool tells how many free blocks it keeps, and its sub-blocks', () => {
    const facts = named(pool('adaptive', { subBlocks: 4, subBlockBytes: bytes(1024) }));
    expect(facts['free blocks kept']).toBe('at most 2');
    expect(facts['sub-blocks in each']).toBe('4 × 1 KiB');
  });

  test("a lock-free pool has entries, a manager arenas, a memory pool's list nodes", () => {
    expect(Object.keys(named(pool('lock_free')))).toContain('entries in use');
    expect(Object.keys(named(pool('fixed_block')))).toContain('arenas');
    expect(Object.keys(named(pool('fixed_size')))).toContain('nodes in use');
  });

  test('its heading names the kind and the size', () => {
    expect(plain(poolTitle(pool('size_class')))).toBe('Size class · 128 B');
    expect(plain(poolTitle(pool('lock_free')))).toBe('Lock-free pool · 128 B');
  });

  test('a tile is named in the words of its kind', () => {
    expect(tileName(pool('size_class'), '0x0004_0000', 12)).toBe('span 0x0004_0000, 12 of 511 blocks free');
  });

  test('the note says that there is nothing, or how much is not shown', () => {
    expect(poolNote(pool('size_class', { blocks: 0 }), 0)).toBe('It holds no span.');
    expect(poolNote(pool('segregated'), 36)).toMatch(/ 36 more are not shown\.$/);
    expect(poolNote(pool('segregated'), 0)).not.toContain('more are');
  });
});

describe('a block on the map', () => {
  test('is called by its kind', () => {
    expect(blockName(pool('size_class'))).toBe('span of class 128');
    expect(blockName(pool('fixed_block'))).toBe('manager #3');
    expect(blockName(pool('adaptive'))).toBe('pool #3');
  });

  test('of a pool that the frame does not tell has its number', () => {
    expect(nameOfBlock(blockNames([pool('size_class')]), 3)).toBe('span of class 128');
    expect(nameOfBlock(kNoNames, 3)).toBe('pool #3');
  });
});
