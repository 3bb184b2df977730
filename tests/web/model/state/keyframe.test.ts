// What a restored state has in its arrays: the frames in which a chunk begins or a node is in use, and no other.

import { expect, test } from 'vitest';
import { bytes } from '../../../../web/src/base/brand.ts';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { kFrameBits } from '../../../../web/src/model/state/frame_table.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { captureKeyframe, restoreKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { Shape } from '../../../../web/src/protocol/event_layout.ts';
import { Drive } from '../drive.ts';

test('a restored state has a place for what is there, nodes in use included, and for nothing else', async () => {
  const drive = await Drive.start(23);
  drive.run(300, 70);
  const options = { nodeSize: bytes(64), nodesPerBlock: 400, maxFreeBlocks: 1, overheadPercent: 0 };
  const { pool = 0 } = drive.calls.operate(0, { op: 'poolCreate', shape: Shape.segregated, ...options });
  const { mems } = drive.calls.operate(0, { op: 'poolAllocate', pool, count: 150 });
  expect(drive.compare()).toBeUndefined();
  const { head } = drive.history;
  const frames = new Set<number>();
  for (const segment of head.segments) forEachChunk(head, segment, (at) => frames.add(at >>> kFrameBits));
  const { first, last } = { first: head.segments[0]?.base ?? 0, last: head.segments.at(-1) };
  for (let at = first; at < (last?.base ?? 0) + (last?.size ?? 0); at += 4)
    if (head.nodeInUse(at)) frames.add(at >>> kFrameBits);
  const restored = new HeapState();
  restoreKeyframe(restored, captureKeyframe(head));
  expect(restored.frameCount).toBe(1 + frames.size); // that of all that is empty, too
  expect(mems.filter((mem) => !restored.nodeInUse(mem))).toEqual([]);
  expect(captureKeyframe(restored)).toEqual(captureKeyframe(head));
});
