// What stays of the frames before: parts and the time line, which are not in every frame.

import { expect, test } from 'vitest';
import { createLastFrames } from '../../../web/src/moment/last_frames.ts';
import type { Frame, TimelineFrame } from '../../../web/src/protocol/frames.ts';

const frameWith = (parts: object, timeline?: object) => ({ parts, timeline: timeline as TimelineFrame }) as Frame;

test('a newer part takes the place of the last one, an empty one too; the others and the time line stay', () => {
  const frames = createLastFrames();
  const timeline = { columns: 7 };
  frames.take(frameWith({ sizes: 1, pins: 2, sites: 3 }, timeline));
  const next = frameWith({ sizes: 4, pins: undefined });
  frames.take(next);
  expect(frames.frame()).toBe(next);
  expect(frames.parts()).toEqual({ sizes: 4, pins: undefined, sites: 3 });
  expect(frames.timeline()).toBe(timeline);
  frames.take(frameWith({}, { columns: 8 }));
  expect(frames.timeline()).toEqual({ columns: 8 });
});

test('of a source no part is left when another one begins, and its last frame is', () => {
  const frames = createLastFrames();
  const frame = frameWith({ sizes: 1 }, { columns: 7 });
  frames.take(frame);
  frames.forget();
  expect([frames.parts(), frames.frame(), frames.timeline()]).toEqual([{}, frame, { columns: 7 }]);
});
