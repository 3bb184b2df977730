// Every scenario, in the order the picker shows; the first is what a visitor sees.

import { adaptivePool } from './adaptive_pool.ts';
import { backwardExpansion } from './backward_expansion.ts';
import { burstList } from './burst_list.ts';
import { byHand } from './by_hand.ts';
import { forwardExpansion } from './forward_expansion.ts';
import { mixedLoad } from './mixed_load.ts';
import type { Scenario } from './scenario.ts';

export const kScenarios: readonly Scenario[] = [
  adaptivePool,
  forwardExpansion,
  backwardExpansion,
  burstList,
  mixedLoad,
  byHand,
];
