// What dropped events have left, record by record: in which order blocks are told again, and as what.

import { expect, test } from 'vitest';
import { LeftBlocks } from '../../../web/src/instrument/left_blocks.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { textRecords } from '../../../web/src/trace/texts.ts';
import { detailOf, headOf, kEventWords, kindOf } from '../../../web/src/trace/trace.ts';

/** A call that gives a block. */
const given = (op: number, address: number, size: number): number[] => [
  ...[headOf(EventKind.opBegun, 1, op), 0, size, 0],
  ...[headOf(EventKind.blockAllocated, 1), address, size, 0],
  ...[headOf(EventKind.opEnded, 1, op), address, size, 0],
];

/** Address, size and call of each block that is told again. */
function toldBy(left: LeftBlocks): number[][] {
  const records = left.restated(1);
  const told: number[][] = [];
  for (let at = 0; at < records.length; at += kEventWords) {
    const [head = 0, address = 0, size = 0] = records.subarray(at, at + 3);
    if (kindOf(head) === EventKind.blockAllocated) told.push([address, size, detailOf(records[at - kEventWords] ?? 0)]);
  }
  return told;
}

test('blocks are told again in the order of their births, the last one at each address', () => {
  const left = new LeftBlocks();
  left.take(Uint32Array.from([0x100, 0x200, 0x300].flatMap((address) => given(Op.allocate, address, 16))));
  left.take(Uint32Array.from(given(Op.allocate, 0x100, 24)));
  left.take(Uint32Array.of(headOf(EventKind.blockFreed, 1), 0x200, 0, 0));
  expect(toldBy(left)).toEqual([
    [0x300, 16, Op.allocate],
    [0x100, 24, Op.allocate],
  ]);
});

test('a free of an address inside a block ends that block, and only the last that begins before it', () => {
  const left = new LeftBlocks();
  const free = (address: number) => left.take(Uint32Array.of(headOf(EventKind.blockFreed, 1), address, 0, 0));
  const addresses = () => toldBy(left).map(([address]) => address);
  left.take(Uint32Array.from([0x200, 0x100, 0x300].flatMap((address) => given(Op.allocate, address, 132))));
  free(0x118);
  free(0x284); // behind the block
  expect(addresses()).toEqual([0x200, 0x300]);
  left.take(Uint32Array.from(given(Op.allocate, 0x240, 16)));
  free(0x300);
  free(0x300);
  const copy = left.copy();
  free(0x244);
  free(0x244);
  expect(addresses()).toEqual([]);
  copy.take(Uint32Array.of(headOf(EventKind.blockFreed, 1), 0x244, 0, 0));
  expect(toldBy(copy).map(([address]) => address)).toEqual([0x200]);
});

test('a block that was reallocated or zeroed is told as one that was allocated so', () => {
  const left = new LeftBlocks();
  left.take(Uint32Array.from([...given(Op.reallocate, 0x100, 16), ...given(Op.allocateZeroed, 0x200, 32)]));
  expect(toldBy(left)).toEqual([
    [0x100, 16, Op.allocate], // nothing was there before
    [0x200, 32, Op.allocateZeroed],
  ]);
});

test('memory is told as large as it was last, after each growth', () => {
  const left = new LeftBlocks();
  const told = () => {
    const records = left.restated(1);
    for (let at = 0; at < records.length; at += kEventWords)
      if (kindOf(records[at] ?? 0) === EventKind.segmentAdded) return [...records.subarray(at + 1, at + kEventWords)];
    return [];
  };
  expect(told()).toEqual([]); // no heap yet
  left.take(Uint32Array.of(headOf(EventKind.heapCreated, 1), 0, 8, 0));
  left.take(Uint32Array.of(headOf(EventKind.segmentAdded, 1), 0, 0x10000, 0));
  expect(told()).toEqual([0, 0x10000, 0]);
  for (const [before, after] of [
    [0x10000, 0x20000],
    [0x20000, 0x50000],
  ] as const) {
    left.take(Uint32Array.of(headOf(EventKind.segmentExtended, 1), 0, before, after));
    expect(told()).toEqual([0, after, 0]);
  }
});

test('records that end amid a call, or behind a text that the next event takes, go on to its end', () => {
  const text = [...textRecords('a name')];
  const define = [headOf(EventKind.stringDefined, 0), 1, 0, 0];
  const call = given(Op.allocate, 0x100, 16);
  for (const whole of [[...text, ...define], call, [headOf(EventKind.siteEntered, 0), 3, 0, 0, ...call]]) {
    for (let cut = kEventWords; cut < whole.length; cut += kEventWords) {
      const left = new LeftBlocks();
      left.take(Uint32Array.from(whole.slice(0, cut)));
      expect(left.isInside, `${whole} cut at ${cut}`).toBe(true);
      expect(left.takeToEnd(Uint32Array.from([...whole.slice(cut), ...call]))).toBe(whole.length - cut);
      expect(left.isInside).toBe(false);
    }
  }
});
