// The state that resets go back to (event.P9): the one behind the last state_kept.
//
//   ... kept ──── events ──── reset │ events ──── reset │ ...
//        ▲  ◀──── taken back ────┘  │  ◀─ taken back ─┘ │          each event at most once: a reset leads to the kept state again
//        └── a keyframe, shared by every barrier ───────┴── for seeks
//
//  kept.Q1  Behind a reset the state is the kept one, births included, at the reset's sequence number. That number is a barrier.
//  kept.Q2  The head goes back by undo, as far as the last barrier of a reset. Where another barrier lies between, the keyframe is restored.
//  kept.Q3  The past of a state does not contain what a reset took back: from the reset it goes on with the kept one (`before`).

import { type Keyframe, restoreKeyframe } from '../state/keyframe.ts';
import type { History } from './history.ts';
import { TimeTravel, undoDownTo } from './time_travel.ts';

export class KeptState {
  #number: number | undefined; // of the copy; undefined: there is none
  #seq = 0;
  #keyframe: Keyframe | undefined; // of #seq, made for the first reset
  #isHeadFrom = 0; // Q2: the sequence number at which the head was the kept state last
  /** By the sequence number behind each reset, that of the state it went back to. */
  readonly #resets = new Map<number, number>();

  /** A state_kept was applied. */
  note(seq: number, number: number): void {
    this.#number = number;
    this.#seq = seq;
    this.#keyframe = undefined;
    this.#isHeadFrom = seq;
  }

  /** Some state_kept was seen. */
  get isKnown(): boolean {
    return this.#number !== undefined;
  }

  /** Q3: where the past of a barrier goes on; undefined: it is none of a reset. */
  before(barrier: number): number | undefined {
    return this.#resets.get(barrier);
  }

  /** The history's head, behind a state_reset, becomes the kept state; a keyframe of it. undefined: that copy is not known. */
  goBack(history: History, number: number): Keyframe | undefined {
    if (number !== this.#number) return undefined;
    const { head, barriers } = history;
    const { seq } = head;
    const keyframe = { ...(this.#keyframe ?? this.#find(history)), seq };
    this.#keyframe = keyframe;
    if (barriers.countBelow(seq + 1) === barriers.countBelow(this.#isHeadFrom + 1)) {
      undoDownTo(head, history, this.#isHeadFrom);
      head.seq = seq;
    } else restoreKeyframe(head, keyframe);
    this.#isHeadFrom = seq;
    this.#resets.set(seq, this.#seq);
    return keyframe;
  }

  #find(history: History): Keyframe {
    const travel = new TimeTravel(history);
    travel.seek(this.#seq);
    return travel.keyframe();
  }
}
