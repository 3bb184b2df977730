import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import type { PinningBlock, PinsPart, Release } from '../../../../web/src/panels/pins/part.ts';
import { sentenceOf, sidesText, whoseText } from '../../../../web/src/panels/pins/pins.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';

const release = (blocks: number, before: number): Release => ({
  blocks,
  before,
  after: blocks - before,
  joined: bytes(6144),
});

test('says on which sides the freed blocks lie', () => {
  expect([release(1, 1), release(2, 0), release(3, 1)].map(sidesText)).toEqual([
    '1 before',
    '2 after',
    '1 before, 2 after',
  ]);
});

test('says which hole it is, and what freeing one block makes of it', () => {
  const shown: PinsPart = {
    hole: { address: addr(0x1000), size: bytes(2048) },
    selected: true,
    top: bytes(1024),
    pins: [],
    releases: [release(1, 0)],
  };
  expect(sentenceOf(shown)).toMatch(/^The hole at the selection\. Freeing one block would make 2.KiB into 6.KiB\.$/u);
  expect(sentenceOf({ ...shown, selected: false, releases: [] })).toMatch(/largest hole.*No block lies beside it\.$/);
  expect(sentenceOf({ ...shown, selected: false })).not.toContain('top');
  const besideTop = { ...shown, selected: false, top: bytes(4096) };
  expect(sentenceOf(besideTop)).toMatch(
    /^The largest hole between blocks; top, 4.KiB, is free too and nothing pins it\./u,
  );
});

test('says whose a block is: its own function, a pool where none is known, malloc of one that is free, nobody of the rest', () => {
  const block: PinningBlock = {
    side: 'before',
    nth: 1,
    address: addr(0x800),
    size: bytes(64),
    state: ChunkState.inUse,
    age: 3,
    joined: bytes(2112),
    own: 'parse@json.c:88',
    stack: [],
  };
  const whose = (of: Partial<PinningBlock>) => whoseText({ ...block, ...of });
  expect(whose({})).toBe('parse json.c:88');
  expect(whose({ own: '' })).toBe('');
  expect(whose({ state: ChunkState.poolBlock })).toBe('parse json.c:88');
  expect(whose({ state: ChunkState.poolBlock, own: '' })).toBe('of a pool');
  expect(whose({ state: ChunkState.cached })).toBe('freed, cached by malloc');
  const slab = { blocks: 63, blockBytes: bytes(64), free: 2 };
  expect(whose({ state: ChunkState.cached, slab })).toBe('a slab of 63 blocks of 64\u202fB, 2 of them free');
});
