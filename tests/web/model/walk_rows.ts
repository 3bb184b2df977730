// A walk of one heap, record by record: what the real heap gives, without it. Read into a state, and walked again from that.

import { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { walkModel } from '../../../web/src/model/state/walk.ts';
import { readStateFromWalks } from '../../../web/src/model/state/walk_read.ts';
import { WalkKind } from '../../../web/src/protocol/event_layout.ts';

export const kBase = 0x10000;
export const kHeap = 1 << 8;
export const kPool = 5 << 16;
export const kBlock = kBase + 16;
export const kOther = kBlock + 512;
export type Row = readonly [head: number, address: number, size: number, extra: number];

/** Two blocks of pool 5 with three nodes each, a chunk in use, one in bin 6, top. */
export const kWalk: readonly Row[] = [
  [WalkKind.segment | kHeap, kBase, 65_536, kBase + 12],
  ...[kBlock, kOther].flatMap((block): Row[] => [
    [WalkKind.chunkInUse | kHeap, block - 4, 512, 512 | 7],
    [WalkKind.block | kHeap | kPool, block, 496, 0],
    [WalkKind.nodeInUse | kHeap | kPool, block + 16, 32, block],
    [WalkKind.nodeFree | kHeap | kPool, block + 48, 32, block],
    [WalkKind.nodeInUse | kHeap | kPool, block + 80, 32, block],
  ]),
  [WalkKind.chunkInUse | kHeap, kBase + 1036, 64, 64 | 3],
  [WalkKind.chunkFree | kHeap | (6 << 16), kBase + 1100, 64, 64 | 2],
  [WalkKind.chunkInUse | kHeap, kBase + 1164, 48, 48 | 1],
  [WalkKind.chunkTop | kHeap, kBase + 1212, 65_536 - 1212 - 4, 2],
];
export const kEntries: readonly Row[] = [[WalkKind.binEntry | kHeap | (6 << 16), kBase + 1100, 64, 0]];

export const read = (rows: readonly Row[]): HeapState => {
  const state = new HeapState();
  readStateFromWalks(state, 4, [{ id: 1, address: kBase, alignment: 8, stateBytes: 12 }], 0, (_, visit) =>
    visit(Uint32Array.from(rows.flat())),
  );
  return state;
};
/** Fields that follow from others, or that no other word contradicts: words of headers, where a node lies between its neighbours, what a
 *  block says of its size and of its free nodes. */
const kUnproved: Readonly<Record<number, readonly number[]>> = {
  [WalkKind.chunkInUse]: [3],
  [WalkKind.chunkFree]: [3],
  [WalkKind.chunkTop]: [3],
  [WalkKind.block]: [2, 3],
  [WalkKind.nodeInUse]: [1],
  [WalkKind.nodeFree]: [1],
};
export const isUnproved = (head: number, field: number): boolean => kUnproved[head & 0xff]?.includes(field) === true;
export const plain = (rows: readonly (readonly number[])[]) =>
  rows.map((row) => row.map((word, field) => (isUnproved(row[0] ?? 0, field) ? 0 : word)));
export const walked = (state: HeapState) => {
  const rows: number[][] = [];
  walkModel(state, 1, (...row) => rows.push(row));
  return plain(rows);
};
