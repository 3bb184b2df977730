// Conditions on a report, for continuous integration:  peak<32MiB leaks=0, fragmentation<=30%
//
//   conditions   condition { (space | comma) condition }
//   condition    metric  (< | <= | = | == | >= | > | !=)  number [unit]
//   unit         B KB KiB MB MiB GB GiB for bytes, % for shares
//
// parseAssertions() refuses what it does not understand; checkAssertions() says of each condition whether it holds.

import { formatBytes, formatCount } from '../base/format.ts';
import { failure, type Result, success } from '../base/result.ts';
import type { Report } from './report_types.ts';

type Kind = 'bytes' | 'count' | 'share';

interface Metric {
  readonly kind: Kind;
  readonly what: string;
  readonly of: (report: Report) => number;
  /** The same with a unit of %. */
  readonly share?: (report: Report) => number;
}

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
}

export interface Verdict {
  readonly text: string;
  readonly holds: boolean;
  readonly sentence: string;
}

const kCondition =
  /([a-z_]+)\s*([<>=!]+)\s*(\d+(?:\.\d+)?|\.\d+)((?:\s*(?:[KMG]i?B|B|%)(?![a-z]))|[a-z%]*)(?=[\s,]|$)/iy;

export function parseAssertions(text: string): Result<readonly Assertion[], string> {
  const found: Assertion[] = [];
  let at = skipSeparators(text, 0);
  while (at < text.length) {
    kCondition.lastIndex = at;
    const match = kCondition.exec(text);
    if (match === null) {
      const rest = text.slice(at).split(/[\s,]/)[0] ?? '';
      return failure(`"${rest}" is not a condition; one is written metric<value, for example peak<32MiB or leaks=0`);
    }
    const [whole, name = '', operator = '', number = '', unit = ''] = match;
    const one = makeAssertion(whole.trim(), name.toLowerCase(), operator, Number(number), unit.trim());
    if (!one.ok) return one;
    found.push(one.value);
    at = skipSeparators(text, at + whole.length);
  }
  if (found.length === 0) return failure('no condition was given; one is written metric<value, for example leaks=0');
  return success(found);
}

export function checkAssertions(report: Report, assertions: readonly Assertion[]): Verdict[] {
  return assertions.map(({ text, metric: name, operator, value, kind }) => {
    const metric = kMetrics[name];
    const found = (kind === metric?.kind ? metric.of(report) : metric?.share?.(report)) ?? Number.NaN;
    const holds = kOperators[operator]?.(found, value) === true;
    const sentence = `${name} is ${written(found, kind)} (${metric?.what ?? name}), ${holds ? 'as' : 'and not'} ${text}`;
    return { text, holds, sentence };
  });
}

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
): Result<Assertion, string> {
  const metric = Object.hasOwn(kMetrics, name) ? kMetrics[name] : undefined;
  if (metric === undefined) {
    return failure(`there is no metric "${name}"; there are ${Object.keys(kMetrics).join(', ')}`);
  }
  if (!Object.hasOwn(kOperators, operator)) {
    return failure(`"${operator}" in ${text} is no comparison; there are ${Object.keys(kOperators).join(' ')}`);
  }
  if (unit === '') return success({ text, metric: name, operator, value: number, kind: metric.kind });
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
  return success({ text, metric: name, operator, value: number * factor, kind });
}

function written(value: number, kind: Kind): string {
  if (kind === 'share') return `${Number((value * 100).toFixed(2))} %`;
  if (kind === 'count') return formatCount(value);
  return value < 1024 ? formatBytes(value) : `${formatBytes(value)} = ${formatCount(value)} B`;
}
