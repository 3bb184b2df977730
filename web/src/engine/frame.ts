// One frame: everything the page shows of one moment, asked of the model and, when it is now, of the memory itself.

import { BrokenInvariant } from '../base/assert.ts';
import { bytes, seq } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { groupChunks } from '../model/queries/chunk_groups.ts';
import { queryCaches } from '../model/queries/query_caches.ts';
import { type BlockList, compareBlocks, listBlocks } from '../model/queries/query_compare.ts';
import { queryInspect } from '../model/queries/query_inspect.ts';
import {
  chooseHeap,
  queryBinChain,
  queryBins,
  queryHeaps,
  queryLargestFree,
  queryPoolBlocks,
  queryPools,
} from '../model/queries/query_lists.ts';
import { queryMap } from '../model/queries/query_map.ts';
import { queryOverview } from '../model/queries/query_overview.ts';
import { querySites } from '../model/queries/query_sites.ts';
import { querySizes } from '../model/queries/query_sizes.ts';
import { queryTimeline } from '../model/queries/query_timeline.ts';
import { Contradiction } from '../model/state/contradiction.ts';
import { HeapState } from '../model/state/heap_state.ts';
import { PageSummary } from '../model/state/page_summary.ts';
import type { History } from '../model/time/history.ts';
import type { Moment } from '../model/time/model.ts';
import { explainOperation } from '../model/words/explain.ts';
import { EventKind } from '../protocol/event_layout.ts';
import type { Colouring, Frame, MapFrame, StatusFrame } from '../protocol/frames.ts';
import type { At, FrameRequest } from '../protocol/messages.ts';
import { MarkCode, textBefore } from '../trace/texts.ts';
import { kindOf } from '../trace/trace.ts';
import type { Session } from './session.ts';

/** Of a state that cannot be made, or not be walked, an empty frame that says so: never one of another state. */
export function makeFrame(session: Session, request: FrameRequest): Frame {
  const at = resolveAt(session, request.at);
  try {
    const before = request.since === undefined ? undefined : blocksAt(session, request.since);
    return frameOf(session, request, session.model.at(at), session.damage, before);
  } catch (error) {
    if (!(error instanceof Contradiction || error instanceof BrokenInvariant || error instanceof RangeError))
      throw error;
    const state = new HeapState();
    state.seq = at;
    const moment = { state, pages: new PageSummary() };
    const damage = `the state at event ${formatCount(at)} cannot be shown: ${error.message}`;
    return frameOf(
      session,
      { ...request, inspect: undefined, explain: false, caches: false, sizes: false, sites: false },
      moment,
      damage,
    );
  }
}

/** The blocks of the moment that frames are compared with: listed once, not for each frame. */
const kCompared = new WeakMap<Session, BlockList>();

function blocksAt(session: Session, since: number): BlockList {
  const known = kCompared.get(session);
  const at = Math.min(since, session.head);
  if (known?.seq === at) return known;
  const list = listBlocks(session.model.at(at).state);
  kCompared.set(session, list);
  return list;
}

function frameOf(
  session: Session,
  request: FrameRequest,
  moment: Moment,
  damage: string | undefined,
  before?: BlockList,
): Frame {
  const { model } = session;
  const { history } = model;
  const { state, pages } = moment;
  const at = state.seq;
  const heaps = queryHeaps(state);
  const heap = chooseHeap(state, request.heap);
  const pool = request.pool === undefined ? undefined : state.poolById[request.pool];
  const live = isLive(session, at);
  const memory = live ? session.live?.module.views.views.u8 : undefined;
  const { timeline } = request;
  return {
    status: { ...queryStatus(session, moment, request.heap, live), damage, heaps },
    map:
      request.map === undefined
        ? undefined
        : coloured(
            history,
            state,
            request.colour,
            queryMap(state, pages, request.map, {
              memoryBytes: memoryBytesAt(session, state),
              touchedNode: touchedNode(session, at),
              trace: model.trace,
            }),
          ),
    overview: request.overview === undefined ? undefined : queryOverview(state, pages, request.overview),
    bins: heap === undefined ? [] : queryBins(state, heap),
    binChain: heap === undefined || request.bin === undefined ? undefined : queryBinChain(state, heap, request.bin),
    ...(heap === undefined ? { pools: [], poolsTotal: 0 } : queryPools(state, heap, request.pool)),
    poolBlocks: pool?.living ? queryPoolBlocks(state, pool) : undefined,
    heaps,
    caches: heap === undefined || !request.caches ? undefined : queryCaches(history, state, heap),
    sizes: heap === undefined || request.sizes !== true ? undefined : querySizes(state, heap),
    sites: request.sites === true ? querySites(history, state) : undefined,
    compare: before === undefined ? undefined : compareBlocks(before, listBlocks(state)),
    inspect: request.inspect === undefined ? undefined : queryInspect(history, state, request.inspect, memory),
    explain: request.explain ? explainOperation(history, state.seq) : undefined,
    timeline:
      timeline === undefined
        ? undefined
        : queryTimeline(
            history,
            timeline.from,
            timeline.to === 'head' ? session.head : timeline.to,
            timeline.columns,
            session.verified,
            (event) => chapterLabel(session, event),
          ),
  };
}

function coloured(history: History, state: HeapState, by: Colouring | undefined, map: MapFrame): MapFrame {
  if (by === undefined || by === 'age' || map.chunks === undefined) return map;
  return { ...map, groups: groupChunks(history, state, map.chunks, by) };
}

function resolveAt(session: Session, at: At): number {
  const { head } = session;
  switch (at.to) {
    case 'head':
      return head;
    case 'seq':
      return Math.max(0, Math.min(at.seq, head));
    case 'step': {
      const { operations } = session.model.history;
      const to = at.unit === 'event' ? at.from + at.by : operations.step(at.from, at.by);
      return Math.max(0, Math.min(to, head));
    }
  }
}

const isLive = (session: Session, at: number): boolean =>
  session.live !== undefined && session.live.module.death === undefined && at === session.head && !session.behind;

function queryStatus(
  session: Session,
  { state }: Moment,
  heapId: number,
  live: boolean,
): Omit<StatusFrame, 'damage' | 'heaps'> {
  const { history } = session.model;
  const heap = chooseHeap(state, heapId);
  const largestFree = heap === undefined ? 0 : queryLargestFree(state, heap, session.model.trace);
  const freeBytes = heap?.free ?? 0;
  const before = eventsBefore(session);
  return {
    seq: seq(state.seq),
    head: session.head,
    operations: history.operations.begunBefore(state.seq),
    operationsTotal: history.operations.total,
    inUse: bytes(state.inUse),
    cached: bytes(state.cached),
    malloc: history.malloc.heap !== undefined,
    footprint: bytes(state.footprint),
    largestFree: bytes(largestFree),
    freeBytes: bytes(freeBytes),
    fragmentation: freeBytes === 0 ? 0 : 1 - largestFree / freeBytes,
    lost: history.lostEvents - before,
    lostAt: seq(history.lostAt),
    before,
    verifiedAt: session.verified[session.verified.length - 1],
    mismatch: session.mismatch,
    waiting: session.waiting,
    broken: history.broken !== undefined,
    live,
  };
}

/** A trace that begins late says by its first event how many came before. */
function eventsBefore({ model: { trace, history } }: Session): number {
  return history.head.seq > 0 && trace.kind(0) === EventKind.eventsLost ? trace.a(0) : 0;
}

/** As the events tell; where none does, what the segments reach to, or the memory as it is now. */
function memoryBytesAt(session: Session, { seq: at, segments }: HeapState): number {
  const told = session.model.history.memoryBytes.at(at);
  if (told !== undefined) return told;
  if (session.live !== undefined) return session.live.module.memoryBytes;
  const last = segments[segments.length - 1];
  return last === undefined ? 0 : last.base + last.size;
}

/** The last node taken or returned by the operation around `at`. */
function touchedNode(session: Session, at: number): number | undefined {
  const { trace, history } = session.model;
  const [begin] = history.operations.around(at - 1) ?? [at, at];
  for (let event = at - 1; event >= Math.max(begin, at - 256); --event) {
    const kind = kindOf(trace.head(event));
    if (kind === EventKind.nodeTaken || kind === EventKind.nodeReturned) return trace.a(event);
  }
  return undefined;
}

function chapterLabel(session: Session, event: number): string | undefined {
  const { trace } = session.model;
  const code = trace.head(event) >>> 16;
  if (code === MarkCode.named) return textBefore(trace, event);
  if (code !== MarkCode.chapter) return `mark ${code}`;
  return session.notes.chapters?.[trace.a(event)] ?? `chapter ${trace.a(event) + 1}`;
}
