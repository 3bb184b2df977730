// Every scenario, in the order the picker shows. Real programs come first; what a visitor sees unasked is the first scenario.

import { adaptivePool } from './adaptive_pool.ts';
import { backwardExpansion } from './backward_expansion.ts';
import { burstList } from './burst_list.ts';
import { byHand } from './by_hand.ts';
import { kExperimentScenarios } from './experiments.ts';
import { forwardExpansion } from './forward_expansion.ts';
import { malloc } from './malloc.ts';
import { memoryPools } from './memory_pools.ts';
import { mixedLoad } from './mixed_load.ts';
import type { Scenario } from './scenario.ts';
import { threadCaches } from './thread_caches.ts';
import { kWatchedScenarios } from './watched_programs.ts';

export const kScenarios: readonly Scenario[] = [
  ...kWatchedScenarios,
  adaptivePool,
  forwardExpansion,
  backwardExpansion,
  burstList,
  malloc,
  threadCaches,
  memoryPools,
  mixedLoad,
  byHand,
  ...kExperimentScenarios,
];
