import { describe, expect, test } from 'vitest';
import { chapterAt, livePool, operable } from '../../../web/src/app/selection.ts';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { ChunkState, type Frame, type PoolRow, type TimelineFrame } from '../../../web/src/protocol/frames.ts';

const row = (pool: number): PoolRow => ({ pool, nodeSize: bytes(24) }) as PoolRow;
const frameWith = (...pools: number[]): Frame => ({ pools: pools.map(row) }) as unknown as Frame;

describe('the pool that is shown', () => {
  test('is the chosen one while it lives, else the first', () => {
    expect(livePool(3, frameWith(1, 3))).toBe(3);
    expect(livePool(3, frameWith(1, 2))).toBe(1);
    expect(livePool(undefined, frameWith(5))).toBe(5);
  });

  test('is none when there is none', () => {
    expect(livePool(3, frameWith())).toBeUndefined();
    expect(livePool(3, undefined)).toBeUndefined();
  });
});

describe('what the operation panel can act on', () => {
  const at = (shape: PoolRow['shape']): Frame =>
    ({
      status: { live: true },
      pools: [{ pool: 4, shape }],
      inspect: {
        what: 'node',
        chunk: 0x40000,
        inUse: true,
        holdsBlock: true,
        state: ChunkState.poolBlock,
        pool: 4,
        node: { address: addr(0x40100), size: bytes(64), inUse: true },
      },
    }) as unknown as Frame;
  const source = { kind: 'scenario', id: 'by_hand', seed: 1 } as const;

  test('a node of a pool goes back to the pool', () => {
    for (const shape of ['segregated', 'adaptive', 'aligned_only'] as const) {
      const state = operable(at(shape), source, 4);
      expect(state.selectedNode).toEqual({ pool: 4, mem: 0x40100 });
      expect(state.pool).toBe(4);
      expect(state.selectedSmall).toBeUndefined();
    }
  });

  test('a block of a size class goes back through the small front', () => {
    const state = operable(at('size_class'), source, 4);
    expect(state.selectedSmall).toBe(0x40100);
    expect(state.selectedNode).toBeUndefined();
    expect(state.pool).toBeUndefined();
  });

  test('what an owner handed out inline is left to its owner', () => {
    for (const shape of ['fixed_block', 'lock_free', 'fixed_size'] as const) {
      const state = operable(at(shape), source, 4);
      expect([state.selectedNode, state.selectedSmall, state.pool]).toEqual([undefined, undefined, undefined]);
    }
  });
});

test('a moment lies in the chapter whose mark is the last at or before it', () => {
  const marks = [
    { seq: seq(0), label: 'one' },
    { seq: seq(100), label: 'two' },
  ];
  const timeline = { marks } as unknown as TimelineFrame;
  expect(chapterAt(timeline, 99)).toBe('one');
  expect(chapterAt(timeline, 100)).toBe('two');
  expect(chapterAt(timeline, 1e6)).toBe('two');
  expect(chapterAt(undefined, 5)).toBeUndefined();
  const later = { marks: marks.slice(1) } as unknown as TimelineFrame;
  expect(chapterAt(later, 99)).toBe(''); // its place is kept
  expect(chapterAt({ marks: [] } as unknown as TimelineFrame, 5)).toBeUndefined();
});
