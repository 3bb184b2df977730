// Facts beside the state: calls, marks, texts, sites; and losses and snapshots, which say whether it stands still (heap_state.ts, M7).
// What a snapshot says is taken at its end, by the history (time/snapshot.ts), and so is what a reset goes back to (time/kept_state.ts); their
// events change nothing.

import { contradict } from './contradiction.ts';
import type { HeapState } from './heap_state.ts';
import type { Rule } from './rule.ts';

const kAwaiting = 1; // bits of the lost word
const kInSnapshot = 2;

const standBack = ((state, lost, seq) => {
  state.awaiting = (lost.at(seq) & kAwaiting) !== 0;
  state.inSnapshot = (lost.at(seq) & kInSnapshot) !== 0;
}) satisfies Rule['undo'];

const standingOf = (state: HeapState): number =>
  (state.awaiting ? kAwaiting : 0) | (state.inSnapshot ? kInSnapshot : 0);

export const kFactRules = {
  opBegun: { about: 'call', noted: 'call' },
  opEnded: { about: 'call', noted: 'call' },
  binSearched: { about: 'fact' },
  commandTried: { about: 'fact' },
  pagesDiscarded: { about: 'fact' },
  mark: { about: 'fact', noted: 'mark' },
  checkpoint: { about: 'fact', noted: 'checkpoint' },
  text: { about: 'fact' },
  stringDefined: { about: 'fact', noted: 'site' },
  siteDefined: { about: 'fact', noted: 'site' },
  siteEntered: { about: 'fact', noted: 'site' },
  eventsLost: {
    about: 'standing',
    noted: 'loss',
    apply: (state, lost, seq) => {
      lost.set(seq, standingOf(state));
      state.awaiting = true;
      state.inSnapshot = false;
    },
    undo: standBack,
  },
  snapshotBegun: {
    about: 'standing',
    noted: 'snapshot',
    apply: (state, lost, seq) => {
      lost.set(seq, standingOf(state));
      state.inSnapshot = true;
    },
    undo: standBack,
  },
  snapshotHeap: { about: 'fact', noted: 'snapshot' },
  snapshotEnded: {
    about: 'standing',
    noted: 'snapshot',
    apply: (state, lost, seq) => {
      lost.set(seq, standingOf(state));
      state.inSnapshot = false;
    },
    undo: standBack,
  },
  stateKept: {
    about: 'fact',
    noted: 'kept',
    apply: (state) => {
      if (state.sliver !== 0) contradict('memory is kept in the middle of an operation');
    },
  },
  stateReset: {
    about: 'standing',
    noted: 'reset',
    apply: (state, lost, seq) => {
      lost.set(seq, standingOf(state));
      state.awaiting = true; // the history knows the state, or nobody (event.P9)
      state.inSnapshot = false;
    },
    undo: standBack,
  },
} satisfies Record<string, Rule>;
