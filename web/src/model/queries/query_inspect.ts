// All about one address: the chunk around it, its header bit by bit, where it is kept, what is beside and inside it, and
// the events of its life; of a node in a block, those of the node's life.

import { type Addr, addr, bytes, seq } from '../../base/brand.ts';
import { EventKind, Op, Status } from '../../protocol/event_layout.ts';
import { ChunkState, type EventLine, type InspectFrame, type Neighbour } from '../../protocol/frames.ts';
import { kEventWords, kSegmentBits, kSegmentEvents, type Trace } from '../../trace/trace.ts';
import { kUnknownList, listOf } from '../state/cached_chunks.ts';
import { chunkContaining, chunkStateOf } from '../state/chunk_at.ts';
import { isSizeClass } from '../state/entries.ts';
import { type HeapState, kHoldsBlock, kInUse } from '../state/heap_state.ts';
import { nodeAt } from '../state/nodes.ts';
import { countFreeNodes, headerWord, kHeaderInUse, kHeaderPreviousInUse } from '../state/walk.ts';
import type { History } from '../time/history.ts';
import { lineOf } from '../words/explain.ts';
import { listSizes } from './query_cache_lists.ts';
import { actingAt, classRow } from './query_caches.ts';
import { binRow, poolAround } from './query_lists.ts';
import { threadsOf } from './threads_shown.ts';

const kMostBytes = 256;
const kMostLife = 24;
const kMostShownFrames = 32;
const kMostScanned = 1 << 18; // events looked through for a life
const kMostOfCall = 64; // events between the begin and the end of a call
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
  const size = state.sizeOf(granule);
  const word = state.chunks[granule] ?? 0;
  const chunkState = chunkStateOf(state, granule);
  const previous = at === segment.firstChunk ? undefined : neighbour(state, chunkContaining(state, at - 1));
  const behind = state.after(at, size);
  const last = behind >= segment.base + segment.size - state.wordSize;
  const previousInUse = previous === undefined || isUsed(previous.state);
  const fromMemory = memory === undefined ? undefined : readWord(memory, at);
  const header = fromMemory ?? headerWord(state, granule, previousInUse);
  const born = state.born[granule] ?? 0;
  const node = nodeUnder(state, asked);
  const life = lifeOf(history.trace, at, state.wordSize, born, state.seq, node);
  const heap = state.heapById[segment.heap];
  const bin = (word & kInUse) === 0 && heap !== undefined ? (state.tag[granule] ?? 0) - 1 : -1;
  return {
    asked,
    what: node === undefined ? 'chunk' : 'node',
    heap: segment.heap,
    chunk: addr(at),
    size: bytes(size),
    usable: bytes(size - state.wordSize),
    state: chunkState,
    bornAt: born === 0 ? undefined : seq(born),
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
    stack: stackOf(history, node === undefined ? (isUsed(chunkState) ? born : 0) : (life.nodeEvent ?? 0)),
    life: life.lines,
    bytes: memory?.slice(at, Math.min(at + Math.min(size, kMostBytes), memory.length)),
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
  return {
    address: addr(at),
    size: bytes(state.sizeOf(state.granuleAt(at))),
    state: chunkStateOf(state, state.granuleAt(at)),
  };
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

/** Of the operation that an event is in, which gave a block to the program. */
function stackOf({ sites, operations, trace }: History, event: number): readonly string[] | undefined {
  const kind = trace.kind(event);
  if (event === 0 || !sites.areEntered || kind === EventKind.nodeReturned || kind === EventKind.chunkCached)
    return undefined;
  const stack = sites.stack(sites.ofEvent(event, operations)).slice(0, kMostShownFrames);
  return stack.length === 0 ? undefined : stack;
}

interface Life {
  readonly lines: EventLine[];
  /** The event that last took or returned the node asked about. */
  readonly nodeEvent: number | undefined;
  /** What the user asked last: at birth, or by a later call that changed the size in place. */
  readonly request: ReturnType<typeof bytes> | undefined;
}

/** The events since birth that name the chunk, or the node: its birth and the newest of the others. */
function lifeOf(
  trace: Trace,
  chunk: number,
  wordSize: number,
  born: number,
  now: number,
  node: number | undefined,
): Life {
  const found: number[] = [];
  let nodeEvent: number | undefined;
  let request: number | undefined;
  const mem = chunk + wordSize;
  const stop = Math.max(born, now - kMostScanned);
  const next = (before: number) =>
    node === undefined ? lastNaming(trace, before, stop, chunk, mem) : lastNamingNode(trace, before, stop, node, mem);
  for (let event = next(now); event > stop; ) {
    if (found.length < kMostLife - 1) found.push(event);
    if (isNodeKind(trace.kind(event))) nodeEvent ??= event;
    request ??= requestIn(trace, event);
    if (found.length === kMostLife - 1 && request !== undefined) break;
    event = next(event);
  }
  if (born > 0 && born < now) {
    found.push(born);
    const kind = trace.kind(born);
    if (kind === EventKind.chunkTaken || kind === EventKind.chunkReused) request ??= trace.c(born);
    else if (kind === EventKind.blockAllocated) request ??= trace.b(born);
    else if (kind === EventKind.burstCarved) request ??= burstRequest(trace, born);
  }
  found.reverse();
  return {
    lines: found.map((event) => lineOf(trace, event, 0)),
    nodeEvent,
    request: request === undefined ? undefined : bytes(request),
  };
}

/** The last event in (stop, before) that names the chunk; stop when there is none. Most events fail on two words. */
function lastNaming(trace: Trace, before: number, stop: number, chunk: number, mem: number): number {
  let event = before - 1;
  while (event > stop) {
    const words = trace.segment(event >>> kSegmentBits) as Uint32Array; // events below the count have one
    const least = Math.max(stop + 1, (event >>> kSegmentBits) << kSegmentBits);
    for (; event >= least; --event) {
      const at = (event & (kSegmentEvents - 1)) * kEventWords;
      const a = words[at + 1] as number;
      const named = a === chunk || a === mem || a + (words[at + 2] as number) === chunk;
      if (named && names(trace, event, chunk, mem)) return event;
    }
  }
  return stop;
}

const isNodeKind = (kind: number): boolean => kind === EventKind.nodeTaken || kind === EventKind.nodeReturned;

/** As lastNaming, of a node: taken and returned, the calls that name it, and its block coming and going. */
function lastNamingNode(trace: Trace, before: number, stop: number, node: number, block: number): number {
  let event = before - 1;
  while (event > stop) {
    const words = trace.segment(event >>> kSegmentBits) as Uint32Array; // events below the count have one
    const least = Math.max(stop + 1, (event >>> kSegmentBits) << kSegmentBits);
    for (; event >= least; --event) {
      const at = (event & (kSegmentEvents - 1)) * kEventWords;
      const a = words[at + 1] as number;
      if (a === node && namesNode((words[at] as number) & 0xff)) return event;
      if (a === block && ((words[at] as number) & 0xff) === EventKind.blockMade) return event;
    }
  }
  return stop;
}

const namesNode = (kind: number): boolean =>
  isNodeKind(kind) ||
  kind === EventKind.opBegun ||
  kind === EventKind.opEnded ||
  kind === EventKind.batchFetched ||
  kind === EventKind.batchStored;

function names(trace: Trace, event: number, chunk: number, mem: number): boolean {
  const a = trace.a(event);
  switch (trace.kind(event)) {
    case EventKind.chunkSplit:
      return a === chunk || a + trace.b(event) === chunk;
    case EventKind.chunksMerged:
    case EventKind.chunkTaken:
    case EventKind.chunkReleased:
    case EventKind.burstCarved:
    case EventKind.binInserted:
    case EventKind.binRemoved:
    case EventKind.topChanged:
    case EventKind.victimChanged:
    case EventKind.commandTried:
    case EventKind.chunkCached:
    case EventKind.chunkReused:
    case EventKind.cachedMoved:
    case EventKind.cachedEnded:
    case EventKind.blockAllocated:
    case EventKind.blockFreed:
      return a === chunk;
    case EventKind.opBegun:
    case EventKind.opEnded:
    case EventKind.blockMade:
    case EventKind.blockRetired:
    case EventKind.blockInserted:
    case EventKind.blockRemoved:
    case EventKind.blockMoved:
      return a === mem;
    default:
      return false;
  }
}

/** What a call asked whose result the block is: told at its end, asked at its begin. */
function requestIn(trace: Trace, end: number): number | undefined {
  if (trace.kind(end) !== EventKind.opEnded || trace.c(end) !== Status.ok) return undefined;
  const op = trace.head(end) >>> 16;
  if (op !== Op.reallocate && op !== Op.command) return undefined;
  let begin = end - 1;
  const begins = () => trace.kind(begin) === EventKind.opBegun && trace.head(begin) >>> 16 === op;
  while (begin > 0 && begin > end - kMostOfCall && !begins()) --begin;
  if (!begins()) return undefined;
  // A command names what is preferred and is content with less.
  return op === Op.reallocate ? trace.b(begin) : Math.min(trace.b(begin), trace.b(end));
}

/** The size asked by the burst around the event that carved the chunk. */
function burstRequest(trace: Trace, carved: number): number | undefined {
  for (let event = carved; event >= 0 && event > carved - 4096; --event) {
    if (trace.kind(event) !== EventKind.opBegun) continue;
    return trace.head(event) >>> 16 === Op.burstNodes ? trace.b(event) : undefined;
  }
  return undefined;
}
