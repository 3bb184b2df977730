// What a frame is asked to hold: what the views show, and of what changes seldom only what has changed.

import { seq } from '../base/brand.ts';
import type { FrameRequest } from '../protocol/messages.ts';
import type { PartWants } from '../protocol/parts.ts';
import type { LastFrames } from './last_frames.ts';
import type { Session } from './session.ts';
import type { State, Store } from './state.ts';

/** Above this many steps a second each explanation would be gone before it is read ... */
export const kReadableSpeed = 10;
/** ... so one is asked for this often. */
const kExplainEveryMs = 1500;

/** A change of any of these wants another frame. */
const kAsking = [
  'heap',
  'bin',
  'pool',
  'selected',
  'place',
  'colour',
  'libraries',
  'range',
  'since',
  'playing',
  'follow',
  'tab',
] as const satisfies readonly (keyof State)[];

export const wantsAnother = (state: State, before: State): boolean => kAsking.some((key) => state[key] !== before[key]);

export interface FrameRequestOptions {
  readonly store: Store;
  readonly session: Session;
  readonly frames: LastFrames;
  /** What the middle of the page shows. */
  readonly map: () => Pick<FrameRequest, 'map' | 'overview'>;
  /** What the panels show. `readable`: what comes stays long enough to be read. */
  readonly parts: (state: State, readable: boolean) => PartWants;
  /** How many columns the time line has. */
  readonly columns: () => number;
}

export function createFrameRequest({ store, session, frames, map, parts, columns }: FrameRequestOptions) {
  let timelineAsked = '';
  let explainedAt = 0;

  function timelineNow({ range }: State): FrameRequest['timeline'] {
    // Past a verification the ticks change too: they come with the frame after.
    const verified = frames.frame()?.status.verifiedAt;
    const wanted = `${range?.from}-${range?.to}/${columns()}/${session.progress().head}/${verified}`;
    if (wanted === timelineAsked) return undefined;
    timelineAsked = wanted;
    const to = range === undefined ? 'head' : seq(range.to);
    return { from: seq(range?.from ?? 0), to, columns: columns() };
  }

  function explainNow(state: State): boolean {
    const now = performance.now();
    const wanted = !state.playing || state.speed <= kReadableSpeed || now - explainedAt > kExplainEveryMs;
    if (wanted) explainedAt = now;
    return wanted;
  }

  return {
    /** All but the moment. */
    request(): Omit<FrameRequest, 'at'> {
      const state = store.get();
      return {
        ...map(),
        colour: state.colour,
        heap: state.heap,
        parts: parts(state, explainNow(state)),
        timeline: timelineNow(state),
      };
    },
    /** The time line is asked for again: the question failed. */
    forgetTimeline(): void {
      timelineAsked = '';
    },
    /** Another source is shown: all is asked for again. */
    forget(): void {
      timelineAsked = '';
      explainedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
