// What dropped events have left, record by record: in which order blocks are told again, and as what.

import { expect, test } from 'vitest';
import { LeftBlocks } from '../../../web/src/instrument/left_blocks.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
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

test('a block that was reallocated or zeroed is told as one that was allocated so', () => {
  const left = new LeftBlocks();
  left.take(Uint32Array.from([...given(Op.reallocate, 0x100, 16), ...given(Op.allocateZeroed, 0x200, 32)]));
  expect(toldBy(left)).toEqual([
    [0x100, 16, Op.allocate], // nothing was there before
    [0x200, 32, Op.allocateZeroed],
  ]);
});
