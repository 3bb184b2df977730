// Where blocks of slabs lie, by KiB: from the begin of a slab to its last block, until it ends.

import { expect, test } from 'vitest';
import { SlabPlaces } from '../../../web/src/report/slab_places.ts';

const kChunk = 0x2000 - 4; // a word before a multiple of 1 KiB

test('a slab has every KiB that one of its blocks lies in, and no other', () => {
  const places = new SlabPlaces();
  places.note(kChunk, 64, 63, 4, true); // 16 + 4032 bytes
  expect([0x1fff, 0x2000, 0x2400, 0x2800, 0x2c00, 0x2fff, 0x3000].map((block) => places.has(block))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
  places.note(kChunk, 64, 63, 4, false);
  expect([0x2000, 0x2fff].map((block) => places.has(block))).toEqual([false, false]);
});

test('the words of its own count: a slab of as many blocks begins one KiB more with longer words', () => {
  const reach = (wordSize: 4 | 8) => {
    const places = new SlabPlaces();
    places.note(0x2000 - wordSize, 16, 63, wordSize, true); // 1008 bytes of blocks
    return [places.has(0x2000), places.has(0x2400)];
  };
  expect([reach(4), reach(8)]).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('a slab that cannot be is passed over, and a block alone says where it lies', () => {
  const places = new SlabPlaces();
  for (const [bytes, count] of [
    [16, 0],
    [12, 4],
    [20, 4],
    [8192, 4],
  ] as const)
    places.note(kChunk, bytes, count, 4, true);
  expect(places.has(0x2000)).toBe(false);
  places.noteBlock(0x2440);
  expect([places.has(0x2400), places.has(0x27ff), places.has(0x2800)]).toEqual([true, true, false]);
});

test('a copy goes its own way', () => {
  const places = new SlabPlaces();
  places.noteBlock(0x2000);
  const copy = places.copy();
  places.clear();
  copy.noteBlock(0x4000);
  expect([places.has(0x2000), copy.has(0x2000), places.has(0x4000), copy.has(0x4000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
