// A comparison as plain text, for a terminal or a log.

import type { Diff } from './diff_types.ts';
import { changeText, restText, sidesText, siteText, summary } from './diff_words.ts';

const kRows = 15;

export function diffText(diff: Diff): string {
  const lines = [`heapglass diff: ${sidesText(diff)}`, ''];
  for (const notice of diff.notices) lines.push(`! ${notice}`);
  if (!diff.noise.known) lines.push(`! ${diff.noise.rule}`);
  if (lines.length > 2) lines.push('');
  lines.push(summary(diff));
  if (diff.totals.length > 0)
    lines.push('', 'The whole program', ...diff.totals.map((each) => `  ${changeText(each)}`));
  for (const site of diff.sites.slice(0, kRows)) {
    lines.push('', siteText(site), ...site.changes.map((each) => `  ${changeText(each)}`));
  }
  const rest = restText({ ...diff, sites: diff.sites.slice(0, kRows) });
  if (rest !== '') lines.push('', rest);
  return `${lines.join('\n').replaceAll('\u2009', ' ')}\n`;
}
