import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../web/src/map/map_changes.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { type ChunkGiven, frameOf } from './map_frames.ts';

const free = ChunkState.free;
const of = (...chunks: ChunkGiven[]) => frameOf({ chunks });

describe('what a step changed', () => {
  it('is nothing between equal frames', () => {
    expect(changesBetween(of({ at: 64, size: 32 }), of({ at: 64, size: 32 }))).toEqual([]);
  });

  it('a split: the new header comes from the start of the chunk that was there', () => {
    const before = of({ at: 64, size: 128, state: free });
    const after = of({ at: 64, size: 48, state: free }, { at: 112, size: 80, state: free });
    expect(changesBetween(before, after)).toEqual([{ kind: 'split', from: 64, to: 112, size: 80 }]);
  });

  it('a merge: the header goes to the start of the chunk that is there', () => {
    const before = of({ at: 64, size: 48, state: free }, { at: 112, size: 80, state: free });
    const after = of({ at: 64, size: 128, state: free });
    expect(changesBetween(before, after)).toEqual([{ kind: 'merge', from: 112, to: 64, size: 80 }]);
  });

  it('stepping back shows the opposite', () => {
    const whole = of({ at: 64, size: 128 });
    const parts = of({ at: 64, size: 48 }, { at: 112, size: 80 });
    expect(changesBetween(whole, parts)[0]?.kind).toBe('split');
    expect(changesBetween(parts, whole)[0]?.kind).toBe('merge');
  });

  it('a chunk taken or released where it is', () => {
    const before = of({ at: 64, size: 32, state: free }, { at: 96, size: 32 });
    const after = of({ at: 64, size: 32 }, { at: 96, size: 32 });
    expect(changesBetween(before, after)).toEqual([{ kind: 'state', from: 64, to: 64, size: 32 }]);
  });

  it('is not the edge of what the frames show', () => {
    const before = of({ at: 64, size: 32 }, { at: 96, size: 32 });
    const after = of({ at: 96, size: 32 }, { at: 128, size: 32 });
    expect(changesBetween(before, after)).toEqual([]);
  });

  it('is not shown when it is a jump', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ at: 64 + index * 32, size: 32, state: free }));
    const taken = many.map((chunk) => ({ ...chunk, state: ChunkState.inUse }));
    expect(changesBetween(of(...many), of(...taken))).toEqual([]);
  });
});
