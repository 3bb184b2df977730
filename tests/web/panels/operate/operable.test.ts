import { describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { type InspectFrame, kInspect } from '../../../../web/src/panels/chunk/part.ts';
import { kLists, type ListsPart, type PoolRow } from '../../../../web/src/panels/lists/part.ts';
import { operable } from '../../../../web/src/panels/operate/operable.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { type FrameParts, type PartKey, want } from '../../../../web/src/protocol/parts.ts';

describe('what the operation panel can act on', () => {
  const at = (shape: PoolRow['shape']): FrameParts => ({
    ...want(kLists as PartKey<unknown, ListsPart>, { pools: [{ pool: 4, shape }], poolBlocks: { pool: 4 } }),
    ...want(kInspect as PartKey<unknown, InspectFrame>, {
      what: 'node',
      chunk: 0x40000,
      inUse: true,
      holdsBlock: true,
      state: ChunkState.poolBlock,
      pool: 4,
      node: { address: addr(0x40100), size: bytes(64), inUse: true },
    }),
  });
  const live = { live: true };
  const source = { kind: 'scenario', id: 'by_hand', seed: 1 } as const;

  test('a node of a pool goes back to the pool', () => {
    for (const shape of ['segregated', 'adaptive', 'aligned_only'] as const) {
      const state = operable(live, undefined, at(shape), source);
      expect(state.selectedNode).toEqual({ pool: 4, mem: 0x40100 });
      expect(state.pool).toBe(4);
      expect(state.selectedSmall).toBeUndefined();
    }
  });

  test('a block of a size class goes back through the small front', () => {
    const state = operable(live, undefined, at('size_class'), source);
    expect(state.selectedSmall).toBe(0x40100);
    expect(state.selectedNode).toBeUndefined();
    expect(state.pool).toBeUndefined();
  });

  test('what an owner handed out inline is left to its owner', () => {
    for (const shape of ['fixed_block', 'lock_free', 'fixed_size'] as const) {
      const state = operable(live, undefined, at(shape), source);
      expect([state.selectedNode, state.selectedSmall, state.pool]).toEqual([undefined, undefined, undefined]);
    }
  });
});
