// A state that can be anywhere in a history: small moves by apply and undo, jumps by the nearest keyframe.
//
//   Z1  seek(n) gives the state that applying events 0 .. n - 1 gives, from wherever it starts.
//   Z2  The way taken is the cheapest of: from here; from the last keyframe <= n forward; from the first one > n
//       backward. No way crosses a barrier, since events say nothing about it (history.ts, Y3).
//   Z3  A state that cannot be made is nobody's: what was half made is thrown away, so that no later way begins there.

import { kEventWords, kSegmentBits, kSegmentEvents } from '../../trace/trace.ts';
import { applyEvent, undoEvent } from '../state/apply.ts';
import { kReadAheadWords } from '../state/frame_table.ts';
import { HeapState } from '../state/heap_state.ts';
import { captureKeyframe, type Keyframe, restoreKeyframe, restoringCost } from '../state/keyframe.ts';
import type { History } from './history.ts';

const kEmpty = captureKeyframe(new HeapState());

export class TimeTravel {
  readonly state = new HeapState();
  /** Events that were applied or taken back, by all seeks. */
  replayed = 0;
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  /**
   * Throws what stood in the way when the state cannot be made; then it is the empty one (Z3).
   * pre: 0 <= seq <= history.head.seq
   */
  seek(seq: number): void {
    try {
      this.#go(seq);
    } catch (error) {
      restoreKeyframe(this.state, kEmpty);
      throw error;
    }
  }

  #go(seq: number): void {
    const { state } = this;
    const { keyframes } = this.#history;
    const above = this.#firstKeyframeAfter(seq);
    let best = this.#crosses(state.seq, seq) ? Number.POSITIVE_INFINITY : Math.abs(seq - state.seq);
    let from: Keyframe | undefined;
    for (const frame of [keyframes[above - 1], keyframes[above]]) {
      if (frame === undefined || this.#crosses(frame.seq, seq)) continue;
      const cost = Math.abs(seq - frame.seq) + restoringCost(frame) + 512;
      if (cost >= best) continue;
      best = cost;
      from = frame;
    }
    if (from !== undefined) restoreKeyframe(state, from);
    this.replayed += Math.abs(seq - state.seq);
    if (state.seq < seq) this.#applyUpTo(seq);
    else undoDownTo(state, this.#history, seq);
  }

  /** Of the state here. */
  keyframe(): Keyframe {
    return captureKeyframe(this.state);
  }

  #firstKeyframeAfter(seq: number): number {
    const { keyframes } = this.#history;
    let low = 0;
    let high = keyframes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keyframes[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a barrier lies in the way: one in (lower, upper]. */
  #crosses(one: number, other: number): boolean {
    const { barriers } = this.#history;
    return barriers.countBelow(Math.min(one, other) + 1) !== barriers.countBelow(Math.max(one, other) + 1);
  }

  #applyUpTo(seq: number): void {
    const { state } = this;
    const { trace, lost } = this.#history;
    while (state.seq < seq) {
      const words = trace.segment(state.seq >>> kSegmentBits);
      if (words === undefined) return;
      const end = Math.min(seq, ((state.seq >>> kSegmentBits) + 1) * kSegmentEvents);
      for (let at = (state.seq & (kSegmentEvents - 1)) * kEventWords; state.seq < end; at += kEventWords) {
        if (at % kReadAheadWords === 0) state.readAhead(words, at);
        applyEvent(
          state,
          lost,
          words[at] as number,
          words[at + 1] as number,
          words[at + 2] as number,
          words[at + 3] as number,
        );
      }
    }
  }
}

/** pre: no barrier lies in (seq, state.seq] */
export function undoDownTo(state: HeapState, { trace, lost }: History, seq: number): void {
  while (state.seq > seq) {
    const last = state.seq - 1;
    const words = trace.segment(last >>> kSegmentBits);
    if (words === undefined) return;
    const begin = Math.max(seq, (last >>> kSegmentBits) * kSegmentEvents);
    for (let at = (last & (kSegmentEvents - 1)) * kEventWords; state.seq > begin; at -= kEventWords) {
      if ((at + kEventWords) % kReadAheadWords === 0) state.readAhead(words, at + kEventWords - kReadAheadWords);
      undoEvent(
        state,
        lost,
        words[at] as number,
        words[at + 1] as number,
        words[at + 2] as number,
        words[at + 3] as number,
      );
    }
  }
}
