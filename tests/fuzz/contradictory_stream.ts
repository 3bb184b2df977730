// Well-formed streams of events that contradict each other, by a seed. Each event is drawn from what the state holds: right ones,
// and ones with a word that belongs to another chunk, heap, pool, list or thread. What the model takes becomes part of the stream;
// of what it refuses one ends it.
//
//   at each refusal    the state is, bit by bit, the one before                  at the end of the stream    checkState() holds,
//   at each event      taken and undone it is too                                                            and walks come to an end

import { LostColumn } from '../../web/src/base/growing.ts';
import { createRandom, type Random } from '../../web/src/base/random.ts';
import { applyEvent, undoEvent } from '../../web/src/model/state/apply.ts';
import { forEachChunk } from '../../web/src/model/state/chunk_at.ts';
import { kHoldsBlock, kInUse } from '../../web/src/model/state/chunk_table.ts';
import { Contradiction } from '../../web/src/model/state/contradiction.ts';
import { type HeapState, kTreeEnd, HeapState as State } from '../../web/src/model/state/heap_state.ts';
import { leastPart, ownBytes, slabListOf } from '../../web/src/model/state/slabs.ts';
import { hashModelWalk } from '../../web/src/model/state/walk_compare.ts';
import { EventKind, kEventNames, kSlabLists, kSlabWords, Op } from '../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../web/src/trace/trace.ts';
import { digestOf } from '../web/model/state_digest.ts';
import { checkState } from './check_state.ts';

type Words = [head: number, a: number, b: number, c: number];

export interface ContradictoryStream {
  readonly trace: Trace;
  readonly refused: number;
  /** What did not hold, in words. */
  readonly problem: string | undefined;
}

const kEvents = 90;
const kTries = 400;
const kCheckEvery = 8;

export function contradictoryStream(seed: number): ContradictoryStream {
  const random = createRandom(seed);
  const trace = new Trace();
  const state = new State();
  const lost = new LostColumn();
  const patience = random.below(60); // refusals before one of them ends the stream
  let refused = 0;
  let problem: string | undefined;
  let before = digestOf(state);
  for (let n = 0; n < kTries && trace.count < kEvents && problem === undefined; ++n) {
    const words = spoiled(random, state, drawn(random, state, n));
    try {
      applyEvent(state, lost, ...words);
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      refused += 1;
      if (digestOf(state) !== before)
        problem = `${textOf(words)} was refused (${error.message}), and changed the state`;
      if (refused <= patience) continue;
      trace.appendEvent(...words);
      for (let i = random.below(4); i > 0; --i) trace.appendEvent(...drawn(random, state, n));
      break;
    }
    trace.appendEvent(...words);
    undoEvent(state, lost, ...words);
    if (digestOf(state) !== before) problem = 'undone, the state is not the one before';
    applyEvent(state, lost, ...words);
    before = digestOf(state); // and when it is undone behind the next event, it must be this again
    if (trace.count % kCheckEvery === 0) problem ??= checkState(state);
    if (problem !== undefined) problem = `${textOf(words)} was taken: ${problem}`;
  }
  problem ??= checkState(state);
  return { trace, refused, problem };
}

const textOf = ([head, a, b, c]: Words) =>
  `${kEventNames.get(head & 0xff)} heap ${(head >>> 8) & 0xff} detail ${head >>> 16} ${a} ${b} ${c}`;

// ---- what is drawn

interface Chunk {
  readonly at: number;
  readonly size: number;
  readonly heap: number;
  readonly granule: number;
}

const oneOf = <T>(random: Random, list: readonly T[]): T | undefined => list[random.below(list.length)];

function chunksOf(state: HeapState): Chunk[] {
  const chunks: Chunk[] = [];
  for (const segment of state.segments) {
    forEachChunk(state, segment, (at, granule) =>
      chunks.push({ at, size: state.sizeOf(granule), heap: segment.heap, granule }),
    );
  }
  return chunks;
}

const kMark: Words = [headOf(EventKind.mark, 0), 1, 2, 3];

/** An event that fits the state, most often. */
function drawn(random: Random, state: HeapState, n: number): Words {
  const { below } = random;
  if (n < 3) return [headOf(EventKind.heapCreated, n + 1, 4), 0x10000 * (n + 1), 8, 0];
  if (n < 6) return segmentAt(0x20000 * (n - 2), n - 2);
  const chunks = chunksOf(state);
  const flagsOf = ({ granule }: Chunk) => (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
  const heapWith = (chunk: Chunk) => state.heap(chunk.heap);
  const free = chunks.filter((it) => flagsOf(it) === 0);
  const isKept = (it: Chunk) =>
    state.tag[it.granule] !== 0 || heapWith(it).top === it.at || heapWith(it).victim === it.at;
  const loose = oneOf(
    random,
    free.filter((it) => !isKept(it)),
  );
  const cached = oneOf(
    random,
    chunks.filter((it) => state.isCached(it.granule)),
  );
  const inUse = oneOf(
    random,
    chunks.filter((it) => flagsOf(it) === kInUse && !state.isCached(it.granule)),
  );
  const block = oneOf(
    random,
    chunks.filter((it) => (flagsOf(it) & kHoldsBlock) !== 0),
  );
  const pool = oneOf(
    random,
    state.pools.filter((it) => it.living),
  );
  const chunk = oneOf(random, chunks);
  const event = (kind: EventKind, of: { heap: number }, detail: number, a: number, b: number, c: number): Words => [
    headOf(kind, of.heap, detail),
    a,
    b,
    c,
  ];
  switch (below(26)) {
    case 0:
    case 1:
    case 2: {
      if (loose === undefined || loose.size < 32) return kMark;
      const left = 16 + 8 * below(Math.min(40, (loose.size - 24) / 8));
      return event(EventKind.chunkSplit, loose, 0, loose.at, left, loose.size - left);
    }
    case 3:
    case 4:
      return loose === undefined ? kMark : event(EventKind.chunkTaken, loose, 0, loose.at, loose.size, loose.size - 4);
    case 5:
      return inUse === undefined ? kMark : event(EventKind.chunkReleased, inUse, 0, inUse.at, inUse.size, 0);
    case 6: {
      const right = chunks.find((it) => it.at === (chunk?.at ?? 0) + (chunk?.size ?? 0));
      if (chunk === undefined || right === undefined) return kMark;
      return event(EventKind.chunksMerged, chunk, below(3), chunk.at, chunk.size, right.size);
    }
    case 7:
    case 8:
      return loose === undefined ? kMark : event(EventKind.binInserted, loose, 1 + below(3), loose.at, loose.size, 0);
    case 9: {
      const kept = oneOf(
        random,
        free.filter((it) => state.tag[it.granule] !== 0),
      );
      if (kept === undefined) return kMark;
      const predecessor = free.find((it) => state.next[it.granule] === kept.at && state.tag[it.granule] !== 0)?.at ?? 0;
      return event(EventKind.binRemoved, kept, (state.tag[kept.granule] ?? 1) - 1, kept.at, kept.size, predecessor);
    }
    case 10: {
      const heap = oneOf(
        random,
        state.heaps.filter((it) => it.living),
      );
      if (heap === undefined) return kMark;
      const kind = below(2) === 0 ? EventKind.topChanged : EventKind.victimChanged;
      const to = below(2) === 0 ? 0 : (loose?.at ?? 0);
      return [headOf(kind, heap.id), to, kind === EventKind.topChanged ? heap.top : heap.victim, 0];
    }
    case 11: {
      const count = 1 + below(4);
      if (loose === undefined || loose.size % (8 * count) !== 0) return kMark;
      return event(EventKind.burstCarved, loose, 0, loose.at, loose.size / count, count);
    }
    case 12:
      return [headOf(EventKind.poolCreated, 1 + below(3), 1 + below(4)), 0x500, 8, 4];
    case 13: {
      if (pool === undefined) return kMark;
      const of = { heap: pool.heap };
      if (pool.shape === 0) return event(EventKind.poolShaped, of, pool.id, 0, 0, oneOf(random, [1, 4, 5]) ?? 1);
      if (pool.blockBytes === 0) return event(EventKind.poolRuled, of, pool.id, 4, 0, 40);
      return event(EventKind.poolDestroyed, of, pool.id, pool.address, 0, 0);
    }
    case 14:
      if (pool === undefined || inUse === undefined) return kMark;
      return event(EventKind.blockMade, { heap: pool.heap }, pool.id, inUse.at + 4, pool.blockBytes, 0);
    case 15:
    case 16: {
      if (block === undefined) return kMark;
      const id = state.tag[block.granule] ?? 0;
      const next = state.next[block.granule] ?? 0;
      if (next === 0) {
        const kind = below(2) === 0 ? EventKind.blockInserted : EventKind.blockRetired;
        return event(kind, block, id, block.at + 4, kind === EventKind.blockRetired ? 40 : 0, 4);
      }
      const before = chunks.find((it) => state.next[it.granule] === block.at + 4 && next >= kTreeEnd);
      const predecessor = before === undefined ? 0 : before.at + 4;
      const kind = below(2) === 0 ? EventKind.blockRemoved : EventKind.blockMoved;
      return event(kind, block, id, block.at + 4, predecessor, 0);
    }
    case 17:
    case 18: {
      if (block === undefined) return kMark;
      const node = block.at + 4 + 4 + 8 * below(4);
      const kind = state.nodeInUse(node) ? EventKind.nodeReturned : EventKind.nodeTaken;
      return event(kind, block, state.tag[block.granule] ?? 0, node, below(2) * (block.at + 4), 0);
    }
    case 19:
      if (inUse === undefined) return kMark;
      return event(
        EventKind.chunkCached,
        inUse,
        slabListOf(state, inUse.granule) ?? 1 + below(3),
        inUse.at,
        inUse.size,
        state.acting,
      );
    case 20: {
      if (cached === undefined) return kMark;
      const list = (state.tag[cached.granule] ?? 1) - 1;
      const holder = state.holderOf(cached.granule);
      const kind =
        oneOf(random, [EventKind.chunkReused, EventKind.cachedMoved, EventKind.cachedEnded]) ?? EventKind.mark;
      if (kind === EventKind.cachedMoved) return event(kind, cached, list, cached.at, holder, below(2) * state.acting);
      return event(kind, cached, list, cached.at, cached.size, kind === EventKind.cachedEnded ? holder : 1);
    }
    case 21:
      if (below(2) === 0 || pool === undefined)
        return [headOf(EventKind.threadChanged, 0), 1 + below(3), state.acting, 0];
      return [
        headOf(below(2) === 0 ? EventKind.batchFetched : EventKind.batchStored, pool.heap, pool.id),
        0,
        1 + below(3),
        state.acting,
      ];
    case 22:
      return aboutSegments(random, state);
    case 23:
      return aboutSlabs(random, state, chunks, inUse, cached);
    case 24:
      return aboutMemory(random, state, loose);
    default: {
      const heap = 1 + below(3);
      if (!state.heapById[heap]?.living) return [headOf(EventKind.heapCreated, heap, 4), 0x10000 * heap, 8, 0];
      const { hash, records } = state.sliver === 0 ? hashModelWalk(state, heap) : { hash: 0, records: 0 };
      return below(3) === 0
        ? [headOf(EventKind.checkpoint, heap), hash, records, 0]
        : [headOf(EventKind.opBegun, heap, Op.allocate), 0, below(100), 0];
    }
  }
}

const segmentAt = (base: number, heap: number): Words => [
  headOf(EventKind.segmentAdded, heap),
  base,
  2048 + 16,
  base + 12,
];

function aboutSegments(random: Random, state: HeapState): Words {
  const segment = oneOf(random, state.segments);
  const { below } = random;
  if (segment === undefined || below(4) === 0) return segmentAt(0x10000 * (1 + below(9)), 1 + below(3));
  const { base, size, heap, firstChunk } = segment;
  switch (below(5)) {
    case 0:
      return [headOf(EventKind.segmentExtended, heap), base, size, size + 256];
    case 1:
      return [headOf(EventKind.segmentTrimmed, heap), base, size, size - 256];
    case 2:
      return [headOf(EventKind.segmentRemoved, heap), base, size, firstChunk];
    case 3:
      return [headOf(EventKind.heapDestroyed, heap), state.heap(heap).address, 0, 0];
    default:
      return [headOf(EventKind.memoryGrown, heap, 1), 16, 17, 65_536];
  }
}

/** A slab is made of a chunk in use; one ends that has the chunk's own words. */
function aboutSlabs(
  { below }: Random,
  state: HeapState,
  chunks: readonly Chunk[],
  inUse: Chunk | undefined,
  cached: Chunk | undefined,
): Words {
  if (cached !== undefined && state.tag[cached.granule] === kSlabWords + 1) {
    const listAt = (at: number): number | undefined => {
      const part = chunks.find((it) => it.at === at);
      return part && slabListOf(state, part.granule);
    };
    const first = cached.at + ownBytes(state);
    const list = listAt(first);
    if (list === undefined) return [headOf(EventKind.slabEnded, cached.heap, kSlabWords), cached.at, 0, 0];
    const bytes = state.sizeOf(state.granuleOf(first));
    let count = 0;
    while (listAt(first + count * bytes) === list) count += 1;
    return [headOf(EventKind.slabEnded, cached.heap, list), cached.at, bytes, count];
  }
  if (inUse === undefined || slabListOf(state, inUse.granule) !== undefined) return kMark;
  if (below(4) === 0) return [headOf(EventKind.slabMade, inUse.heap, kSlabWords), inUse.at, 0, 0];
  const bytes = 16 + 8 * below(4);
  const count = Math.floor((inUse.size - ownBytes(state) - leastPart(state)) / bytes);
  return count < 1 ? kMark : [headOf(EventKind.slabMade, inUse.heap, kSlabLists + bytes / 8), inUse.at, bytes, count];
}

/** Memory goes on elsewhere, goes back, is kept, and is as it was kept. */
function aboutMemory({ below }: Random, state: HeapState, free: Chunk | undefined): Words {
  const pages = 4 + below(8);
  if (below(3) === 0) return [headOf(EventKind.memoryMoved, 0), 16, pages, 0];
  if (below(3) === 0) return [headOf(EventKind.pagesDiscarded, 1 + below(3)), free?.at ?? 0, free?.size ?? 0, 0];
  return [headOf(below(8) === 0 ? EventKind.stateReset : EventKind.stateKept, 0), below(3), 0, state.acting];
}

/** One time in four a word of another thing: what contradicts looks like what fits. */
function spoiled(random: Random, state: HeapState, [head, a, b, c]: Words): Words {
  const { below } = random;
  const kind = (head & 0xff) as EventKind;
  if (below(4) !== 0) return [head, a, b, c];
  const chunks = chunksOf(state);
  const other = oneOf(random, chunks);
  const some = [other?.at ?? 16, other?.size ?? 16, (other?.at ?? 16) + 4, b + 8, Math.max(0, c - 8), a + 8, 0, 8, 16];
  const word = oneOf(random, some) ?? 0;
  switch (below(6)) {
    case 0:
      return [headOf(kind, below(4), head >>> 16), a, b, c];
    case 1:
      return [headOf(kind, (head >>> 8) & 0xff, below(6)), a, b, c];
    case 2:
      return [headOf(oneOf(random, [...kEventNames.keys()]) as EventKind, (head >>> 8) & 0xff, head >>> 16), a, b, c];
    case 3:
      return [head, word, b, c];
    case 4:
      return [head, a, word, c];
    default:
      return [head, a, b, word];
  }
}
