// Which blocks pin a hole: those next to it, and what freeing them would join.
//
//   ... free 64 │ block A │  HOLE  │ block B │ block C │ free 4096 │ block D ...
//                 before 1          after 1   after 2               after 3
//
//   PI1  A free run is every free chunk with its free neighbours; a hole is a free run without the segment's top, unless that is
//        selected. Freeing a block joins it with the free runs on both its sides, within its segment.
//   PI2  Freeing n blocks joins most when they are the i nearest before and the n - i nearest after the hole, for some i: a block
//        behind one that stays is not reached. So a few sums are compared, not all sets of n blocks.
//   PI3  The hole is the one around the selected address; of a selected block the larger one that it touches; else the largest.
//   PI5  A slab is one pin: it goes when each of its blocks in use is freed, and so many blocks it counts. One that has none in use counts as
//        one, as a chunk that malloc caches does. A pin that is dearer than three blocks is left where it is, unless there is no other.
//   PI4  O(chunks of the heap) where the largest hole is looked for, else the chunks that are passed.

import { addr, bytes } from '../base/brand.ts';
import { chunkContaining, chunkStateOf, forEachChunk, lastStartUpTo } from '../model/state/chunk_at.ts';
import type { HeapEntry, SegmentEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import { type SlabAround, slabAround } from '../model/state/slab_around.ts';
import type { History } from '../model/time/history.ts';
import { ownFrameAt } from '../model/time/own_frames.ts';
import type { PinningBlock, PinsPart, Release } from '../panels/pins/part.ts';
import { ChunkState } from '../protocol/map_frames.ts';

const kMostBlocks = 3;
const kMostFrames = 12;

/** [begin, end) of a free run, and its segment. */
interface Hole {
  readonly segment: SegmentEntry;
  readonly begin: number;
  readonly end: number;
}

/** A block beside a hole, and how far the free run reaches once it is freed with those nearer. */
interface Beside {
  readonly at: number;
  readonly size: number;
  readonly slab: SlabAround | undefined;
  readonly cost: number; // blocks (PI5)
  readonly reach: number;
}

/** heap: whose largest hole is looked for when nothing is selected. */
export function pinsOf(
  history: History,
  state: HeapState,
  heap: HeapEntry | undefined,
  selected: number | undefined,
): PinsPart | undefined {
  const chosen = selected === undefined ? undefined : holeOf(state, selected);
  const hole = chosen ?? (heap === undefined ? undefined : largestHole(state, heap));
  if (hole === undefined) return undefined;
  const before = blocksBefore(state, hole);
  const after = blocksAfter(state, hole);
  return {
    hole: { address: addr(hole.begin), size: bytes(hole.end - hole.begin) },
    selected: chosen !== undefined,
    top: bytes(heap === undefined ? 0 : topRunOf(state, heap)),
    pins: [
      ...before.map((pin, i) => pinOf(history, state, 'before', i + 1, pin, hole.end - pin.reach)),
      ...after.map((pin, i) => pinOf(history, state, 'after', i + 1, pin, pin.reach - hole.begin)),
    ],
    releases: releasesOf(hole, before, after),
  };
}

/** PI1: the run that ends in the top; inside a call what was freed before it may not have joined it yet. */
function topRunOf(state: HeapState, { top }: HeapEntry): number {
  const segment = top === 0 ? undefined : state.segmentAt(top);
  if (segment === undefined) return 0;
  const { begin, end } = runAround(state, segment, top);
  return end - begin;
}

/** PI2, PI5 */
function releasesOf(hole: Hole, before: readonly Beside[], after: readonly Beside[]): Release[] {
  const all: Release[] = [];
  for (let i = 0; i <= before.length; ++i) {
    for (let j = 0; j <= after.length; ++j) {
      const blocks = costOf(before.slice(0, i)) + costOf(after.slice(0, j));
      const [begin, end] = [before[i - 1]?.reach ?? hole.begin, after[j - 1]?.reach ?? hole.end];
      if (i + j > 0) all.push({ blocks, before: i, after: j, joined: bytes(end - begin) });
    }
  }
  if (all.length === 0) return [];
  const releases: Release[] = [];
  const least = all.reduce((fewest, { blocks }) => Math.min(fewest, blocks), Number.MAX_SAFE_INTEGER);
  for (let most = 1; most <= Math.max(kMostBlocks, least); ++most) {
    const best = all.reduce<Release | undefined>(
      (found, each) => (each.blocks === most && each.joined > (found?.joined ?? 0) ? each : found),
      undefined,
    );
    if (best !== undefined && best.joined > (releases[releases.length - 1]?.joined ?? 0)) releases.push(best);
  }
  return releases;
}

const costOf = (pins: readonly Beside[]): number => pins.reduce((sum, { cost }) => sum + cost, 0);

function pinOf(
  { sites, operations }: History,
  state: HeapState,
  side: PinningBlock['side'],
  nth: number,
  { at, size, slab }: Beside,
  joined: number,
): PinningBlock {
  const granule = state.granuleAt(at);
  const born = state.born[granule] ?? 0;
  const site = sites.areEntered ? sites.ofEvent(born, operations) : 0;
  return {
    side,
    nth,
    address: addr(at),
    size: bytes(size),
    state: chunkStateOf(state, granule),
    slab:
      slab === undefined || slab.blocks === 0
        ? undefined
        : { blocks: slab.blocks, blockBytes: slab.blockBytes, free: slab.free },
    age: state.seq - born,
    joined: bytes(joined),
    own: sites.areEntered ? ownFrameAt(sites, site) : '',
    stack: sites.areEntered ? sites.stack(site).slice(0, kMostFrames) : [],
  };
}

// ---- holes

/** What a request can be served from. */
export const kFree: ReadonlySet<number> = new Set([ChunkState.free, ChunkState.top, ChunkState.victim]);

const isFreeAt = (state: HeapState, at: number): boolean => kFree.has(chunkStateOf(state, state.granuleAt(at)));

/** PI3, around a selected address. */
function holeOf(state: HeapState, address: number): Hole | undefined {
  const at = chunkContaining(state, address);
  const segment = state.segmentAt(address);
  if (at === undefined || segment === undefined || state.isForeign) return undefined;
  if (isFreeAt(state, at)) return runAround(state, segment, at);
  const whole = wholeOf(state, at);
  const beside = [previousChunk(state, segment, whole.at), chunkFrom(state, segment, whole.at + whole.size)].flatMap(
    (other) => (other !== undefined && isFreeAt(state, other) ? [runAround(state, segment, other)] : []),
  );
  return beside.sort((one, other) => other.end - other.begin - (one.end - one.begin))[0];
}

/** PI1. The first of the largest. */
function largestHole(state: HeapState, heap: HeapEntry): Hole | undefined {
  let largest: Hole | undefined;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id || state.isForeign) continue;
    let begin: number | undefined;
    let end = 0;
    const close = () => {
      if (begin !== undefined && end - begin > (largest === undefined ? 0 : largest.end - largest.begin))
        largest = { segment, begin, end };
      begin = undefined;
    };
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      if (kind === ChunkState.top)
        begin = undefined; // a run that ends in the top is no hole
      else if (kFree.has(kind)) {
        begin ??= at;
        end = at + state.sizeOf(granule);
      } else close();
    });
    close();
  }
  return largest;
}

function runAround(state: HeapState, segment: SegmentEntry, at: number): Hole {
  return { segment, begin: freeBefore(state, segment, at), end: freeFrom(state, segment, at) };
}

/** Where the free run begins that ends at `end`, which is a chunk's begin; `end` when there is none. */
function freeBefore(state: HeapState, segment: SegmentEntry, end: number): number {
  let begin = end;
  for (;;) {
    const before = previousChunk(state, segment, begin);
    if (before === undefined || !isFreeAt(state, before)) return begin;
    begin = before;
  }
}

/** Where the free run ends that begins at `begin`; `begin` when there is none. */
function freeFrom(state: HeapState, segment: SegmentEntry, begin: number): number {
  let end = begin;
  while (end < sentinelOf(state, segment) && isFreeAt(state, end)) end += state.sizeOf(state.granuleAt(end));
  return end;
}

// ---- blocks beside a hole, nearest first

function blocksBefore(state: HeapState, { segment, begin }: Hole): Beside[] {
  const blocks: Beside[] = [];
  let reach = begin;
  while (blocks.length < kMostBlocks) {
    const part = previousChunk(state, segment, reach);
    if (part === undefined) break;
    const whole = wholeOf(state, part);
    reach = freeBefore(state, segment, whole.at);
    blocks.push({ ...whole, reach });
  }
  return blocks;
}

function blocksAfter(state: HeapState, { segment, end }: Hole): Beside[] {
  const blocks: Beside[] = [];
  let reach = end;
  while (blocks.length < kMostBlocks && reach < sentinelOf(state, segment)) {
    const whole = wholeOf(state, reach);
    reach = freeFrom(state, segment, whole.at + whole.size);
    blocks.push({ ...whole, reach });
  }
  return blocks;
}

/** PI5. The chunk of the heap that this is, or is a part of. */
function wholeOf(state: HeapState, part: number): Omit<Beside, 'reach'> {
  const slab = slabAround(state, part);
  if (slab === undefined) return { at: part, size: state.sizeOf(state.granuleAt(part)), slab, cost: 1 };
  return { at: slab.chunk, size: slab.size, slab, cost: Math.max(1, slab.blocks - slab.free) };
}

const sentinelOf = (state: HeapState, { base, size }: SegmentEntry): number => base + size - state.wordSize;

function previousChunk(state: HeapState, segment: SegmentEntry, at: number): number | undefined {
  const before = at > segment.firstChunk ? lastStartUpTo(state, at - 1) : undefined;
  return before === undefined || before < segment.firstChunk ? undefined : before;
}

function chunkFrom(state: HeapState, segment: SegmentEntry, at: number): number | undefined {
  return at < sentinelOf(state, segment) ? at : undefined;
}
