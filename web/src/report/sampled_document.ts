// The estimates of a sampled trace in words.

import { formatBytes, formatCount } from '../base/format.ts';
import { stackText } from '../base/frames.ts';
import { type Block, type Document, figures, list, paragraph, section, table } from '../document/document.ts';
import { percent, plural, restOf } from '../document/words.ts';
import type { SampledReport } from './sampled.ts';

type Site = SampledReport['sites'][number];

const { bytes } = figures;
const kMostRows = 100; // of a page
const kStacks = 40;
const kFrames = 64; // of a stack
const kShownFrames = 4; // in a line

export function sampledDocument(name: string, report: SampledReport): Document {
  const { sampled, notices, totals, sites } = report;
  const samples = plural(totals.samples, 'sample');
  const rule = `sampled: one allocation in ${formatCount(sampled.mean_bytes)} bytes; all figures are estimates from ${samples}`;
  const error = totals.allocated_bytes === 0 ? 0 : totals.standard_error / totals.allocated_bytes;
  const blocks = (count: number) => plural(count, 'block');
  return {
    command: 'report',
    kind: 'Heap estimates',
    name,
    title: '',
    notices: [rule, ...notices],
    about: [],
    figures: [
      bytes('allocated', totals.allocated_bytes, blocks(totals.allocations), `standard error ${percent(error)}`),
      bytes('live at the end', totals.live_bytes, blocks(totals.live_blocks)),
      bytes('peak of live bytes', totals.peak_bytes, blocks(totals.peak_blocks), 'with few samples too high'),
    ],
    summary: '',
    sections: [
      section('Estimates by call site', sites.length === 0 ? paragraph('No sample was taken.') : siteTable(sites)),
      section('Call stacks', ...sites.slice(0, kStacks).map(stackOf)),
    ],
    data: report,
  };
}

const siteTable = (sites: readonly Site[]): Block =>
  table(
    '',
    sites,
    [
      ['at the peak', 'peak_bytes'],
      ['blocks', 'peak_blocks'],
      ['allocated', 'allocated_bytes'],
      ['blocks', 'allocations'],
      ['live', 'live_bytes'],
      ['blocks', 'live_blocks'],
      ['samples', 'samples'],
      ['site', (site) => siteText(site, kShownFrames)],
    ],
    { label: 'Estimates by call site', most: kMostRows, rest: (shown) => restOf(sites.length, shown, 'further site') },
  );

const siteText = ({ stack }: Site, frames: number): string =>
  stack.length === 0 ? 'not known' : stackText(stack, frames);

const stackOf = (site: Site): Block => ({
  is: 'folded',
  summary: `${formatBytes(site.peak_bytes)} at the peak, ${siteText(site, 1)}`,
  blocks: [list(site.stack.slice(0, kFrames), true)],
});
