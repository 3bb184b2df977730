// Every scene, in the order in which they are read: each needs only those before it.

import type { Scenario } from '../scenarios/scenario.ts';
import { bestFit } from './best_fit.ts';
import { boundaryTags } from './boundary_tags.ts';
import { brokenLink } from './broken_link.ts';
import { bursts } from './bursts.ts';
import { cachesAndThreads } from './caches_and_threads.ts';
import { fragmentation } from './fragmentation.ts';
import { growingBackward } from './growing_backward.ts';
import { growingForward } from './growing_forward.ts';
import { heapPerStructure } from './heap_per_structure.ts';
import { joining } from './joining.ts';
import { leakHunt } from './leak_hunt.ts';
import { memoryThatGoesBack } from './memory_that_goes_back.ts';
import { memoryThatStays } from './memory_that_stays.ts';
import { pools } from './pools.ts';
import { refusal } from './refusal.ts';
import { type Scene, sceneOf } from './scene.ts';
import { smallBlocks } from './small_blocks.ts';
import { splitting } from './splitting.ts';
import { topAndVictim } from './top_and_victim.ts';
import { whatIsAHeap } from './what_is_a_heap.ts';
import { whoHolds } from './who_holds.ts';
import { whyItGrew } from './why_it_grew.ts';

export const kScenes: readonly Scene[] = [
  whatIsAHeap,
  boundaryTags,
  splitting,
  joining,
  bestFit,
  topAndVictim,
  fragmentation,
  growingForward,
  growingBackward,
  bursts,
  pools,
  heapPerStructure,
  smallBlocks,
  cachesAndThreads,
  memoryThatStays,
  memoryThatGoesBack,
  whoHolds,
  whyItGrew,
  leakHunt,
  refusal,
  brokenLink,
];

export const kSceneScenarios: readonly Scenario[] = kScenes.map((scene, at) => sceneOf(scene, at + 1));
