// Two moments of one heap: which blocks are only in the first, in both, only in the second.
//
//   CM1  A block is the same in both when it is at the same address and was born by the same event: an address that was used
//        again is another block. One that was resized where it is stays the same.
//   CM2  Blocks are chunks in use, those that hold a pool's nodes too; what malloc caches was freed.
//   CM3  Both lists are in address order, so one walk over them decides: O(blocks of both).

import { addr, bytes, type Seq, seq } from '../../base/brand.ts';
import { GrowingUint32 } from '../../base/growing.ts';
import { chunkStateOf, forEachChunk } from '../../model/state/chunk_at.ts';
import type { HeapState } from '../../model/state/heap_state.ts';
import { beginOf } from '../../model/state/slabs.ts';
import type { History } from '../../model/time/history.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import type { PartQuery } from '../query.ts';
import { type ComparedBlock, type ComparedBlocks, type CompareFrame, kCompare } from './part.ts';

/** The blocks of the moment that frames are compared with: listed once, not for each frame. */
const kListed = new WeakMap<History, BlockList>();

export const compareQuery: PartQuery<{ readonly since: Seq }, CompareFrame> = {
  key: kCompare,
  prepare(model, { since }) {
    const { history } = model;
    const at = Math.min(since, history.head.seq);
    if (kListed.get(history)?.seq !== at) kListed.set(history, listBlocks(model.at(at).state));
  },
  query({ history, state }) {
    const before = kListed.get(history);
    return before === undefined ? undefined : compareBlocks(before, listBlocks(state));
  },
};

/** The blocks of all heaps at a moment, by address. */
export interface BlockList {
  readonly seq: number;
  readonly address: Uint32Array;
  readonly size: Uint32Array;
  readonly born: Uint32Array;
}

export function listBlocks(state: HeapState): BlockList {
  const address = new GrowingUint32();
  const size = new GrowingUint32();
  const born = new GrowingUint32();
  for (const segment of [...state.segments].sort((one, two) => one.base - two.base)) {
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      if (kind !== ChunkState.inUse && kind !== ChunkState.poolBlock) return;
      address.push(beginOf(state, at, granule));
      size.push(state.bytesOf(granule));
      born.push(state.born[granule] ?? 0);
    });
  }
  return { seq: state.seq, address: address.slice(), size: size.slice(), born: born.slice() };
}

export function compareBlocks(before: BlockList, now: BlockList): CompareFrame {
  const gone = new Sum();
  const both = new Sum();
  const added = new Sum();
  let i = 0;
  let j = 0;
  let grown = 0;
  while (i < before.address.length || j < now.address.length) {
    const one = before.address[i] ?? Infinity;
    const two = now.address[j] ?? Infinity;
    if (one === two && before.born[i] === now.born[j]) {
      grown += (now.size[j] ?? 0) - (before.size[i] ?? 0);
      both.add(now, j++);
      i++;
    } else if (one <= two) gone.add(before, i++);
    else added.add(now, j++);
  }
  return { since: seq(before.seq), gone: gone.blocks(), both: both.blocks(), grown, added: added.blocks() };
}

const kLargest = 10;

class Sum {
  #count = 0;
  #bytes = 0;
  #largest: ComparedBlock[] = [];

  add(list: BlockList, nth: number): void {
    const size = list.size[nth] ?? 0;
    this.#count++;
    this.#bytes += size;
    if (this.#largest.length === kLargest && size <= (this.#largest[kLargest - 1]?.size ?? 0)) return;
    const block = { address: addr(list.address[nth] ?? 0), size: bytes(size), born: seq((list.born[nth] ?? 0) + 1) };
    this.#largest = [...this.#largest, block].sort((one, two) => two.size - one.size).slice(0, kLargest);
  }

  blocks(): ComparedBlocks {
    return { count: this.#count, bytes: bytes(this.#bytes), largest: this.#largest };
  }
}
