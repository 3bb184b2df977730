// One frame: everything the page shows of one moment, asked of the model and, when it is now, of the memory itself.

import { BrokenInvariant } from '../base/assert.ts';
import { addr, bytes, seq } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { groupChunks } from '../model/queries/chunk_groups.ts';
import { queryFreePages } from '../model/queries/free_pages.ts';
import { chooseHeap, queryHeaps, queryLargestFree } from '../model/queries/query_lists.ts';
import { placeBlocks, queryMap } from '../model/queries/query_map.ts';
import { queryOverview } from '../model/queries/query_overview.ts';
import { queryTimeline } from '../model/queries/query_timeline.ts';
import { Contradiction } from '../model/state/contradiction.ts';
import { HeapState } from '../model/state/heap_state.ts';
import { PageSummary } from '../model/state/page_summary.ts';
import type { History } from '../model/time/history.ts';
import type { Moment } from '../model/time/model.ts';
import type { AnyQuery } from '../panels/query.ts';
import { EventKind } from '../protocol/event_layout.ts';
import type { Frame, StatusFrame } from '../protocol/frames.ts';
import {
  type Colouring,
  kLegibleByte,
  type MapFrame,
  type MapViewport,
  type MemoryBytes,
} from '../protocol/map_frames.ts';
import type { At, FrameRequest } from '../protocol/messages.ts';
import type { FrameParts } from '../protocol/parts.ts';
import { bandsOf } from '../protocol/viewport.ts';
import { MarkCode, textBefore } from '../trace/texts.ts';
import { kindOf } from '../trace/trace.ts';
import type { Session } from './session.ts';

const kWasmPage = 65_536;

/** Of a state that cannot be made, or not be walked, an empty frame that says so: never one of another state. */
export function frameWith(queries: readonly AnyQuery[], session: Session, request: FrameRequest): Frame {
  const wanted = queriesOf(queries, request);
  const at = resolveAt(session, request.at);
  try {
    for (const [query, want] of wanted) query.prepare?.(session.model, want as never, at);
    const moment = session.model.at(at);
    return { ...frameOf(session, request, moment, session.damage), parts: partsOf(session, request, moment, wanted) };
  } catch (error) {
    if (!(error instanceof Contradiction || error instanceof BrokenInvariant || error instanceof RangeError))
      throw error;
    const state = new HeapState();
    state.seq = at;
    const moment = { state, pages: new PageSummary() };
    const damage = `the state at event ${formatCount(at)} cannot be shown: ${error.message}`;
    const nothing = Object.fromEntries(wanted.map(([{ key }]) => [key, undefined]));
    return { ...frameOf(session, request, moment, damage), parts: nothing };
  }
}

/** The queries that a request wants an answer of, each with what is wanted of it. */
const queriesOf = (queries: readonly AnyQuery[], { parts }: FrameRequest) =>
  queries.flatMap((query) => (query.key in parts ? [[query, parts[query.key]] as const] : []));

function partsOf(
  session: Session,
  request: FrameRequest,
  { state }: Moment,
  wanted: ReturnType<typeof queriesOf>,
): FrameParts {
  const { history } = session.model;
  const heap = chooseHeap(state, request.heap);
  const memory = memoryNow(session, state.seq);
  const context = { history, state, heap, memory };
  return Object.fromEntries(wanted.map(([query, want]) => [query.key, query.query(context, want as never)]));
}

function frameOf(
  session: Session,
  request: FrameRequest,
  moment: Moment,
  damage: string | undefined,
): Omit<Frame, 'parts'> {
  const { model } = session;
  const { history } = model;
  const { state, pages } = moment;
  const { timeline } = request;
  return {
    status: { ...queryStatus(session, moment, request.heap), damage, heaps: queryHeaps(state) },
    map:
      request.map === undefined
        ? undefined
        : {
            ...placeBlocks(
              coloured(
                history,
                state,
                request.colour,
                queryMap(state, pages, request.map, {
                  memoryBytes: memoryBytesAt(session, state),
                  touchedNode: touchedNode(session, state.seq),
                  trace: model.trace,
                }),
              ),
              state,
            ),
            bytes: bytesIn(request.map, memoryNow(session, state.seq)),
          },
    overview: request.overview === undefined ? undefined : queryOverview(state, pages, request.overview),
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

const memoryNow = (session: Session, at: number): Uint8Array | undefined =>
  isLive(session, at) ? session.live?.module.views.views.u8 : undefined;

/** What stands in the rows of a viewport, where it is near enough to be read. */
function bytesIn(viewport: MapViewport, memory: Uint8Array | undefined): readonly MemoryBytes[] | undefined {
  const { bytesPerRow, columns } = viewport;
  if (memory === undefined || columns / bytesPerRow < kLegibleByte) return undefined;
  return bandsOf(viewport).map(({ origin, rows }) => ({
    from: addr(origin),
    values: memory.slice(origin, origin + rows * bytesPerRow),
  }));
}

function queryStatus(session: Session, { state }: Moment, heapId: number): Omit<StatusFrame, 'damage' | 'heaps'> {
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
    pools: history.head.pools.length > 0,
    footprint: bytes(state.footprint),
    returnable: bytes(queryFreePages(state, kWasmPage, session.model.trace)),
    freeLists: !state.isForeign,
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
    misuse: history.broken?.misuse !== undefined,
    isTrace: session.isTrace,
    live: isLive(session, state.seq),
  };
}

/** A trace that begins late says by its first event how many came before. */
function eventsBefore({ model: { trace, history } }: Session): number {
  return history.head.seq > 0 && trace.kind(0) === EventKind.eventsLost ? trace.a(0) : 0;
}

/** As the events tell; where none does, what the segments reach to, or the memory as it is now. */
function memoryBytesAt(session: Session, { seq: at, segments }: HeapState): number {
  const known = session.model.history.memoryBytes.at(at);
  if (known !== undefined) return known;
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
