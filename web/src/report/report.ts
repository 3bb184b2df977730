// The report of a trace: its events are folded once, and wherever the report wants to know the heap, folding stops.
//
//   places ──▶ fold the model to the next one ──▶ read the program's calls to it ──▶ sample, growth or mark
//                   (model/time/history.ts)                   (program_calls.ts)           (visit.ts)
//
//   O1  Everything about chunks comes from the model, everything about the program's blocks from its calls.
//   O2  Where the model ends (a contradiction, a loss without a snapshot) the report ends, and a notice says so: what
//       the model did not accept is not counted either.

import { Model } from '../model/time/model.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { detailOf, type Trace } from '../trace/trace.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { adviceOf } from './advice.ts';
import { BlockFacts } from './block_facts.ts';
import { freeMemoryOf } from './free_memory.ts';
import { handleFacts } from './handle_facts.ts';
import { kMostLetters } from './limits.ts';
import { noticesOf } from './notices.ts';
import { ProgramCalls } from './program_calls.ts';
import { type Fragmentation, kReportVersion, type Peak, type Report, type Sample } from './report_types.ts';
import { returnableFacts } from './returnable.ts';
import { type SummedSite, siteRows, sumSites } from './site_sums.ts';
import { type Between, findPlaces } from './trace_places.ts';
import { proofOf, type Verdict, verdictOf } from './verdict.ts';
import { rounded, visit } from './visit.ts';

const kFreeShare = 10; // fragmentation counts where a tenth of the footprint is free

export interface ReportOptions {
  /** What the trace is called: a file's name. */
  readonly name: string;
  /** A block freed before so many further allocations is temporary; 1 when not given. */
  readonly temporaryWithin?: number;
  /** Two marks, found by findBetween(): what was allocated between them and still lived at the second, by site. */
  readonly between?: Between | undefined;
}

/** A report, and the sums of every call site, of which the report lists the largest. */
export interface Reading {
  readonly report: Report;
  readonly sites: readonly SummedSite[];
  readonly verdict: Verdict;
}

/** pre: 0 < temporaryWithin */
export const makeReport = (file: TraceFile, options: ReportOptions): Report => readReport(file, options).report;

/** pre: 0 < temporaryWithin */
export function readReport(file: TraceFile, { name, temporaryWithin = 1, between }: ReportOptions): Reading {
  const { trace, notes } = file;
  const wordSize = isForeign(trace) ? 0 : file.wordSize; // 0: nothing is claimed of headers and free memory
  const model = new Model(trace);
  const facts = new BlockFacts(temporaryWithin);
  const places = findPlaces(trace, notes.chapters ?? []);
  const seen = visit(model, new ProgramCalls(trace, wordSize, facts), facts, places, between);
  const { state } = model.head;
  const free = freeMemoryOf(state);
  const { history } = model;
  const proof = proofOf(model);
  const verdict = verdictOf(file, model, proof);
  const notices = noticesOf(file, verdict, facts);
  const sites = sumSites(facts.siteEntries(history.head.seq), (site) => history.sites.stack(site));
  const report: Report = {
    report_version: kReportVersion,
    trace: {
      name,
      title: (notes.title ?? '').slice(0, kMostLetters),
      events: trace.count,
      operations: history.operations.total,
      word_bytes: wordSize,
      heaps: state.heaps.length,
      threads: state.threads.length,
      lost_events: facts.lostEvents,
      whole: verdict.isWhole,
      proof,
    },
    notices,
    totals: facts.totals,
    peak: peakOf(model, facts),
    end: {
      live_bytes: facts.liveBytes,
      live_blocks: facts.blocks.count,
      in_use_bytes: state.inUse,
      cached_bytes: state.cached,
      free_bytes: free.free,
      largest_free_bytes: free.largest,
      footprint_bytes: state.footprint,
      memory_bytes: history.memoryBytes.at(state.seq) ?? state.footprint,
    },
    sizes: facts.sizeFacts(),
    lifetimes: facts.lifetimeFacts(),
    temporaries: facts.temporaryFacts(),
    leaks: facts.leakFacts(),
    returnable: returnableFacts(history, seen.timeline),
    fragmentation: fragmentationFacts(seen.timeline),
    growths: { granted: places.granted, refused: places.refused, of_heaps: seen.growthCount, list: seen.growths },
    advice: adviceOf(facts, wordSize),
    marks: { count: places.markCount, list: seen.marks },
    sites: siteRows(sites, between),
    handles: handleFacts(model, between),
    timeline: seen.timeline,
  };
  return { report, sites, verdict };
}

function fragmentationFacts(timeline: readonly Sample[]): Fragmentation {
  const counted = timeline.filter(({ free_bytes, footprint_bytes }) => free_bytes * kFreeShare >= footprint_bytes);
  const values = counted.filter(({ free_bytes }) => free_bytes > 0);
  const worst = values.reduce<Sample | undefined>(
    (most, sample) => (most === undefined || sample.fragmentation > most.fragmentation ? sample : most),
    undefined,
  );
  const sum = values.reduce((total, { fragmentation }) => total + fragmentation, 0);
  return {
    worst: worst?.fragmentation ?? 0,
    worst_event: worst?.event ?? 0,
    mean: values.length === 0 ? 0 : rounded(sum / values.length),
    end: timeline[timeline.length - 1]?.fragmentation ?? 0,
  };
}

function peakOf({ history }: Model, facts: BlockFacts): Peak {
  const end = history.head.seq;
  const { inUse, footprint, memoryBytes, operations } = history;
  const at = (bytes: number, event: number) => ({ bytes, event, operation: operations.begunBefore(event) });
  /** Where the greatest value up to a place is first reached. */
  const first = (greatestUpTo: (seq: number) => number) => {
    const greatest = greatestUpTo(end);
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (greatestUpTo(middle) < greatest) low = middle + 1;
      else high = middle;
    }
    return at(greatest, low);
  };
  return {
    live: { ...at(facts.peakBytes, facts.peakEvent), blocks: facts.peakBlocks },
    in_use: first((seq) => inUse.range(0, seq)[1]),
    footprint: first((seq) => footprint.maxOver(0, seq)),
    memory: first((seq) =>
      Math.max(memoryBytes.maxOver(0, seq), memoryBytes.at(end) === undefined ? footprint.maxOver(0, seq) : 0),
    ),
  };
}

/** Of an allocator that is not heapglass (event.h, P7): its heap is made before the first call; texts and sites may come earlier. */
function isForeign(trace: Trace): boolean {
  for (let seq = 0; seq < trace.count && trace.kind(seq) !== EventKind.opBegun; ++seq) {
    if (trace.kind(seq) === EventKind.heapCreated) return detailOf(trace.head(seq)) === 0;
  }
  return false;
}
