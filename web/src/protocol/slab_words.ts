// A slab in words, wherever one is named: "a slab of 31 blocks of 48 B, 7 of them free".

import { formatBytes, formatCount } from '../base/format.ts';

export interface SlabSizes {
  readonly blocks: number;
  readonly blockBytes: number;
  readonly free: number;
}

export function slabInWords({ blocks, blockBytes, free }: SlabSizes): string {
  const some = free === 0 ? 'none' : free === blocks ? 'all' : formatCount(free);
  return `a slab of ${formatCount(blocks)} blocks of ${formatBytes(blockBytes)}, ${some} of them free`;
}
