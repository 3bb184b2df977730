// The sums of every call site of a trace, and those of them that a report lists.
//
//   entries by number (site_facts.ts) ──names──▶ sums by stack ──the most of each figure──▶ rows of the report
//                                                    └──▶ flame graph, pprof, speedscope, diff, conditions

import { foldedStack, frameParts, ownFrames } from '../base/frames.ts';
import { Model } from '../model/time/model.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { BlockFacts } from './block_facts.ts';
import { kMostLetters, kMostSiteRows, kMostStackRows } from './limits.ts';
import { noticesOf } from './notices.ts';
import { ProgramCalls } from './program_calls.ts';
import type { SiteFigures, SiteRow, SiteRows } from './report_types.ts';
import { addFigures, noFigures, type SiteEntry } from './site_facts.ts';
import type { Between } from './trace_places.ts';
import { proofOf, type Verdict, verdictOf } from './verdict.ts';

export interface SummedSite {
  /** Innermost first; empty: calls that did not say where they came from. */
  readonly stack: readonly string[];
  readonly figures: SiteFigures;
}

/** What a site is listed for. */
const kRanks: readonly (keyof SiteFigures)[] = [
  'peak_bytes',
  'live_bytes',
  'allocated_bytes',
  'byte_events',
  'temporaries',
  'between_bytes',
];

/** Most bytes at the peak first. Sites with the same stack are one. */
export const sumSites = (
  entries: readonly SiteEntry[],
  stackOf: (site: number) => readonly string[],
): readonly SummedSite[] => sumByStack(entries.map(({ site, figures }) => ({ stack: stackOf(site), figures })));

/** By the program's own frames. */
export const foldSites = (sums: readonly SummedSite[]): readonly SummedSite[] =>
  sumByStack(sums.map(({ stack, figures }) => ({ stack: foldedStack(stack), figures })));

function sumByStack(sites: readonly SummedSite[]): readonly SummedSite[] {
  const byStack = new Map<
    string,
    { readonly stack: readonly string[]; readonly figures: ReturnType<typeof noFigures> }
  >();
  for (const { stack, figures } of sites) {
    const key = stack.join('\n');
    const known = byStack.get(key);
    if (known === undefined) byStack.set(key, { stack, figures: { ...figures } });
    else addFigures(known.figures, figures);
  }
  return [...byStack.values()].sort(
    ({ figures: x }, { figures: y }) => y.peak_bytes - x.peak_bytes || y.allocated_bytes - x.allocated_bytes,
  );
}

/** The sums alone, as far as the model goes; frames as they were written, for other tools and to compare traces. */
export function readSites(file: TraceFile): {
  readonly sites: readonly SummedSite[];
  readonly notices: readonly string[];
  readonly verdict: Verdict;
} {
  const { trace, wordSize } = file;
  const model = new Model(trace);
  const { history } = model;
  history.fold();
  const facts = new BlockFacts(1);
  new ProgramCalls(trace, wordSize, facts).readTo(history.head.seq);
  const verdict = verdictOf(file, model, proofOf(model));
  return {
    sites: sumSites(facts.siteEntries(history.head.seq), (site) => history.sites.plainStack(site)),
    notices: noticesOf(file, verdict, facts),
    verdict,
  };
}

export function siteRows(sums: readonly SummedSite[], between: Between | undefined): SiteRows {
  const unknown = sums.find(({ stack }) => stack.length === 0)?.figures ?? noFigures();
  return { ...largestOf(sums), own: largestOf(foldSites(sums)), between: between ?? null, unknown };
}

/** Those with the most of something, and all others together. */
function largestOf(sums: readonly SummedSite[]): Pick<SiteRows, 'count' | 'list' | 'other'> {
  const known = sums.filter(({ stack }) => stack.length > 0);
  const chosen = new Set<SummedSite>();
  const orders = kRanks.map((rank) =>
    known.filter(({ figures }) => figures[rank] > 0).sort((x, y) => y.figures[rank] - x.figures[rank]),
  );
  for (let nth = 0; nth < known.length && chosen.size < kMostSiteRows; ++nth) {
    for (const order of orders) {
      const site = order[nth];
      if (site !== undefined && chosen.size < kMostSiteRows) chosen.add(site);
    }
  }
  const other = noFigures();
  const rest = known.filter((site) => !chosen.has(site));
  for (const { figures } of rest) addFigures(other, figures);
  return {
    count: known.length,
    list: known.filter((site) => chosen.has(site)).map(rowOf),
    other: { sites: rest.length, ...other },
  };
}

function rowOf({ stack, figures }: SummedSite): SiteRow {
  const { name, file, line } = frameParts(ownFrames(stack)[0] ?? '');
  return {
    function: name.slice(0, kMostLetters),
    file: file.slice(0, kMostLetters),
    line,
    stack: stack.slice(0, kMostStackRows).map((frame) => frame.slice(0, kMostLetters)),
    ...figures,
  };
}
