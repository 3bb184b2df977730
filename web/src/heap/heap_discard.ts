// Free pages given back in place, where the engine has WebAssembly.Memory.prototype.discard (the proposal for memory control; none had it
// without a flag in November 2026).
//
//  discard.D1  Discarded are whole free pages of 64 KiB. They read as zeros afterwards, and nothing depends on what they held.
//  discard.D3  A traced module's trace says it, as the trace of a linked program does whose host takes pages back: pages_discarded.
//  discard.D2  Only of a memory that the module made: of another one somebody else may know more.

import { EventKind } from '../protocol/event_layout.ts';
import { freeRuns } from './free_pages.ts';
import type { HeapModule } from './heap_module.ts';
import { kPageBytes } from './place.ts';

interface DiscardingMemory extends WebAssembly.Memory {
  discard?(byteOffset: number, byteLength: number): void;
}

export function discardFreePages(module: HeapModule): void {
  const memory: DiscardingMemory = module.views.memory;
  if (typeof memory.discard !== 'function' || module.fixed !== undefined) return;
  const runs = freeRuns(module);
  for (let i = 0; i < runs.length; i += 2) {
    const begin = Math.ceil((runs[i] as number) / kPageBytes) * kPageBytes;
    const end = Math.floor(((runs[i] as number) + (runs[i + 1] as number)) / kPageBytes) * kPageBytes;
    if (end <= begin) continue;
    memory.discard(begin, end - begin);
    module.recorder?.note(EventKind.pagesDiscarded, begin, end - begin);
  }
}
