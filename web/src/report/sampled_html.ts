// The estimates of a sampled trace as one HTML file that needs nothing else, not even a script.

import { formatBytes, formatCount } from '../base/format.ts';
import { details, escaped, htmlPage, paragraph, section, tableOf } from './html_parts.ts';
import { ownFrames, shortFrame } from './own_frames.ts';
import { plural } from './report_words.ts';
import type { SampledReport } from './sampled.ts';
import { estimateCells } from './sampled_text.ts';

const kRows = 100;
const kStacks = 40;
const kFrames = 64; // of a stack

export function sampledHtml(name: string, report: SampledReport): string {
  const { sampled, notices, totals, sites } = report;
  const error = totals.allocated_bytes === 0 ? 0 : totals.standard_error / totals.allocated_bytes;
  const said = [
    `One allocation in ${formatCount(sampled.mean_bytes)} bytes was recorded. All figures are estimates of the whole program, from ${plural(totals.samples, 'sample')}.`,
    ...notices,
  ];
  const tiles = [
    tile('Peak live', totals.peak_bytes, `${plural(totals.peak_blocks, 'block')}; with few samples too high`),
    tile('Allocated', totals.allocated_bytes, `standard error ${(100 * error).toFixed(1)} %`),
    tile('Still live', totals.live_bytes, plural(totals.live_blocks, 'block')),
  ];
  return htmlPage(
    `${name} · heap estimates`,
    [
      `<header><p class="kind">Heap estimates</p><h1>${escaped(name)}</h1></header>`,
      `<section class="notices" aria-label="Notices"><h2>Read this first</h2><ul>${said.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul></section>`,
      `<dl class="tiles">${tiles.join('')}</dl>`,
      section('Call sites', [sites.length === 0 ? paragraph('No sample was taken.') : siteTable(report)]),
      section('Call stacks', [sites.slice(0, kStacks).map(stackOf).join('')]),
    ],
    [],
  );
}

const tile = (label: string, bytes: number, note: string): string =>
  `<div class="tile"><dt>${label}</dt><dd><strong>${escaped(formatBytes(bytes))}</strong><span>${escaped(note)}</span></dd></div>`;

function siteTable({ sites }: SampledReport): string {
  const rest = sites.length > kRows ? `and ${plural(sites.length - kRows, 'more site')}` : '';
  return tableOf({
    title: '',
    label: 'Estimates by call site',
    columns: ['call site |', 'at the peak', 'blocks', 'allocated', 'blocks', 'live', 'blocks', 'samples'],
    rows: sites.slice(0, kRows).map((site) => [siteName(site), ...estimateCells(site)]),
    rest,
  });
}

type Site = SampledReport['sites'][number];

const siteName = ({ stack }: Site): string => {
  const [innermost] = ownFrames(stack);
  return innermost === undefined ? 'not known' : shortFrame(innermost);
};

const stackOf = (site: Site): string =>
  details(
    escaped(`${formatBytes(site.peak_bytes)} at the peak, ${siteName(site)}`),
    site.stack.length === 0
      ? ''
      : `<ol>${site.stack
          .slice(0, kFrames)
          .map((frame) => `<li>${escaped(frame)}</li>`)
          .join('')}</ol>`,
  );
