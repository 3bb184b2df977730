// One trace and the states of it that are looked at: the head, which follows the events, and one other place in time.
// Two states, so that looking back while a run goes on costs the run nothing.

import type { Trace } from '../../trace/trace.ts';
import type { HeapState } from '../state/heap_state.ts';
import { PageSummary } from '../state/page_summary.ts';
import { History } from './history.ts';
import { TimeTravel } from './time_travel.ts';

/** A state and the summary that belongs to it. */
export interface Moment {
  readonly state: HeapState;
  readonly pages: PageSummary;
}

/** The heap of a trace at any event. `history.fold()` applies the events so far; `head` is the heap after them. */
export class Model {
  readonly trace: Trace;
  readonly history: History;
  readonly head: Moment;
  readonly #travel: TimeTravel;
  readonly #past: Moment;

  constructor(trace: Trace) {
    this.trace = trace;
    this.history = new History(trace);
    this.head = { state: this.history.head, pages: new PageSummary() };
    this.#travel = new TimeTravel(this.history);
    this.#past = { state: this.#travel.state, pages: new PageSummary() };
  }

  /** The state after `seq` events; what is beyond the folded head is the head. Valid until the next call. */
  at(seq: number): Moment {
    if (seq >= this.history.head.seq) return this.head;
    this.#travel.seek(Math.max(0, seq));
    return this.#past;
  }
}
