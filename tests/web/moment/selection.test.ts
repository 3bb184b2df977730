import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { chapterAt } from '../../../web/src/moment/selection.ts';
import type { TimelineFrame } from '../../../web/src/protocol/frames.ts';

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
