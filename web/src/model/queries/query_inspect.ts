// All about one address: the chunk around it, its header bit by bit, where it is kept, what is beside and inside it, and
// the events of its life (block_life.ts); of a node in a block, those of the node's life.

import { type Addr, addr, bytes, seq } from '../../base/brand.ts';
import type { InspectFrame, Neighbour } from '../../panels/chunk/part.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { kUnknownList, listOf } from '../state/cached_chunks.ts';
import { chunkContaining, chunkStateOf } from '../state/chunk_at.ts';
import { kHoldsBlock, kInUse } from '../state/chunk_table.ts';
import { isSizeClass } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import { nodeAt } from '../state/nodes.ts';
import { type SlabAround, slabAround } from '../state/slab_around.ts';
import { beginOf, isHeadless, isSlabPart, ownBytes, slabListOf } from '../state/slabs.ts';
import { countFreeNodes, headerWord, kHeaderInUse, kHeaderPreviousInUse } from '../state/walk.ts';
import type { History } from '../time/history.ts';
import { lifeOf } from './block_life.ts';
import { listSizes } from './query_cache_lists.ts';
import { actingAt, classRow } from './query_caches.ts';
import { binRow, poolAround } from './query_lists.ts';
import { stackOfEvent } from './query_stack.ts';
import { threadsOf } from './threads_shown.ts';

const kMostBytes = 256;
const kMostChain = 1 << 16; // chunks of a bin followed to find the one before

/** memory: linear memory as it is now, when this moment is now. */
export function queryInspect(
  history: History,
  state: HeapState,
  asked: Addr,
  memory: Uint8Array | undefined,
): InspectFrame {
  const segment = state.segmentAt(asked);
  const at = chunkContaining(state, asked);
  if (segment === undefined || at === undefined)
    return outside(asked, segment?.heap ?? 0, segment !== undefined && !state.isForeign);
  const granule = state.granuleAt(at);
  const around = slabAround(state, at);
  const isOwn = around?.chunk === at;
  const isRest = around !== undefined && !isOwn && slabListOf(state, granule) === undefined;
  const whole = isOwn ? around.size : state.bytesOf(granule);
  const size = whole - (isRest ? state.wordSize : 0);
  const word = state.chunks[granule] ?? 0;
  const chunkState = chunkStateOf(state, granule);
  const previous = at === segment.firstChunk ? undefined : neighbour(state, chunkContaining(state, at - 1));
  const behind = state.after(at, isOwn ? whole : state.sizeOf(granule));
  const last = behind >= segment.base + segment.size - state.wordSize;
  const previousInUse = previous === undefined || isUsed(previous.state);
  const before = isHeadless(state, granule) ? state.wordSize : 0; // slabs.ts, B4
  const fromMemory = memory === undefined || before !== 0 ? undefined : readWord(memory, at);
  const modelled = headerWord(state, granule, previousInUse);
  const header = fromMemory ?? (isOwn ? modelled - state.sizeOf(granule) + size : modelled);
  const born = state.born[granule] ?? 0;
  const node = nodeUnder(state, asked);
  const life = lifeOf(history.trace, at, state.wordSize, born, state.seq, node);
  const heap = state.heapById[segment.heap];
  const bin = (word & kInUse) === 0 && heap !== undefined ? (state.tag[granule] ?? 0) - 1 : -1;
  return {
    asked,
    what: node === undefined ? 'chunk' : 'node',
    heap: segment.heap,
    chunk: addr(at + before),
    size: bytes(size),
    usable: bytes(before !== 0 ? size : size - state.wordSize),
    slab: around === undefined ? undefined : slabOf(state, granule, at, around),
    state: chunkState,
    bornAt: born === 0 ? undefined : seq(born + 1),
    request: (word & kInUse) === 0 || chunkState === ChunkState.cached ? undefined : life.request,
    headerWord: header,
    headerFrom: fromMemory === undefined ? 'model' : 'memory',
    previousInUse: (header & kHeaderPreviousInUse) !== 0,
    inUse: (header & kHeaderInUse) !== 0,
    holdsBlock: (word & kHoldsBlock) !== 0,
    ...(bin < 0 || heap === undefined
      ? { bin: undefined, nextFree: undefined, prevFree: undefined }
      : {
          bin: binRow(state, heap, bin),
          nextFree: addressOrNone(state.next[granule] ?? 0),
          prevFree: addressOrNone(predecessorOf(state, heap.binFirst[bin] ?? 0, at)),
        }),
    previous,
    next: last ? undefined : neighbour(state, state.isForeign ? chunkContaining(state, behind) : behind),
    ...insideOf(state, asked, at),
    cached: cachedOf(history, state, granule),
    small: smallOf(history, state, asked, life.nodeEvent),
    stack: stackOfEvent(history, node === undefined ? (isUsed(chunkState) ? born : 0) : (life.nodeEvent ?? 0)),
    life: life.lines,
    bytes: memory?.slice(at + before, Math.min(at + before + Math.min(size, kMostBytes), memory.length)),
  };
}

function outside(asked: Addr, heap: number, inSegment: boolean): InspectFrame {
  return {
    asked,
    what: inSegment ? 'segment_header' : 'outside',
    heap,
    chunk: asked,
    size: bytes(0),
    usable: bytes(0),
    state: ChunkState.free,
    bornAt: undefined,
    request: undefined,
    headerWord: 0,
    headerFrom: 'model',
    previousInUse: false,
    inUse: false,
    holdsBlock: false,
    bin: undefined,
    nextFree: undefined,
    prevFree: undefined,
    previous: undefined,
    next: undefined,
    pool: undefined,
    block: undefined,
    node: undefined,
    life: [],
    bytes: undefined,
  };
}

const isUsed = (state: ChunkState): boolean =>
  state === ChunkState.inUse || state === ChunkState.poolBlock || state === ChunkState.cached;
const addressOrNone = (address: number): Addr | undefined => (address === 0 ? undefined : addr(address));

function neighbour(state: HeapState, at: number | undefined): Neighbour | undefined {
  if (at === undefined) return undefined;
  const granule = state.granuleAt(at);
  return {
    address: addr(beginOf(state, at, granule)),
    size: bytes(sizeInSlab(state, granule)),
    state: chunkStateOf(state, granule),
  };
}

/** slabs.ts, B4: its own words reach to the first block, and what its blocks leave begins behind the last one. */
function sizeInSlab(state: HeapState, granule: number): number {
  const size = state.bytesOf(granule);
  if (!isSlabPart(state, granule) || slabListOf(state, granule) !== undefined) return size;
  if (isHeadless(state, granule)) return size - state.wordSize;
  return size > ownBytes(state) ? size : size + state.wordSize; // a map of slabs has no blocks
}

function readWord(memory: Uint8Array, at: number): number {
  if (at + 4 > memory.length) return 0;
  return new DataView(memory.buffer, memory.byteOffset).getUint32(at, true);
}

function predecessorOf(state: HeapState, first: number, chunk: number): number {
  let before = 0;
  let at = first;
  for (let steps = 0; at !== 0 && steps < kMostChain; ++steps) {
    if (at === chunk) return before;
    before = at;
    at = state.next[state.granuleAt(at)] ?? 0;
  }
  return 0;
}

function nodeUnder(state: HeapState, asked: number): number | undefined {
  const pool = poolAround(state, asked);
  const chunk = chunkContaining(state, asked);
  return pool === undefined || chunk === undefined ? undefined : nodeAt(pool, chunk + state.wordSize, asked);
}

function insideOf(state: HeapState, asked: number, chunk: number): Pick<InspectFrame, 'pool' | 'block' | 'node'> {
  const pool = poolAround(state, asked);
  if (pool === undefined) return { pool: undefined, block: undefined, node: undefined };
  const block = chunk + state.wordSize;
  const node = nodeAt(pool, block, asked);
  return {
    pool: pool.id,
    block: { address: addr(block), size: bytes(pool.blockBytes), freeNodes: countFreeNodes(state, pool, block) },
    node:
      node === undefined
        ? undefined
        : { address: addr(node), size: bytes(pool.nodeSize), inUse: state.nodeInUse(node) },
  };
}

function slabOf(state: HeapState, granule: number, at: number, slab: SlabAround): NonNullable<InspectFrame['slab']> {
  const { chunk, blocks, blockBytes, free } = slab;
  const part = at === chunk ? 'own' : slabListOf(state, granule) === undefined ? 'rest' : 'block';
  const nth = part === 'block' ? (at - chunk - ownBytes(state)) / blockBytes : 0;
  return { part, nth, chunk: addr(chunk), blocks, blockBytes, free };
}

function cachedOf(history: History, state: HeapState, granule: number): InspectFrame['cached'] {
  if (!state.isCached(granule)) return undefined;
  const list = listOf(state, granule);
  return {
    list: list === kUnknownList ? undefined : list,
    ...listSizes(history, list, state.sizeOf(granule)),
    holder: state.holderOf(granule),
  };
}

function smallOf(
  history: History,
  state: HeapState,
  asked: number,
  nodeEvent: number | undefined,
): InspectFrame['small'] {
  const pool = poolAround(state, asked);
  if (pool === undefined || !isSizeClass(pool)) return undefined;
  const threads = threadsOf(state);
  const lastThread = nodeEvent === undefined ? undefined : actingAt(history, nodeEvent);
  return { row: classRow(pool, threads), threads, lastThread };
}
