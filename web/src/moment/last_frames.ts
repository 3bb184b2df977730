// The last frame, and of the parts that are not in every frame the last ones there were.
//
//   last.1  A part that a frame was asked for takes the place of the last one, even where it is empty.
//   last.2  Of a source no part is left when another one begins. Its last frame stays in sight until the first one of the other.

import type { Frame, TimelineFrame } from '../protocol/frames.ts';
import type { FrameParts } from '../protocol/parts.ts';

export type LastFrames = ReturnType<typeof createLastFrames>;

export function createLastFrames() {
  let frame: Frame | undefined;
  let timeline: TimelineFrame | undefined;
  let parts: FrameParts = {};

  return {
    frame: () => frame,
    timeline: () => timeline,
    parts: () => parts,
    take(next: Frame): void {
      frame = next;
      timeline = next.timeline ?? timeline;
      parts = { ...parts, ...next.parts }; // last.1
    },
    /** last.2 */
    forget(): void {
      parts = {};
    },
  };
}
