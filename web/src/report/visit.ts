// The places of a trace that a report wants to know, one after the other: the model is folded to the next one, the
// program's calls are read to the same one, and the sample, growth or mark is taken there.

import { growthSentence } from '../answers/growth_sentence.ts';
import {
  type Growth as FoundGrowth,
  type GrowthPlace,
  growthOf,
  growthPlaces,
  memoryOfGrowth,
} from '../answers/growths.ts';
import { queryFreePages } from '../model/queries/free_pages.ts';
import type { History } from '../model/time/history.ts';
import type { Model } from '../model/time/model.ts';
import type { BlockFacts } from './block_facts.ts';
import { fragmentationOf, freeMemoryOf } from './free_memory.ts';
import { kMostGrowths } from './limits.ts';
import type { ProgramCalls } from './program_calls.ts';
import type { Growth, Mark, Sample } from './report_types.ts';
import { kPageBytes } from './returnable.ts';
import type { Between, Places } from './trace_places.ts';

export interface Seen {
  readonly timeline: Sample[];
  readonly growths: Growth[];
  /** Calls that grew a heap, or were refused it. */
  readonly growthCount: number;
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
  const goTo = (seq: number): boolean => {
    history.fold(seq - history.head.seq);
    calls.readTo(history.head.seq);
    return history.head.seq === seq;
  };
  history.fold(0); // the operations are known from here on
  const grown = growthPlaces(history.operations, places.growthSteps);
  const seen: Seen = { timeline: [], growths: [], growthCount: grown.length, marks: [] };
  const found: { readonly place: GrowthPlace; readonly growth: FoundGrowth }[] = [];
  const stops = [
    ...betweenCalls(places.samples, model).map((seq) => ({
      seq,
      take: () => seen.timeline.push(sampleOf(history, facts, seen.timeline[seen.timeline.length - 1])),
    })),
    ...(between === undefined
      ? []
      : [{ seq: between.to.event, take: () => facts.noteBetween(between.from.event, between.to.event) }]),
    ...grown.slice(0, kMostGrowths).map((place) => ({
      seq: place.begin,
      take: () => found.push({ place, growth: growthOf(history, history.head, place) }),
    })),
  ].sort((x, y) => x.seq - y.seq);
  let mark = 0;
  const readMarks = (end: number) => {
    for (; mark < places.marks.length; ++mark) {
      const place = places.marks[mark];
      if (place === undefined || place.event > end || !goTo(place.event)) return;
      seen.marks.push({
        ...place,
        live_bytes: facts.liveBytes,
        returnable_bytes: queryFreePages(history.head, kPageBytes),
      });
    }
  };
  for (const { seq, take } of stops) {
    readMarks(seq);
    if (goTo(seq) && !history.head.awaiting) take();
  }
  history.fold();
  readMarks(trace.count);
  calls.readTo(history.head.seq);
  seen.growths.push(...found.map(({ place, growth }) => growthRow(history, place, growth)));
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
    returnable_bytes: queryFreePages(state, kPageBytes),
    footprint_bytes: state.footprint,
    fragmentation: rounded(fragmentationOf(memory)),
  };
}

/** The answer to "why did it grow" (answers/why_grew.ts), as a row. Memory: when all is read (grow.G4). */
function growthRow(history: History, place: GrowthPlace, growth: FoundGrowth): Growth {
  const { memory_from_bytes: _, memory_to_bytes: __, refused, ...figures } = growth.figures;
  const { memory_from_bytes, memory_to_bytes } = memoryOfGrowth(history, place);
  return {
    ...figures,
    from_bytes: memory_from_bytes,
    to_bytes: memory_to_bytes,
    granted: !refused,
    sentence: growthSentence(history, growth).text,
  };
}

/** Six digits of a share. */
export const rounded = (share: number): number => Math.round(share * 1e6) / 1e6;
