// The events of a block's life, found by looking back from a moment: those that name its chunk or node, and what the program asked for.

import { bytes } from '../../base/brand.ts';
import type { EventLine } from '../../panels/chunk/part.ts';
import { EventKind, Op, Status } from '../../protocol/event_layout.ts';
import { kEventWords, kSegmentBits, kSegmentEvents, type Trace } from '../../trace/trace.ts';
import { lineOf } from '../words/explain.ts';

const kMostNewest = 23; // lines of a life beside its birth
const kMostScanned = 1 << 18; // events looked through for a life
const kMostOfCall = 64; // events between the begin and the end of a call

export interface Life {
  readonly lines: EventLine[];
  /** The event that last took or returned the node asked about. */
  readonly nodeEvent: number | undefined;
  /** What the user asked last: at birth, or by a later call that changed the size in place. */
  readonly request: ReturnType<typeof bytes> | undefined;
}

/** The events since birth that name the chunk, or the node: its birth and the newest of the others. */
export function lifeOf(
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
  const isIt = node === undefined ? ofChunk(chunk, mem) : ofNode(node, mem);
  const next = (before: number) => lastThatIs(trace, before, stop, isIt);
  for (let event = next(now); event > stop; ) {
    if (found.length < kMostNewest) found.push(event);
    if (isNodeKind(trace.kind(event))) nodeEvent ??= event;
    request ??= requestIn(trace, event) ?? requestUnderWay(trace, event, found, chunk, wordSize);
    if (found.length === kMostNewest && request !== undefined) break;
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

/** Whether an event is looked for. at: of its first word; kind, a: read already. Most events fail on two words. */
type IsIt = (kind: number, a: number, words: Uint32Array, at: number) => boolean;

/** The last event in (stop, before) that is looked for; stop when there is none. */
function lastThatIs(trace: Trace, before: number, stop: number, isIt: IsIt): number {
  let event = before - 1;
  while (event > stop) {
    const words = trace.segment(event >>> kSegmentBits) as Uint32Array; // events below the count have one
    const least = Math.max(stop + 1, (event >>> kSegmentBits) << kSegmentBits);
    for (; event >= least; --event) {
      const at = (event & (kSegmentEvents - 1)) * kEventWords;
      const kind = (words[at] as number) & 0xff;
      if (kind === EventKind.stateReset) break;
      if (isIt(kind, words[at + 1] as number, words, at)) return event;
    }
    if (event >= least) event = keptBefore(trace, event, stop); // kept.Q3
  }
  return stop;
}

/** The state_kept that a reset went back to, and those between them are skipped; stop when none is there. */
function keptBefore(trace: Trace, reset: number, stop: number): number {
  const number = trace.a(reset);
  let event = reset - 1;
  while (event > stop && !(trace.kind(event) === EventKind.stateKept && trace.a(event) === number)) --event;
  return event;
}

/** That names a chunk. */
const ofChunk =
  (chunk: number, mem: number): IsIt =>
  (kind, a, words, at) =>
    (a === chunk || a === mem || a + (words[at + 2] as number) === chunk) &&
    names(kind, a, words[at + 2] as number, chunk, mem);

/** Of a node: taken and returned, the calls that name it, and its block coming and going. */
const ofNode =
  (node: number, block: number): IsIt =>
  (kind, a) =>
    (a === node && namesNode(kind)) || (a === block && kind === EventKind.blockMade);

const isNodeKind = (kind: number): boolean => kind === EventKind.nodeTaken || kind === EventKind.nodeReturned;

const namesNode = (kind: number): boolean =>
  isNodeKind(kind) ||
  kind === EventKind.opBegun ||
  kind === EventKind.opEnded ||
  kind === EventKind.batchFetched ||
  kind === EventKind.batchStored;

function names(kind: number, a: number, b: number, chunk: number, mem: number): boolean {
  switch (kind) {
    case EventKind.chunkSplit:
      return a === chunk || a + b === chunk;
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

/** A call under way that has cut its block already: what the chunk has is what that call asked. */
function requestUnderWay(
  trace: Trace,
  begun: number,
  later: readonly number[],
  chunk: number,
  wordSize: number,
): number | undefined {
  if (trace.kind(begun) !== EventKind.opBegun || later.some((event) => trace.kind(event) === EventKind.opEnded))
    return undefined;
  const cut = later.find((event) => trace.kind(event) === EventKind.chunkSplit && trace.a(event) === chunk);
  return cut === undefined ? undefined : Math.min(trace.b(begun), trace.b(cut) - wordSize);
}

/** The size asked by the burst around the event that carved the chunk. */
function burstRequest(trace: Trace, carved: number): number | undefined {
  for (let event = carved; event >= 0 && event > carved - 4096; --event) {
    if (trace.kind(event) !== EventKind.opBegun) continue;
    return trace.head(event) >>> 16 === Op.burstNodes ? trace.b(event) : undefined;
  }
  return undefined;
}
