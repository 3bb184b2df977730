// What could go back to the system, and which blocks keep the rest: a page stays for a single block on it.
//
//   page   | free      | A |   free            |  B  |        A and B keep half of the free bytes each
//
//   returnable.R1  Whole free pages of 4 KiB go back. Every other page stays, and what is free on it is kept by the blocks that begin or
//      reach there, in equal parts.
//   returnable.R2  Cached chunks keep nothing: malloc releases them before memory goes back. Cached and free bytes on a page without a block
//      are nobody's.

import { foldedStack, frameParts, ownFrames } from '../base/frames.ts';
import { chunkStateOf, forEachChunk } from '../model/state/chunk_at.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import type { History } from '../model/time/history.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import { kMostLetters, kMostRows, kMostStackRows } from './limits.ts';
import type { Returnable, Sample } from './report_types.ts';

export const kPageBytes = 4096;
const kNotKeeping: ReadonlySet<number> = new Set([
  ChunkState.free,
  ChunkState.top,
  ChunkState.victim,
  ChunkState.cached,
]);

type Keeper = Returnable['held_by'][number];

export function returnableFacts(history: History, timeline: readonly Sample[]): Returnable {
  const most = greatest(timeline, ({ returnable_bytes }) => returnable_bytes);
  const peak = greatest(timeline, ({ footprint_bytes }) => footprint_bytes);
  return {
    most_bytes: most?.returnable_bytes ?? 0,
    most_event: most?.event ?? 0,
    at_peak_bytes: peak?.returnable_bytes ?? 0,
    end_bytes: timeline[timeline.length - 1]?.returnable_bytes ?? 0,
    held_by: keepersOf(history),
  };
}

function greatest(timeline: readonly Sample[], of: (sample: Sample) => number): Sample | undefined {
  return timeline.reduce<Sample | undefined>(
    (most, sample) => (most === undefined || of(sample) > of(most) ? sample : most),
    undefined,
  );
}

interface Page {
  live: number;
  blocks: number;
}

/** R1, at the head. O(chunks). */
function keepersOf({ head: state, sites, operations }: History): Keeper[] {
  if (state.isForeign || state.wordSize === 0) return [];
  const pages = new Map<number, Page>();
  forEachBlock(state, (at, size) => {
    forEachEdge(at, size, (page, bytes) => {
      const known = pages.get(page);
      if (known === undefined) pages.set(page, { live: bytes, blocks: 1 });
      else {
        known.live += bytes;
        known.blocks += 1;
      }
    });
  });
  const byStack = new Map<string, { stack: readonly string[]; blocks: number; bytes: number; held: number }>();
  forEachBlock(state, (at, size, born) => {
    let held = 0;
    forEachEdge(at, size, (page) => {
      const { live = kPageBytes, blocks = 1 } = pages.get(page) ?? {};
      held += (kPageBytes - live) / blocks;
    });
    const stack = foldedStack(sites.areEntered ? sites.stack(sites.ofEvent(born, operations)) : []);
    const key = stack.join('\n');
    const known = byStack.get(key) ?? { stack, blocks: 0, bytes: 0, held: 0 };
    byStack.set(key, { stack, blocks: known.blocks + 1, bytes: known.bytes + size, held: known.held + held });
  });
  return [...byStack.values()]
    .sort((one, two) => two.held - one.held)
    .slice(0, kMostRows)
    .map(({ stack, blocks, bytes, held }) => ({
      ...placeOf(stack),
      stack: stack.slice(0, kMostStackRows).map((frame) => frame.slice(0, kMostLetters)),
      blocks,
      bytes,
      held_bytes: Math.round(held),
    }));
}

function placeOf(stack: readonly string[]): Pick<Keeper, 'function' | 'file' | 'line'> {
  const { name, file, line } = frameParts(ownFrames(stack)[0] ?? '');
  return { function: name.slice(0, kMostLetters), file: file.slice(0, kMostLetters), line };
}

function forEachBlock(state: HeapState, visit: (at: number, size: number, born: number) => void): void {
  for (const segment of state.segments) {
    forEachChunk(state, segment, (at, granule) => {
      if (!kNotKeeping.has(chunkStateOf(state, granule))) visit(at, state.sizeOf(granule), state.born[granule] ?? 0);
    });
  }
}

/** The first page of a block and the last: those between have no free byte, and no other block. */
function forEachEdge(at: number, size: number, visit: (page: number, bytes: number) => void): void {
  const [first, last] = [Math.floor(at / kPageBytes), Math.floor((at + size - 1) / kPageBytes)];
  visit(first, Math.min(size, (first + 1) * kPageBytes - at));
  if (last !== first) visit(last, at + size - last * kPageBytes);
}
