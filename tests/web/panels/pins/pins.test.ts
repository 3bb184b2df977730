import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import type { PinsPart, Release } from '../../../../web/src/panels/pins/part.ts';
import { sentenceOf, sidesText } from '../../../../web/src/panels/pins/pins.ts';

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
