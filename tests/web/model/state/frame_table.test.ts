// Frames: which have a place in the arrays, which are noted as changed since the last keyframe, and how a search steps over empty ones.

import { expect, test } from 'vitest';
import { kInUse } from '../../../../web/src/model/state/chunk_table.ts';
import { kFrameBytes } from '../../../../web/src/model/state/frame_table.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';

const kPage = 4096;
const kLargePage = 65_536;
const kFar = 0x18_0000;

/** Chunks that begin at these addresses, in this order. */
function tableOf(...starts: readonly number[]): HeapState {
  const state = new HeapState();
  state.reserve(kFar + kLargePage);
  for (const at of starts) state.addStart(at, 32, kInUse, 1);
  return state;
}
/** The begin of each frame that is visited. */
function begins(state: HeapState, visitAll: (visit: (frame: number) => void) => void): number[] {
  const found: number[] = [];
  visitAll((frame) => found.push(state.granuleBase(frame * state.frameStep)));
  return found;
}
const changed = (state: HeapState) => begins(state, (visit) => state.forEachChangedFrame(visit));

test('the frames in which something begins are visited by address, however they came', () => {
  const state = tableOf(kFar + 4, 0x1_0004, 0x1_1004, 0x1_1024, 0x1_0104);
  expect(begins(state, (visit) => state.forEachFrame(visit))).toEqual([0x1_0000, 0x1_0100, 0x1_1000, kFar]);
  expect(state.frameCount).toBe(1 + 4); // that of all that is empty, too
  state.clearChunks();
  expect(begins(state, (visit) => state.forEachFrame(visit))).toEqual([]);
  expect([state.frameCount, state.frameIsEmpty(kFar), state.granuleAt(kFar + 4)]).toEqual([1, true, 0]);
});

test('the changed frames are those whose chunks or nodes changed since the last keyframe, and no others of their page', () => {
  const state = tableOf(0x1_0004, 0x1_0104, 0x1_0204, 0x1_1004, kFar + 4);
  expect(changed(state)).toEqual([0x1_0000, 0x1_0100, 0x1_0200, 0x1_1000, kFar]);
  state.forgetChanges();
  expect(changed(state)).toEqual([]);
  state.granuleOf(0x1_0104);
  expect(changed(state)).toEqual([0x1_0100]);
  state.forgetChanges();
  state.setNode(0x1_0214, true);
  expect(changed(state)).toEqual([0x1_0200]);
  state.granuleOf(kFar + 4);
  expect(changed(state)).toEqual([0x1_0200, kFar]);
  state.forgetChanges();
  state.setNode(kFar + 0x304, true); // where nothing was
  expect(changed(state)).toEqual([kFar + 0x300]);
});

test('in a changed frame the granules that changed are noted, and no others', () => {
  const state = tableOf(0x1_0004, 0x1_0044, 0x1_00f4);
  const frame = state.granuleAt(0x1_0000) / state.frameStep;
  expect(state.changed[frame]).toBe((1 << 0) | (1 << 4) | (1 << 15));
  state.forgetChanges();
  expect([state.changed[frame], state.changedNodes[frame]]).toEqual([0, 0]);
  state.removeStart(state.granuleAt(0x1_0044));
  expect([state.changed[frame], state.changedNodes[frame]]).toEqual([1 << 4, 0]);
  state.setNode(0x1_0080, true);
  expect([state.changed[frame], state.changedNodes[frame]]).toEqual([1 << 4, 1]);
});

test('a search goes over an empty frame, and over 64 KiB without any at once', () => {
  const state = tableOf(0x1_1004, kFar + 4);
  expect([state.frameIsEmpty(0x1_1000), state.frameIsEmpty(0x1_10ff), state.frameIsEmpty(0x1_1100)]).toEqual([
    false,
    false,
    true,
  ]);
  expect(state.afterEmptyFrame(0x1_1100)).toBe(0x1_1200);
  expect(state.afterEmptyFrame(0x1_11ff)).toBe(0x1_1200);
  expect(state.afterEmptyFrame(0x2_0000)).toBe(0x3_0000);
  expect(state.afterEmptyFrame(0x2_5678)).toBe(0x3_0000);
  expect(state.afterEmptyFrame(0xffff_ff00), 'behind all that is reserved').toBe(2 ** 32);
});

test('the begins of chunks are counted by page of 4 KiB, of 64 KiB and of 16 MiB', () => {
  const state = tableOf(0x1_0004, 0x1_0024, 0x1_1004, kFar + 4);
  const counts = () => [
    [0x1_0000, 0x1_1000, kFar].map((at) => state.pageStarts[at / kPage]),
    [0x1_0000, kFar].map((at) => state.largePageStarts[at / kLargePage]),
    state.hugePageStarts[0],
  ];
  expect(counts()).toEqual([[2, 1, 1], [3, 1], 4]);
  state.removeStart(state.granuleAt(0x1_0024));
  expect(counts()).toEqual([[1, 1, 1], [2, 1], 3]);
});

test('an address lies in the granule of 16 bytes around it, and a word of nodes is about 128 bytes', () => {
  const state = tableOf(0x1_0004, 0x1_0104);
  for (const at of [0x1_0004, 0x1_0104, 0x1_01f8]) {
    expect(state.granuleBase(state.granuleAt(at))).toBe(at - (at % 16));
    expect(state.granuleAt(at - (at % 16) + 15)).toBe(state.granuleAt(at));
  }
  const words = Array.from({ length: state.nodeWordCount }, (_, index) => state.nodeWordBase(index));
  expect(words).toEqual([0, 128, 0x1_0000, 0x1_0080, 0x1_0100, 0x1_0180]);
  expect(state.wordCount).toBe(3 * state.frameStep);
});

test('what is reserved grows by half at least, and keeps what is there', () => {
  const state = new HeapState();
  state.reserve(1);
  expect(state.frames).toHaveLength(kLargePage / kFrameBytes);
  state.reserve(10 * kLargePage);
  state.addStart(0x1_0004, 32, kInUse, 7);
  state.reserve(10 * kLargePage + 1);
  expect(state.frames).toHaveLength((15 * kLargePage) / kFrameBytes);
  for (const pages of [state.pageStarts, state.dirtyPages, state.changedPages]) expect(pages).toHaveLength(15 * 16);
  state.reserve(40 * kLargePage);
  expect(state.frames).toHaveLength((40 * kLargePage) / kFrameBytes);
  expect([state.sizeOf(state.granuleOf(0x1_0004)), changed(state)]).toEqual([32, [0x1_0000]]);
  expect(() => state.addStart(40 * kLargePage + 4, 32, kInUse, 1)).toThrow(/impossible/);
});

test('however many frames there are, each keeps its chunk', () => {
  const starts = Array.from({ length: 100 }, (_, nth) => 0x1_0004 + ((nth * 37) % 100) * kFrameBytes);
  const state = tableOf(...starts);
  expect(starts.map((at) => state.addressOf(state.granuleOf(at)))).toEqual(starts);
  expect(changed(state)).toHaveLength(100);
});
