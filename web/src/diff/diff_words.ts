// A comparison in words: what the text and the page share.

import { formatBytes, formatCount } from '../base/format.ts';
import { plural, stackText } from '../report/report_words.ts';
import type { Change, ChangedSite, ChangeKind, ComparedName, Diff } from './diff_types.ts';

export const kMetricWords: Readonly<Record<ComparedName, string>> = {
  live_bytes: 'live at the end',
  live_blocks: 'blocks live at the end',
  peak_bytes: 'at the peak',
  allocated_bytes: 'allocated in all',
  allocations: 'allocations',
  temporaries: 'freed at once',
  block_bytes: 'of an allocation, in the mean',
};

const kVerbs: Readonly<Record<ChangeKind, string>> = { grew: 'grew', shrank: 'shrank', new: 'is new', gone: 'is gone' };

/** One sentence: how many call sites changed. */
export function summary({ counts, totals }: Diff): string {
  const all = counts.grew + counts.shrank + counts.new + counts.gone;
  if (all === 0) {
    const whole = totals.length === 0 ? '' : '; the whole program did, without one call site that stands out';
    return `No call site changed beyond the noise${whole}; ${plural(counts.same, 'is the same', 'are the same')}.`;
  }
  const kinds: readonly ChangeKind[] = ['grew', 'new', 'shrank', 'gone'];
  const said = kinds
    .filter((kind) => counts[kind] > 0)
    .map(
      (kind) =>
        `${formatCount(counts[kind])} ${kind === 'grew' || kind === 'shrank' ? kind : `${counts[kind] === 1 ? 'is' : 'are'} ${kind}`}`,
    );
  return `Of ${plural(all + counts.same, 'call site')} ${said.join(', ')}.`;
}

export function changeText({ metric, unit, a, b, change, noise }: Change): string {
  const written = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  const sign = change > 0 ? '+' : '-';
  const share = a > 0 ? `, ${sign}${Number(((Math.abs(change) / a) * 100).toFixed(1))} %` : '';
  const repeats = noise > 0 ? `; noise ${written(noise)}` : '';
  return `${kMetricWords[metric]}: ${written(a)} to ${written(b)} (${sign}${written(Math.abs(change))}${share}${repeats})`;
}

export const siteText = ({ kind, stack_a, stack_b }: ChangedSite): string => {
  const stack = stack_b.length > 0 ? stack_b : stack_a;
  return `${stack.length === 0 ? 'calls that do not say where they come from' : stackText(stack)} ${kVerbs[kind]}`;
};

export const sidesText = ({ a, b }: Diff): string =>
  `${a.name} (${plural(a.runs, 'run')}) and ${b.name} (${plural(b.runs, 'run')})`;

export function restText({ counts, sites }: Diff): string {
  const rest = counts.grew + counts.shrank + counts.new + counts.gone - sites.length;
  return rest > 0 ? `and ${plural(rest, 'further call site')}` : '';
}
