// What the model knows about a kind of event: one entry of the table (rules.ts), whose parts lie in rules_*.ts by what events are about.
//
//   R1  apply checks the event whole before it changes anything: one that does not fit is a Contradiction, and leaves the state as it was.
//   R2  undo is the exact inverse: the event, the state behind it and lost[seq] are all it needs. It searches nothing.
//   R3  A kind without apply changes nothing in the state: a fact beside it.

import type { LostColumn } from '../../base/growing.ts';
import type { HeapState } from './heap_state.ts';

/**
 * What is checked before apply: `call`, that the operation exists; `chunk` and `block`, that the heap has the address, in a heap of the
 * allocator or in a foreign one; `place`, the same of top and victim; `pool`, that the heap is none of another allocator.
 * `standing` counts while the state stands still (heap_state.ts, M7).
 */
export type About = 'heap' | 'call' | 'chunk' | 'place' | 'block' | 'pool' | 'thread' | 'standing' | 'fact';

/** The list of the history that an event goes to: `site` and `snapshot` before it is applied, the others behind it (history.ts). */
export type Noted =
  | 'memory'
  | 'call'
  | 'cached'
  | 'batch'
  | 'thread'
  | 'mark'
  | 'checkpoint'
  | 'loss'
  | 'site'
  | 'snapshot'
  | 'kept'
  | 'reset';

/** seq: of the event; head, a, b, c: its words. */
type Change = (state: HeapState, lost: LostColumn, seq: number, head: number, a: number, b: number, c: number) => void;

export interface Rule {
  readonly about: About;
  readonly noted?: Noted;
  readonly apply?: Change;
  readonly undo?: Change;
}
