// What the height of the time line stands for (TL1).

import { describe, expect, test } from 'vitest';
import { seq } from '../../../../web/src/base/brand.ts';
import type { TimelineFrame } from '../../../../web/src/protocol/frames.ts';
import { aboveText, scaleOf } from '../../../../web/src/shell/timeline/timeline_picture.ts';

const frameOf = (inUse: number, footprint: number): TimelineFrame => ({
  from: seq(0),
  to: seq(6),
  columns: 1,
  inUseMax: Float64Array.of(inUse),
  inUseMin: Float64Array.of(inUse),
  occupiedMax: Float64Array.of(inUse),
  footprint: Float64Array.of(footprint),
  marks: [],
  verified: [],
});
const mostOf = (inUse: number, footprint: number) => scaleOf(frameOf(inUse, footprint), 1440, 154).most;
const above = (inUse: number, footprint: number) => aboveText(scaleOf(frameOf(inUse, footprint), 1440, 154));

describe('the height of the time line', () => {
  test('is that of the footprint where what is in use is seen beside it', () => {
    expect(mostOf(32_768, 65_536)).toBe(65_536);
    expect(above(32_768, 65_536)).toBe('');
  });

  test('is that of the footprint where nothing is in use: a byte is not the measure of an empty heap', () => {
    expect(mostOf(0, 65_536)).toBe(65_536);
    expect(above(0, 65_536)).toBe('');
  });

  test('is that of what is in use where it would not be seen, and says how far the footprint reaches', () => {
    expect(mostOf(1_000, 65_536)).toBeCloseTo(1_150);
    expect(mostOf(8_000, 65_536)).toBeCloseTo(9_200); // as in a lesson
    expect(mostOf(12_000, 65_536)).toBe(65_536);
    expect(above(1_000, 65_536).replace(/\u202f/g, ' ')).toBe('footprint 64 KiB, above the scale');
  });

  test('is one byte before there is anything', () => {
    expect(scaleOf(undefined, 1440, 154).most).toBe(1);
  });
});
