// A heap's numbers, as an object.

import { kHeapStatsLayout } from '../protocol/event_layout.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import type { HeapModule } from './heap_module.ts';
import type { HeapStats } from './heap_types.ts';
import { kPageBytes } from './place.ts';

const kOsPage = 4096;

export function readStats(module: HeapModule, heap: number): HeapStats {
  const { functions, views, scratch } = module;
  const at = scratch + kScratch.stats;
  functions.hg_heap_get_stats(heap, at);
  const footprint = views.word(at + kHeapStatsLayout.footprint);
  const freeBytes = views.word(at + kHeapStatsLayout.freeBytes);
  const spare = module.spareBytes();
  const returnable = (page: number): number =>
    (functions.hg_heap_returnable(heap, page) >>> 0) + spare - (spare % page);
  return {
    total: footprint + spare,
    available: freeBytes + spare,
    footprint,
    peakFootprint: views.word(at + kHeapStatsLayout.peakFootprint),
    inUse: views.word(at + kHeapStatsLayout.inUse),
    freeBytes,
    largestFree: views.word(at + kHeapStatsLayout.largestFree),
    chunksInUse: views.word(at + kHeapStatsLayout.chunksInUse),
    chunksFree: views.word(at + kHeapStatsLayout.chunksFree),
    topBytes: views.word(at + kHeapStatsLayout.topBytes),
    returnable: returnable(kOsPage),
    returnablePages: returnable(kPageBytes) / kPageBytes,
    segments: views.word(at + kHeapStatsLayout.segments),
  };
}
