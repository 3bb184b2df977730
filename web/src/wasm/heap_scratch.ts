// How the JavaScript heap uses the module's static scratch memory (hg_scratch: 64 KiB, in placed modules 1 KiB) for arguments and results.
//
//    0          16               32             64             128                       hg_scratch_size
//    +----------+----------------+--------------+--------------+------------------------------------+
//    | chain    | command result | pool options | statistics   | words: lengths of a burst          |
//    +----------+----------------+--------------+--------------+------------------------------------+
//
//  X1  Nothing in it outlives one call of the JavaScript API.

import {
  kChainLayout,
  kCommandResultLayout,
  kHeapStatsLayout,
  kPoolOptionsLayout,
  kPoolStatsLayout,
} from '../protocol/event_layout.ts';

export const kScratch = { chain: 0, commandResult: 16, poolOptions: 32, stats: 64, words: 128 } as const;

const fits = [
  kChainLayout.bytes <= kScratch.commandResult - kScratch.chain,
  kCommandResultLayout.bytes <= kScratch.poolOptions - kScratch.commandResult,
  kPoolOptionsLayout.bytes <= kScratch.stats - kScratch.poolOptions,
  Math.max(kHeapStatsLayout.bytes, kPoolStatsLayout.bytes) <= kScratch.words - kScratch.stats,
];
if (fits.includes(false)) throw new Error('heap_scratch: a struct of heapglass.h outgrew its place (X1)');
