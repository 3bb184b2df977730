// A comparison as one HTML file that needs nothing else, not even a script.

import { formatBytes, formatCount } from '../base/format.ts';
import { details, escaped, htmlPage, paragraph, section, tableOf } from '../report/html_parts.ts';
import type { Table } from '../report/report_words.ts';
import type { Change, ChangedSite, Diff } from './diff_types.ts';
import { kMetricWords, restText, sidesText, siteText, summary } from './diff_words.ts';

export function diffHtml(diff: Diff): string {
  const notices = [...diff.notices, ...(diff.noise.known ? [] : [diff.noise.rule])];
  const body = [
    `<header><p class="kind">Heap comparison</p><h1>${escaped(`${diff.a.name} and ${diff.b.name}`)}</h1><p>${escaped(sidesText(diff))}</p></header>`,
    notices.length === 0
      ? ''
      : `<section class="notices" aria-label="Notices"><h2>Read this first</h2><ul>${notices.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul></section>`,
    paragraph(summary(diff)),
    diff.totals.length === 0 ? '' : section('The whole program', [tableOf(tableFor(diff.totals, 'The whole program'))]),
    diff.sites.length === 0 ? '' : section('By call site', [...diff.sites.map(siteOf), rest(diff)]),
    diff.noise.known ? section('What counts as a change', [paragraph(diff.noise.rule)]) : '',
  ];
  return htmlPage(`${diff.a.name} and ${diff.b.name} · heap comparison`, body, []);
}

function siteOf(site: ChangedSite, nth: number): string {
  const stacks = [
    ...(site.stack_a.length > 0 ? [['a', ...site.stack_a]] : []),
    ...(site.stack_b.length > 0 ? [['b', ...site.stack_b]] : []),
  ];
  const lists = stacks.map(
    ([side, ...frames]) => `<p>${side}</p><ol>${frames.map((frame) => `<li>${escaped(frame)}</li>`).join('')}</ol>`,
  );
  return `<h3>${escaped(siteText(site))}</h3>${tableOf(tableFor(site.changes, `Changes of call site ${nth + 1}`))}${details('Call stacks', lists.join(''))}`;
}

function tableFor(changes: readonly Change[], label: string): Table {
  const rows = changes.map(({ metric, unit, a, b, change, noise }) => {
    const written = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
    const sign = change > 0 ? '+' : '-';
    return [kMetricWords[metric], written(a), written(b), `${sign}${written(Math.abs(change))}`, written(noise)];
  });
  return { title: '', label, columns: ['what |', 'a', 'b', 'change', 'noise'], rows, rest: '' };
}

const rest = (diff: Diff): string => {
  const text = restText(diff);
  return text === '' ? '' : `<p class="rest">${escaped(text)}</p>`;
};
