// The estimates of a sampled trace as text.

import { formatBytes, formatCount } from '../base/format.ts';
import { ownFrames, shortFrame } from './own_frames.ts';
import { plural } from './report_words.ts';
import type { Estimates, SampledReport } from './sampled.ts';

const kRows = 20;
const kFrames = 4; // of a stack

export function sampledText(name: string, { sampled, notices, totals, sites }: SampledReport): string {
  const share = totals.allocated_bytes === 0 ? 0 : totals.standard_error / totals.allocated_bytes;
  const lines = [
    `heapglass report: ${name}`,
    '',
    ...notices.map((notice) => `! ${notice}`),
    `  sampled: one allocation in ${formatCount(sampled.mean_bytes)} bytes; all figures are estimates from ${plural(totals.samples, 'sample')}`,
    `  allocated               ${both(totals.allocated_bytes, totals.allocations)}, standard error ${(100 * share).toFixed(1)} %`,
    `  live at the end         ${both(totals.live_bytes, totals.live_blocks)}`,
    `  peak of live bytes      ${both(totals.peak_bytes, totals.peak_blocks)}`,
  ];
  if (sites.length > 0) {
    const head = ['at the peak', 'blocks', 'allocated', 'blocks', 'live', 'blocks', 'samples'];
    const rows = sites.slice(0, kRows).map((site) => estimateCells(site));
    const width = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
    const line = (row: readonly string[]) => row.map((cell, i) => cell.padStart(width[i] ?? 0)).join('  ');
    lines.push('', 'Estimates by call site', `  ${line(head)}  site`);
    rows.forEach((row, nth) => {
      lines.push(`  ${line(row)}  ${siteText(sites[nth]?.stack ?? [])}`);
    });
    if (sites.length > kRows) lines.push(`  and ${plural(sites.length - kRows, 'more site')}`);
  }
  return `${lines.join('\n').replaceAll('\u2009', ' ')}\n`;
}

const both = (bytes: number, blocks: number): string => `${formatBytes(bytes)} in ${plural(blocks, 'block')}`;

export const estimateCells = (site: Estimates): string[] => [
  formatBytes(site.peak_bytes),
  formatCount(site.peak_blocks),
  formatBytes(site.allocated_bytes),
  formatCount(site.allocations),
  formatBytes(site.live_bytes),
  formatCount(site.live_blocks),
  formatCount(site.samples),
];

const siteText = (stack: readonly string[]): string =>
  stack.length === 0 ? 'not known' : ownFrames(stack).slice(0, kFrames).map(shortFrame).join(' < ');
