// A comparison in words: how many call sites changed, what changed in the whole program, and in each site.

import { formatCount } from '../base/format.ts';
import { stackText } from '../base/frames.ts';
import {
  type Block,
  type Comparison,
  type Document,
  list,
  paragraph,
  type Section,
  section,
} from '../document/document.ts';
import { plural, restOf } from '../document/words.ts';
import type { Change, ChangedSite, ChangeKind, ComparedName, Diff } from './diff_types.ts';

const kMetricWords: Readonly<Record<ComparedName, string>> = {
  live_bytes: 'live at the end',
  live_blocks: 'blocks live at the end',
  peak_bytes: 'at the peak',
  allocated_bytes: 'allocated in all',
  allocations: 'allocations',
  temporaries: 'freed at once',
  block_bytes: 'of an allocation, in the mean',
};

const kVerbs: Readonly<Record<ChangeKind, string>> = { grew: 'grew', shrank: 'shrank', new: 'is new', gone: 'is gone' };

export function diffDocument(diff: Diff): Document {
  const { a, b, notices, noise, totals, sites } = diff;
  return {
    command: 'diff',
    kind: 'Heap comparison',
    name: `${a.name} (${plural(a.runs, 'run')}) and ${b.name} (${plural(b.runs, 'run')})`,
    title: '',
    notices: [...notices, ...(noise.known ? [] : [noise.rule])],
    about: [],
    figures: [],
    summary: summaryOf(diff),
    sections: [
      section('The whole program', ...(totals.length === 0 ? [] : [comparison('The whole program', totals)])),
      section('By call site', {
        is: 'groups',
        list: sites.map(siteGroup),
        rest: (shown) => restOf(changed(diff), shown, 'further call site'),
      }),
      section('What counts as a change', ...(noise.known ? [paragraph(noise.rule)] : [])),
    ],
    data: diff,
  };
}

const changed = ({ counts }: Diff): number => counts.grew + counts.shrank + counts.new + counts.gone;

/** One sentence: how many call sites changed. */
function summaryOf(diff: Diff): string {
  const { counts, totals } = diff;
  const all = changed(diff);
  if (all === 0) {
    const whole = totals.length === 0 ? '' : '; the whole program did, without one call site that stands out';
    return `No call site changed beyond the noise${whole}; ${plural(counts.same, 'is the same', 'are the same')}.`;
  }
  const kinds: readonly ChangeKind[] = ['grew', 'new', 'shrank', 'gone'];
  const verb = (kind: ChangeKind) =>
    kind === 'grew' || kind === 'shrank' ? kind : `${counts[kind] === 1 ? 'is' : 'are'} ${kind}`;
  const said = kinds.filter((kind) => counts[kind] > 0).map((kind) => `${formatCount(counts[kind])} ${verb(kind)}`);
  return `Of ${plural(all + counts.same, 'call site')} ${said.join(', ')}.`;
}

function siteGroup({ kind, stack_a, stack_b, changes }: ChangedSite, nth: number): Section {
  const stack = stack_b.length > 0 ? stack_b : stack_a;
  const from = stack.length === 0 ? 'calls that do not say where they come from' : stackText(stack);
  const side = (name: string, frames: readonly string[]): Block[] =>
    frames.length === 0 ? [] : [paragraph(name), list(frames, true)];
  const stacks: Block = {
    is: 'folded',
    summary: 'Call stacks',
    blocks: [...side('a', stack_a), ...side('b', stack_b)],
  };
  return section(`${from} ${kVerbs[kind]}`, comparison(`Changes of call site ${nth + 1}`, changes), stacks);
}

const comparison = (label: string, changes: readonly Change[]): Comparison => ({
  is: 'comparison',
  label,
  changes: changes.map(({ metric, unit, a, b, noise }) => ({
    what: kMetricWords[metric],
    unit: unit === 'bytes' ? 'bytes' : 'count',
    before: a,
    after: b,
    noise,
  })),
});
