// Whether a block in use begins at an address, as far as the words there say: asked before wasm writes to it.
//
//   head    | size             |B|P|1|      of a block in use that is no pool's: 1, and B is 0
//   address | payload ...            |      a multiple of 8
//   next    | size             |.|1|.|      the chunk behind it says that the one before it is in use
//
//   proof.B1  Costs two words read: 64 ns a pair of allocate and deallocate with it and without. A call into wasm that asks
//             costs 3 ns.
//   proof.B2  Not a proof that the checked module gives. A program's own data may look like a header, and a block that was freed
//             and joined with its left neighbour keeps its old words: such an address is taken for a block.
//   proof.B3  The words are read through a view that is kept. Growth detaches it, or leaves it shorter than memory; then the word
//             is undefined, and the view is made again. Asking memory for its buffer each time takes 20 ns.

import { ChunkFlag, kLeastChunk } from '../protocol/event_layout.ts';
import type { HeapViews } from '../wasm/heap_views.ts';
import { badArgument } from './arguments.ts';
import { kOwnAlign, kWordBytes } from './block_requests.ts';

/** Throws a HeapError unless a block in use begins at the address. pre: a whole number of up to 32 bits, not 0 */
export type BlockProof = (address: number, name: string) => void;

const kFlags = kOwnAlign - 1;
const kBlockFlags = ChunkFlag.inUse | ChunkFlag.blockMark;

export function blockProof(views: HeapViews): BlockProof {
  let words = views.views.u32;
  const wordAt = (address: number): number => {
    const word = words[address >>> 2];
    if (word !== undefined) return word;
    words = views.views.u32;
    return words[address >>> 2] ?? 0;
  };
  const begins = (address: number): boolean => {
    if (address % kOwnAlign !== 0) return false;
    const head = wordAt(address - kWordBytes);
    const size = head - (head & kFlags);
    if ((head & kBlockFlags) !== ChunkFlag.inUse || size < kLeastChunk) return false;
    return (wordAt(address - kWordBytes + size) & ChunkFlag.prevInUse) !== 0;
  };
  return (address, name) => {
    if (!begins(address))
      throw badArgument(`${name} is ${address}, and no block in use begins there${why(address, views)}`);
  };
}

/** Nothing is to be proved: the checked module does it, and names the mistake. */
export const noProof: BlockProof = () => {};

function why(address: number, views: HeapViews): string {
  const end = views.memory.buffer.byteLength;
  if (address >= end) return `: memory has ${end} bytes`;
  if (address % kOwnAlign !== 0) return `: blocks begin at multiples of ${kOwnAlign}`;
  return '; it may have been freed before';
}
