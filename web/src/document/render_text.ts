// A document as plain text, for a terminal or a log: figures and histograms fit 96 columns, a sentence is one line, and a table is
// as wide as its names.
//
//   DT2  A line is one line, whatever a name in it has: no name of a trace begins another, or moves the cursor (base/visible.ts).
//   DT1  A section's title stands where its first part has none of its own.

import { formatBytes, formatCount } from '../base/format.ts';
import { visible } from '../base/visible.ts';
import {
  type Block,
  type Comparison,
  type Document,
  type Figure,
  type Groups,
  type Histogram,
  type Section,
  shownRows,
  type Table,
} from './document.ts';
import { changeWords, written } from './words.ts';

const kLabel = 24; // of a figure
const kRows = 10; // of a table
const kGroups = 15;
const kBar = 30; // of a histogram

export function renderText({ command, name, title, notices, about, figures, summary, sections }: Document): string {
  const head = [`heapglass ${command}: ${name}${title === '' ? '' : ` (${title})`}`];
  const noticed = notices.map((notice) => `! ${notice}`);
  const said = summary === '' ? [] : [summary];
  const parts = [head, noticed, [...about, ...figures].flatMap(figureLines), said, ...sections.flatMap(sectionParts)];
  const lines = parts.filter((part) => part.length > 0).map((part) => part.map((line) => visible(line)).join('\n'));
  return `${lines.join('\n\n').replaceAll('\u202f', ' ')}\n`; // a terminal may not have the narrow space
}

const figureLines = ({ label, value, unit, note }: Figure): string[] => [
  `  ${label.padEnd(kLabel)}${[written(value, unit), note].filter((text) => text !== '').join(', ')}`,
];

/** Each with an empty line before it. */
type Part = readonly string[];

function sectionParts({ title, blocks }: Section): Part[] {
  const parts = blocks.flatMap(blockParts);
  const [first, ...others] = parts;
  if (first === undefined) return [];
  return isTitled(first) ? parts : [[title, ...first], ...others]; // DT1
}

const isTitled = ([line = '']: Part): boolean => !line.startsWith(' ');

function blockParts(block: Block): Part[] {
  switch (block.is) {
    case 'paragraph':
      return [[`  ${block.text}`]];
    case 'list':
      if (block.items.length === 0) return [];
      return [block.items.map((item, nth) => (block.ordered ? `  ${nth + 1}. ${item}` : `  ${item}`))];
    case 'table':
      return tableParts(block);
    case 'either':
      return blockParts(block.short);
    case 'pair':
      return block.tables.flatMap(tableParts);
    case 'comparison':
      return [block.changes.map(changeLine)];
    case 'histogram':
      return histogramParts(block);
    case 'groups':
      return groupParts(block);
    case 'plot':
    case 'switch':
    case 'folded':
      return []; // DM3
  }
}

function tableParts(table: Table): Part[] {
  const { title, columns, rest } = table;
  const rows = shownRows(table, kRows).map((row) => row.map((cell, i) => written(cell, columns[i]?.unit ?? 'words')));
  if (rows.length === 0) return [];
  const width = columns.map(({ name }, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => padded(cell, width[i] ?? 0, columns[i]?.unit === 'words')).join('  ')}`.trimEnd();
  const more = rest(rows.length);
  return [
    [
      ...(title === '' ? [] : [title]),
      line(columns.map(({ name }) => name)),
      ...rows.map(line),
      ...(more === '' ? [] : [`  ${more}`]),
    ],
  ];
}

const padded = (text: string, width: number, isWords: boolean) => (isWords ? text.padEnd(width) : text.padStart(width));

function changeLine(change: Comparison['changes'][number]): string {
  const { before, after, change: by, share, noise } = changeWords(change);
  const repeats = noise === '' ? '' : `; noise ${noise}`;
  return `  ${change.what}: ${before} to ${after} (${by}${share === '' ? '' : `, ${share}`}${repeats})`;
}

function histogramParts({ buckets, unit }: Histogram): Part[] {
  if (buckets.length === 0) return [];
  const most = Math.max(...buckets.map(({ allocations }) => allocations));
  const lines = buckets.map(({ from, to, allocations, bytes }) => {
    const range = from === to ? written(from, unit) : `${written(from, unit)} to ${written(to + 1, unit)}`;
    const bar = '#'.repeat(Math.ceil((allocations / most) * kBar)).padEnd(kBar);
    return `  ${range.padStart(kLabel - 2)}  ${bar} ${formatCount(allocations).padStart(13)}  ${formatBytes(bytes).padStart(9)}`;
  });
  return [lines];
}

function groupParts({ list, rest }: Groups): Part[] {
  const shown = list.slice(0, kGroups);
  const more = rest(shown.length);
  return [...shown.flatMap(sectionParts), ...(more === '' ? [] : [[more]])];
}
