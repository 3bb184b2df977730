// Burst chains seen from JavaScript: a chain of blocks linked through their first word becomes an array of addresses
// and back, by reading and writing memory directly; the module is called once per burst, not once per block.

import { kChainLayout } from '../protocol/event_layout.ts';
import { kScratch } from './heap_scratch.ts';
import type { HeapViews } from './heap_views.ts';

/** What a chain needs of a module. */
interface ChainMemory {
  readonly views: HeapViews;
  readonly scratch: number;
}

/** An empty chain in the scratch memory; returns its address. */
export function beginChain({ views, scratch }: ChainMemory): number {
  const chain = scratch + kScratch.chain;
  views.setWord(chain + kChainLayout.first, 0);
  views.setWord(chain + kChainLayout.last, 0);
  views.setWord(chain + kChainLayout.count, 0);
  return chain;
}

/** Addresses of the chain's blocks, first to last. O(blocks). */
export function readChain({ views }: ChainMemory, chain: number): Uint32Array {
  const { u32 } = views.views; // no call below: the view stays valid
  const addresses = new Uint32Array(views.word(chain + kChainLayout.count));
  let block = views.word(chain + kChainLayout.first);
  for (let i = 0; i < addresses.length; ++i) {
    addresses[i] = block;
    block = u32[block >>> 2] ?? 0;
  }
  return addresses;
}

/** Links blocks of the caller into a chain in the scratch memory; returns its address. Skips 0. O(blocks). */
export function writeChain(module: ChainMemory, addresses: ArrayLike<number>): number {
  const { views } = module;
  const chain = beginChain(module);
  const { u32 } = views.views;
  let last = 0;
  let count = 0;
  for (let i = 0; i < addresses.length; ++i) {
    const block = (addresses[i] ?? 0) >>> 0;
    if (block === 0) continue;
    if (last === 0) views.setWord(chain + kChainLayout.first, block);
    else u32[last >>> 2] = block;
    last = block;
    ++count;
  }
  if (last !== 0) u32[last >>> 2] = 0;
  views.setWord(chain + kChainLayout.last, last);
  views.setWord(chain + kChainLayout.count, count);
  return chain;
}
