// Nothing happens by itself: an empty heap for the operation panel.

import type { Scenario } from './scenario.ts';

export const byHand: Scenario = {
  info: {
    id: 'by_hand',
    title: 'By hand',
    summary: 'An empty heap; drive it from the operation panel.',
    chapters: [],
    experiment: undefined,
  },
  *run() {
    yield { chapter: undefined, done: 1 };
  },
};
