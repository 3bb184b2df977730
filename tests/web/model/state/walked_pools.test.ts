// What a walk says of pools: the places of nodes are read off the first block, and are those that the events gave.

import { expect, test } from 'vitest';
import { bytes } from '../../../../web/src/base/brand.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { captureKeyframe, restoreKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { readStateFromWalks } from '../../../../web/src/model/state/walk_read.ts';
import { Shape } from '../../../../web/src/protocol/event_layout.ts';
import { Drive } from '../drive.ts';

test.each([true, false])(
  'nodes of every shape are read where the events put them; known before: %s',
  async (isKnown) => {
    const drive = await Drive.start(31);
    const kOptions = { nodesPerBlock: 200, maxFreeBlocks: 1, overheadPercent: 0, nodeSize: bytes(48) };
    for (const shape of [Shape.segregated, Shape.adaptive, Shape.alignedOnly]) {
      const { pool = 0 } = drive.calls.operate(0, { op: 'poolCreate', shape, ...kOptions });
      drive.calls.operate(0, { op: 'poolAllocate', pool, count: 5 });
    }
    for (const nodesPerBlock of [30, 60, 90, 120]) {
      const { pool = 0 } = drive.calls.operate(0, {
        op: 'poolCreate',
        shape: Shape.adaptive,
        ...kOptions,
        nodesPerBlock,
      });
      drive.calls.operate(0, { op: 'poolAllocate', pool, count: 5 });
    }
    expect(drive.compare()).toBeUndefined();
    const { head } = drive.history;
    const walked = new HeapState();
    if (isKnown) restoreKeyframe(walked, captureKeyframe(head));
    const heaps = head.heaps.filter(({ living }) => living).map(({ id, address }) => ({ id, address }));
    readStateFromWalks(walked, 4, heaps, 0, (heap, visit) =>
      walkModel(head, heap.id, (...record) => visit(Uint32Array.from(record))),
    );
    const places = (state: HeapState) =>
      state.pools
        .filter(({ blocks }) => blocks > 0)
        .map(({ id, shape, nodeSize, nodesPerBlock, subBlocks, firstNode, laterNode }) =>
          [id, shape, nodeSize, nodesPerBlock, subBlocks, firstNode, laterNode].join(' '),
        )
        .sort();
    expect(places(walked)).toEqual(places(head));
    expect([...new Set(head.pools.map(({ subBlocks }) => Math.min(subBlocks, 3)))].sort()).toEqual([0, 1, 2, 3]);
  },
);
