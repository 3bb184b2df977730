// The places of a trace that a report wants to know, one after the other: the model is folded to the next one, the
// program's calls are read to the same one, and the sample, growth or mark is taken there.

import type { History } from '../model/time/history.ts';
import type { Model } from '../model/time/model.ts';
import { kOpNames, Op } from '../protocol/event_layout.ts';
import { detailOf } from '../trace/trace.ts';
import type { BlockFacts } from './block_facts.ts';
import { type FreeMemory, fragmentationOf, freeMemoryOf } from './free_memory.ts';
import type { ProgramCalls } from './program_calls.ts';
import type { Growth, GrowthCause, Mark, Sample } from './report_types.ts';
import type { Between, Places } from './trace_places.ts';

const kMemoryPage = 65_536;

export interface Seen {
  readonly timeline: Sample[];
  readonly growths: Growth[];
  readonly marks: Mark[];
}

/** Folds and reads from place to place. */
export function visit(
  model: Model,
  calls: ProgramCalls,
  facts: BlockFacts,
  places: Places,
  between: Between | undefined,
): Seen {
  const { history, trace } = model;
  const seen: Seen = { timeline: [], growths: [], marks: [] };
  const goTo = (seq: number): boolean => {
    history.fold(seq - history.head.seq);
    calls.readTo(history.head.seq);
    return history.head.seq === seq;
  };
  history.fold(0); // the operations are known from here on
  const stops = [
    ...betweenCalls(places.samples, model).map((seq) => ({
      seq,
      take: () => seen.timeline.push(sampleOf(history, facts, seen.timeline[seen.timeline.length - 1])),
    })),
    ...(between === undefined
      ? []
      : [{ seq: between.to.event, take: () => facts.noteBetween(between.from.event, between.to.event) }]),
    ...places.growths.map((seq) => ({ seq, take: () => seen.growths.push(growthOf(model, calls, seq)) })),
  ].sort((x, y) => x.seq - y.seq);
  let mark = 0;
  const readMarks = (end: number) => {
    for (; mark < places.marks.length; ++mark) {
      const place = places.marks[mark];
      if (place === undefined || place.event > end || !goTo(place.event)) return;
      seen.marks.push({ ...place, live_bytes: facts.liveBytes });
    }
  };
  for (const { seq, take } of stops) {
    readMarks(seq);
    if (goTo(seq) && !history.head.awaiting) take();
  }
  history.fold();
  readMarks(trace.count);
  calls.readTo(history.head.seq);
  return seen;
}

/** Samples move behind the call they lie in: there a chunk may be kept nowhere for an event, which looks fragmented. */
function betweenCalls(samples: readonly number[], { history, trace }: Model): number[] {
  const moved = samples.map((seq) => {
    const [begin, end] = history.operations.around(seq - 1) ?? [seq, seq];
    return seq > begin && seq < end ? end : seq;
  });
  return [...new Set(moved)].filter((seq) => seq <= trace.count);
}

function sampleOf({ head: state, inUse }: History, facts: BlockFacts, before: Sample | undefined): Sample {
  const memory = freeMemoryOf(state);
  return {
    event: state.seq,
    live_bytes: facts.liveBytes,
    live_peak_bytes: facts.takePeak(),
    in_use_bytes: state.inUse,
    in_use_peak_bytes: inUse.range(before?.event ?? 0, state.seq)[1],
    cached_bytes: state.cached,
    free_bytes: memory.free,
    largest_free_bytes: memory.largest,
    footprint_bytes: state.footprint,
    fragmentation: rounded(fragmentationOf(memory)),
  };
}

/** The state is the one before the event: what the allocator had when it asked for memory. */
function growthOf({ trace, head }: Model, calls: ProgramCalls, seq: number): Growth {
  const memory = freeMemoryOf(head.state);
  const { asked } = calls;
  const request = asked?.request ?? 0;
  return {
    event: seq,
    call: asked === undefined ? 'none' : (kOpNames.get(asked.op) ?? 'unknown'),
    request_bytes: request,
    from_bytes: trace.a(seq) * kMemoryPage,
    to_bytes: trace.b(seq) * kMemoryPage,
    granted: detailOf(trace.head(seq)) !== 0,
    free_bytes: memory.free,
    largest_free_bytes: memory.largest,
    cached_bytes: head.state.cached,
    cause: causeOf(asked?.op, request, head.state.wordSize, memory),
  };
}

function causeOf(
  op: number | undefined,
  request: number,
  wordSize: number,
  { free, largest }: FreeMemory,
): GrowthCause {
  if (op === undefined || wordSize === 0) return 'unknown';
  const chunk = Math.max(4 * wordSize, Math.ceil((request + wordSize) / (2 * wordSize)) * 2 * wordSize);
  if (free < chunk) return 'too_little_free';
  if (largest < chunk) return 'fragmented';
  return op === Op.reallocate || op === Op.command ? 'in_place' : 'unknown';
}

/** Six digits of a share. */
export const rounded = (share: number): number => Math.round(share * 1e6) / 1e6;
