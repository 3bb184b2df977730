// What the elements tell the page around them about the frame that they show.

import type { Frame } from '../protocol/frames.ts';

/** The detail of `hg-frame`: what is shown now. */
export interface HeapMapFrameDetail {
  /** Events applied, of all there are. */
  readonly seq: number;
  readonly head: number;
  readonly inUse: number;
  readonly footprint: number;
  /** Chunks in view; undefined when so many are that only densities are drawn. */
  readonly chunks: number | undefined;
  /** The last event at which walking the real heap gave exactly what is shown; undefined: not yet, or the trace holds no proof. */
  readonly verifiedAt: number | undefined;
  /** In words, when walking the real heap gave something else, or an event fits no heap. */
  readonly mismatch: string | undefined;
  /** Events that are missing, and behind which event the last of them are. What is verified later holds in spite of them. */
  readonly lost: number;
  readonly lostAt: number;
}

export function detailOf({ status, map }: Frame): HeapMapFrameDetail {
  const { seq, head, inUse, footprint, verifiedAt, mismatch, lost, lostAt } = status;
  return { seq, head, inUse, footprint, chunks: map?.chunks?.count, verifiedAt, mismatch, lost, lostAt };
}
