// Conditions on call sites:  site:parse* leaks=0 bytes<1MiB
//
//   pattern   * is any text. It is compared with the function's name of each frame of a stack; a pattern with @ with the whole frame,
//             function@file:line. A site belongs to it when one of its frames does: a function and all that it calls.

import { frameParts } from '../base/frames.ts';
import type { SiteFigures } from './report_types.ts';
import { addFigures, noFigures } from './site_facts.ts';
import type { SummedSite } from './site_sums.ts';

export const kSiteMetrics = {
  bytes: { kind: 'bytes', what: 'bytes allocated there', of: (figures) => figures.allocated_bytes },
  count: { kind: 'count', what: 'blocks allocated there', of: (figures) => figures.allocations },
  peak: { kind: 'bytes', what: "its bytes at the program's peak", of: (figures) => figures.peak_bytes },
  leaks: { kind: 'count', what: 'its blocks live at the end', of: (figures) => figures.live_blocks },
  leaked: { kind: 'bytes', what: 'its bytes live at the end', of: (figures) => figures.live_bytes },
  temporaries: {
    kind: 'count',
    what: 'its blocks freed at once; with % their share of its allocations',
    of: (figures) => figures.temporaries,
    share: (figures) => (figures.allocations === 0 ? 0 : figures.temporaries / figures.allocations),
  },
} as const satisfies Readonly<Record<string, SiteMetric>>;

export interface SiteMetric {
  readonly kind: 'bytes' | 'count';
  readonly what: string;
  readonly of: (figures: SiteFigures) => number;
  readonly share?: (figures: SiteFigures) => number;
}

/** The figures of all sites of a pattern together; a sentence when there is no such site. */
export function figuresOf(pattern: string, sites: readonly SummedSite[]): SiteFigures | string {
  const fits = matcher(pattern);
  const found = sites.filter(({ stack }) => stack.some(fits));
  if (found.length === 0) return noneFits(pattern, sites);
  const sum = noFigures();
  for (const { figures } of found) addFigures(sum, figures);
  return sum;
}

/** Whether a frame fits a pattern. */
export function matcher(pattern: string): (frame: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  if (pattern.includes('@')) return (frame) => expression.test(frame);
  return (frame) => expression.test(frameParts(frame).name);
}

const kMostNamed = 8;

function noneFits(pattern: string, sites: readonly SummedSite[]): string {
  const names = new Set(sites.flatMap(({ stack }) => stack.map((frame) => frameParts(frame).name)));
  if (names.size === 0) return 'the trace does not say where its calls came from: it was recorded without stacks';
  const some = [...names].slice(0, kMostNamed).join(', ');
  const more = names.size > kMostNamed ? `, and ${names.size - kMostNamed} more` : '';
  return `no function of the trace fits site:${pattern}; there are ${some}${more}`;
}
