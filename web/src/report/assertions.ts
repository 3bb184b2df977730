// Conditions on a report, for continuous integration:  peak<32MiB leaks=0, fragmentation<=30%
//
//   conditions   [site] condition { (space | comma) [site] condition }
//   site         site:pattern | site:"pattern"   the conditions behind it are of these call sites (site_metrics.ts), up to the
//                next site or, where it stood in one argument with a condition, to the end of that argument: a line's end
//   condition    metric  (< | <= | = | == | >= | > | !=)  number [unit]
//   unit         B KB KiB MB MiB GB GiB for bytes, % for shares
//
// parseAssertions() refuses what it does not understand; checkAssertions() says of each condition whether it holds.

import { formatBytes, formatCount } from '../base/format.ts';
import { failure, type Result, success } from '../base/result.ts';
import type { Report } from './report_types.ts';
import { figuresOf, kSiteMetrics, type SiteMetric } from './site_metrics.ts';
import type { SummedSite } from './site_sums.ts';

type Kind = 'bytes' | 'count' | 'share';

interface MetricOf<Facts> {
  readonly kind: Kind;
  readonly what: string;
  readonly of: (facts: Facts) => number;
  /** The same with a unit of %. */
  readonly share?: (facts: Facts) => number;
  /** Why there is no such figure; '' where there is one. */
  readonly missing?: (facts: Facts) => string;
}

type Metric = MetricOf<Report>;

export const kMetrics: Readonly<Record<string, Metric>> = {
  peak: { kind: 'bytes', what: 'most bytes asked for and not freed', of: ({ peak }) => peak.live.bytes },
  footprint: { kind: 'bytes', what: 'most bytes that the heaps held', of: ({ peak }) => peak.footprint.bytes },
  memory: { kind: 'bytes', what: 'greatest size of linear memory', of: ({ peak }) => peak.memory.bytes },
  leaks: { kind: 'count', what: 'blocks live at the end', of: ({ leaks }) => leaks.blocks },
  leaked: { kind: 'bytes', what: 'bytes live at the end', of: ({ leaks }) => leaks.bytes },
  allocations: { kind: 'count', what: 'blocks allocated', of: ({ totals }) => totals.allocations },
  temporaries: {
    kind: 'count',
    what: 'blocks freed at once; with % their share of all',
    of: (report) => report.temporaries.allocations,
    share: (report) => report.temporaries.share,
  },
  fragmentation: { kind: 'share', what: 'worst fragmentation', of: (report) => report.fragmentation.worst },
  returnable: {
    kind: 'bytes',
    what: 'bytes of whole free pages at the end',
    of: (report) => report.returnable.end_bytes,
  },
  handles: {
    kind: 'count',
    what: 'handles of embind or wasm-bindgen that nobody deleted',
    of: (report) => report.handles.handles,
    missing: noHandles,
  },
  handle_bytes: {
    kind: 'bytes',
    what: 'bytes that handles hold which nobody deleted',
    of: (report) => report.handles.size_bytes,
    missing: noHandles,
  },
  lost: { kind: 'count', what: 'events lost while recording', of: ({ trace }) => trace.lost_events },
  growths: { kind: 'count', what: 'times linear memory grew', of: (report) => report.growths.granted },
};

const kUnits: Readonly<Record<string, readonly [Kind, number]>> = {
  B: ['bytes', 1],
  KB: ['bytes', 1000],
  KIB: ['bytes', 1024],
  MB: ['bytes', 1000 ** 2],
  MIB: ['bytes', 1024 ** 2],
  GB: ['bytes', 1000 ** 3],
  GIB: ['bytes', 1024 ** 3],
  '%': ['share', 0.01],
};

const kOperators: Readonly<Record<string, (found: number, wanted: number) => boolean>> = {
  '<': (found, wanted) => found < wanted,
  '<=': (found, wanted) => found <= wanted,
  '=': (found, wanted) => found === wanted,
  '==': (found, wanted) => found === wanted,
  '>=': (found, wanted) => found >= wanted,
  '>': (found, wanted) => found > wanted,
  '!=': (found, wanted) => found !== wanted,
};

export interface Assertion {
  readonly text: string; // as it was written
  readonly metric: string;
  readonly operator: string;
  readonly value: number; // bytes, a count, or a share of 1
  readonly kind: Kind;
  /** Of call sites; undefined: of the program. */
  readonly site: string | undefined;
}

export interface Verdict {
  readonly text: string;
  readonly holds: boolean;
  /** There are no such call sites: the condition neither holds nor is broken. */
  readonly unanswered: boolean;
  readonly sentence: string;
}

const kCondition =
  /([a-z_]+)\s*([<>=!]+)\s*(\d+(?:\.\d+)?|\.\d+)((?:\s*(?:[KMG]i?B|B|%)(?![a-z]))|[a-z%]*)(?=[\s,]|$)/iy;

const kSite = /site:(?:"([^"\n]*)"|([^\s"]*))(?=\s|$)/y;

export function parseAssertions(text: string): Result<readonly Assertion[], string> {
  const found: Assertion[] = [];
  let site: string | undefined;
  let sited = 0; // conditions of it in this argument
  let at = skipSeparators(text, 0);
  while (at < text.length) {
    if (sited > 0 && text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === '') site = undefined;
    kSite.lastIndex = at;
    const named = kSite.exec(text);
    if (named !== null) {
      site = named[1] ?? named[2] ?? '';
      if (site === '') return failure('site: names no function; it is written site:parse* leaks=0');
      sited = 0;
      at = skipSeparators(text, at + named[0].length);
      continue;
    }
    kCondition.lastIndex = at;
    const match = kCondition.exec(text);
    if (match === null) {
      const rest = text.slice(at).split(/[\s,]/)[0] ?? '';
      return failure(`"${rest}" is not a condition; one is written metric<value, for example peak<32MiB or leaks=0`);
    }
    const [whole, name = '', operator = '', number = '', unit = ''] = match;
    const one = makeAssertion(whole, name.toLowerCase(), operator, Number(number), unit.trim(), site);
    if (!one.ok) return one;
    found.push(one.value);
    if (site !== undefined) sited += 1;
    at = skipSeparators(text, at + whole.length);
  }
  if (found.length === 0) return failure('no condition was given; one is written metric<value, for example leaks=0');
  return success(found);
}

/** sites: of the same trace, for conditions on call sites. */
export function checkAssertions(
  report: Report,
  assertions: readonly Assertion[],
  sites: readonly SummedSite[] = [],
): Verdict[] {
  return assertions.map((assertion) => {
    const { text, metric, site } = assertion;
    if (site === undefined) {
      const missing = kMetrics[metric]?.missing?.(report) ?? '';
      if (missing !== '') return { text, holds: false, unanswered: true, sentence: missing };
      return verdictOn(assertion, metric, kMetrics[metric], report);
    }
    const figures = figuresOf(site, sites);
    if (typeof figures === 'string') return { text, holds: false, unanswered: true, sentence: figures };
    return verdictOn(assertion, `${metric} of site:${site}`, siteMetric(metric), figures);
  });
}

/** A condition on handles that nobody can see would always hold. */
function noHandles({ handles }: Report): string {
  return handles.made > 0 ? '' : 'no handle of embind or wasm-bindgen was made while this trace was recorded';
}

function verdictOn<Facts>(
  { text, operator, value, kind }: Assertion,
  name: string,
  metric: MetricOf<Facts> | undefined,
  facts: Facts,
): Verdict {
  const found = (kind === metric?.kind ? metric.of(facts) : metric?.share?.(facts)) ?? Number.NaN;
  const holds = kOperators[operator]?.(found, value) === true;
  const sentence = `${name} is ${written(found, kind)} (${metric?.what ?? name}), ${holds ? 'as' : 'and not'} ${text}`;
  return { text, holds, unanswered: false, sentence };
}

const siteMetric = (name: string): SiteMetric | undefined =>
  Object.hasOwn(kSiteMetrics, name) ? kSiteMetrics[name as keyof typeof kSiteMetrics] : undefined;

const skipSeparators = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && /[\s,]/.test(text[at] ?? '')) ++at;
  return at;
};

function makeAssertion(
  text: string,
  name: string,
  operator: string,
  number: number,
  unit: string,
  site: string | undefined,
): Result<Assertion, string> {
  const metrics: Readonly<Record<string, { readonly kind: Kind; readonly share?: unknown }>> =
    site === undefined ? kMetrics : kSiteMetrics;
  const metric = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  if (metric === undefined) {
    const whose = site === undefined ? '' : ' of call sites';
    return failure(`there is no metric "${name}"${whose}; there are ${Object.keys(metrics).join(', ')}`);
  }
  if (!Object.hasOwn(kOperators, operator)) {
    return failure(`"${operator}" in ${text} is no comparison; there are ${Object.keys(kOperators).join(' ')}`);
  }
  if (unit === '') return success({ text, metric: name, operator, value: number, kind: metric.kind, site });
  const known = Object.hasOwn(kUnits, unit.toUpperCase()) ? kUnits[unit.toUpperCase()] : undefined;
  if (known === undefined) {
    return failure(`"${unit}" in ${text} is no unit; there are B, KB, KiB, MB, MiB, GB, GiB and %`);
  }
  const [kind, factor] = known;
  if (kind !== metric.kind && !(kind === 'share' && metric.share !== undefined)) {
    const takes =
      metric.kind === 'bytes' ? 'bytes' : metric.kind === 'count' ? 'a count, without a unit' : 'a share, in %';
    return failure(`${name} is ${takes}; "${unit}" in ${text} does not fit`);
  }
  return success({ text, metric: name, operator, value: number * factor, kind, site });
}

function written(value: number, kind: Kind): string {
  if (kind === 'share') return `${Number((value * 100).toFixed(2))} %`;
  if (kind === 'count') return formatCount(value);
  return value < 1024 ? formatBytes(value) : `${formatBytes(value)} = ${formatCount(value)} B`;
}
