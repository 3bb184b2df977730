// The sums of call sites as profiles of other tools have them: what pprof and speedscope files are made of.

import { frameParts } from '../base/frames.ts';
import type { SiteFigures } from '../report/report_types.ts';
import { readSites, type SummedSite } from '../report/site_sums.ts';
import type { TraceFile } from '../trace/trace_file.ts';

export interface Quantity {
  readonly name: string;
  readonly unit: 'bytes' | 'count';
  readonly what: string;
  readonly of: (figures: SiteFigures) => number;
}

/** The first four are those of Go's heap profiles; inuse is what lives at the end. */
export const kQuantities: readonly Quantity[] = [
  { name: 'alloc_objects', unit: 'count', what: 'blocks allocated', of: (figures) => figures.allocations },
  { name: 'alloc_space', unit: 'bytes', what: 'bytes allocated', of: (figures) => figures.allocated_bytes },
  { name: 'inuse_objects', unit: 'count', what: 'blocks live at the end', of: (figures) => figures.live_blocks },
  { name: 'inuse_space', unit: 'bytes', what: 'bytes live at the end', of: (figures) => figures.live_bytes },
  { name: 'peak_space', unit: 'bytes', what: 'bytes at the peak', of: (figures) => figures.peak_bytes },
  { name: 'temporaries', unit: 'count', what: 'blocks freed at once', of: (figures) => figures.temporaries },
];

export interface ProfileFrame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export interface SiteProfile {
  readonly frames: readonly ProfileFrame[];
  /** Each with the numbers of its frames, innermost first. */
  readonly stacks: readonly { readonly frames: readonly number[]; readonly figures: SiteFigures }[];
}

export function profileOf(file: TraceFile): SiteProfile {
  const numbers = new Map<string, number>();
  const frames: ProfileFrame[] = [];
  const numberOf = (frame: string): number => {
    const known = numbers.get(frame);
    if (known !== undefined) return known;
    numbers.set(frame, frames.length);
    frames.push(frameParts(frame));
    return frames.length - 1;
  };
  const stacks = readSites(file).sites.map(({ stack, figures }: SummedSite) => ({
    frames: (stack.length === 0 ? ['(call site not known)'] : stack).map(numberOf),
    figures,
  }));
  return { frames, stacks };
}
