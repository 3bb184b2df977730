// Whose the memory is at one moment: the blocks in use, summed by the site that made them, and those sums by the program's own frame.
//
//   held.H1  A block is a chunk in use, or one that holds a pool's block, with its header. Cached chunks are nobody's.
//   held.H2  Sites whose innermost own frame is the same (base/frames.ts) are one. Where no frame is the program's own, the innermost one
//            counts.

import { frameParts } from '../base/frames.ts';
import { chunkStateOf, forEachChunk } from '../model/state/chunk_at.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import { beginOf } from '../model/state/slabs.ts';
import type { History } from '../model/time/history.ts';
import { ownFrameAt } from '../model/time/own_frames.ts';
import type { AnswerBlock, AnswerSite, BlockRanges } from '../protocol/answers.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import { kMostAnswerBlocks, kMostAnswerFrames, kMostSiteNumbers } from './limits.ts';

/** Of the blocks that one site made. */
export interface SiteSum {
  bytes: number;
  blocks: number;
  oldest: number; // event of birth
  newest: number;
}

/** H1. heap 0: of all heaps. pool: the one that has the block, 0 for none. */
export function forEachBlock(
  state: HeapState,
  heap: number,
  visit: (address: number, size: number, born: number, pool: number) => void,
): void {
  for (const segment of state.segments) {
    if (heap !== 0 && segment.heap !== heap) continue;
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      if (kind !== ChunkState.inUse && kind !== ChunkState.poolBlock) return;
      const pool = kind === ChunkState.poolBlock ? (state.tag[granule] ?? 0) : 0;
      visit(beginOf(state, at, granule), state.bytesOf(granule), state.born[granule] ?? 0, pool);
    });
  }
}

/** By the number of the site; 0: not known. O(blocks log calls). */
export function sumBySite({ sites, operations }: History, state: HeapState, heap = 0): Map<number, SiteSum> {
  const sums = new Map<number, SiteSum>();
  forEachBlock(state, heap, (_, size, born) => {
    const site = sites.areEntered ? sites.ofEvent(born, operations) : 0;
    const sum = sums.get(site);
    if (sum === undefined) {
      sums.set(site, { bytes: size, blocks: 1, oldest: born, newest: born });
      return;
    }
    sum.bytes += size;
    sum.blocks += 1;
    sum.oldest = Math.min(sum.oldest, born);
    sum.newest = Math.max(sum.newest, born);
  });
  return sums;
}

/** The program's own frame of a site; '' when it is not known. */
export const ownFrameOf = ({ sites }: Pick<History, 'sites'>, site: number): string => ownFrameAt(sites, site);

/** H2. Most bytes first; the one that is not known, if any, has no function. */
export function heldByOwnFrame(history: History, sums: ReadonlyMap<number, SiteSum>): readonly AnswerSite[] {
  const byFrame = new Map<string, { sum: SiteSum; sites: number[]; most: number; stack: number }>();
  for (const [site, { bytes, blocks, oldest, newest }] of sums) {
    const frame = ownFrameOf(history, site);
    const known = byFrame.get(frame);
    if (known === undefined) {
      byFrame.set(frame, { sum: { bytes, blocks, oldest, newest }, sites: [site], most: bytes, stack: site });
      continue;
    }
    known.sum.bytes += bytes;
    known.sum.blocks += blocks;
    known.sum.oldest = Math.min(known.sum.oldest, oldest);
    known.sum.newest = Math.max(known.sum.newest, newest);
    known.sites.push(site);
    if (bytes > known.most) Object.assign(known, { most: bytes, stack: site });
  }
  const rows = [...byFrame].map(([frame, { sum, sites, stack }]): AnswerSite => {
    const { name, file, line } = frameParts(frame);
    return {
      function: name,
      file,
      line,
      blocks: sum.blocks,
      size_bytes: sum.bytes,
      oldest_event: sum.oldest + 1,
      newest_event: sum.newest + 1,
      stack: history.sites.stack(stack).slice(0, kMostAnswerFrames),
      sites: sites.slice(0, kMostSiteNumbers),
    };
  });
  return rows.sort((one, two) => two.size_bytes - one.size_bytes || one.oldest_event - two.oldest_event);
}

export type IsWanted = (site: number) => boolean;

/** The blocks of some sites, largest first. */
export function blocksOfSites(
  history: History,
  state: HeapState,
  heap: number,
  isWanted: IsWanted,
): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  forEachBlockOf(history, state, heap, isWanted, (address, size_bytes, born, site) => {
    blocks.push({ address, size_bytes, born_event: born + 1, site });
  });
  return blocks.sort((one, two) => two.size_bytes - one.size_bytes).slice(0, kMostAnswerBlocks);
}

/** All of them, by address; neighbours are one range. */
export function rangesOfSites(history: History, state: HeapState, heap: number, isWanted: IsWanted): BlockRanges {
  const found: [address: number, size: number][] = [];
  forEachBlockOf(history, state, heap, isWanted, (address, size) => found.push([address, size]));
  return joinedRanges(found);
}

export function joinedRanges(found: [address: number, size: number][]): BlockRanges {
  found.sort(([one], [two]) => one - two);
  const joined: typeof found = [];
  for (const [address, size] of found) {
    const last = joined[joined.length - 1];
    if (last !== undefined && last[0] + last[1] === address) last[1] += size;
    else joined.push([address, size]);
  }
  return {
    address: Uint32Array.from(joined, ([address]) => address),
    size: Uint32Array.from(joined, ([, size]) => size),
  };
}

function forEachBlockOf(
  { sites, operations }: History,
  state: HeapState,
  heap: number,
  isWanted: IsWanted,
  visit: (address: number, size: number, born: number, site: number) => void,
): void {
  forEachBlock(state, heap, (address, size, born) => {
    const site = sites.areEntered ? sites.ofEvent(born, operations) : 0;
    if (isWanted(site)) visit(address, size, born, site);
  });
}
