// Sentences and cells that the text and the HTML page share.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import { ownFrames, shortFrame } from './own_frames.ts';
import type { Growth, GrowthCause, Report, ReserveAdvice } from './report_types.ts';

export const kCauseTexts: Readonly<Record<GrowthCause, string>> = {
  too_little_free: 'too little was free',
  fragmented: 'free, but in pieces',
  in_place: 'grown in place',
  unknown: 'other',
};

export interface Table {
  readonly title: string;
  /** What a reader of the page's parts hears; the title when not given. */
  readonly label?: string;
  /** A column whose name ends with ' |' is text; the others are numbers, set to the right. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What the table leaves out; '' when nothing. */
  readonly rest: string;
}

export const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
const count = formatCount;
const bytes = formatBytes;
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

function growthTable({ growths }: Report, most: number): Table {
  const rows = growths.list
    .slice(-most)
    .map((growth: Growth) => [
      count(growth.event),
      growth.call,
      bytes(growth.request_bytes),
      growth.granted ? bytes(growth.to_bytes) : 'refused',
      bytes(growth.free_bytes),
      bytes(growth.largest_free_bytes),
      kCauseTexts[growth.cause],
    ]);
  return {
    title: 'What forced each growth of memory',
    columns: ['event', 'call |', 'asked', 'memory then', 'free', 'largest free', 'because |'],
    rows,
    rest: restOf(growths.granted + growths.refused, rows.length, 'earlier growth'),
  };
}

function leakTable({ leaks }: Report, most: number): Table {
  const rows = leaks.by_size
    .slice(0, most)
    .map((row) => [bytes(row.request_bytes), count(row.blocks), bytes(row.bytes)]);
  const shown = leaks.by_size.slice(0, most).reduce((sum, row) => sum + row.blocks, 0);
  return {
    title: 'What still lives, by size',
    columns: ['size', 'blocks', 'bytes'],
    rows,
    rest: restOf(leaks.blocks, shown, 'further block'),
  };
}

function oldestTable({ leaks }: Report, most: number): Table {
  const rows = leaks.oldest
    .slice(0, most)
    .map((row) => [
      formatAddress(row.address),
      bytes(row.request_bytes),
      count(row.event),
      plural(row.age_allocations, 'allocation'),
    ]);
  return {
    title: 'The oldest of them',
    columns: ['address |', 'size', 'since event', 'age'],
    rows,
    rest: restOf(leaks.blocks, rows.length, 'younger block'),
  };
}

function frequentTable({ sizes }: Report, most: number): Table {
  const rows = sizes.most_frequent
    .slice(0, most)
    .map((row) => [bytes(row.request_bytes), count(row.allocations), bytes(row.bytes), count(row.peak_live_blocks)]);
  return {
    title: 'The most frequent sizes',
    columns: ['size', 'allocations', 'bytes', 'most live'],
    rows,
    rest: restOf(sizes.distinct, rows.length, 'further size'),
  };
}

function poolTable({ advice }: Report, most: number): Table {
  const rows = advice.pools
    .slice(0, most)
    .map((row) => [
      bytes(row.request_bytes),
      count(row.peak_live_blocks),
      bytes(row.chunk_bytes),
      bytes(row.node_bytes),
      bytes(row.saved_bytes),
    ]);
  return {
    title: 'Where a pool may pay: counted; heapglass replay --advise tries it',
    columns: ['size', 'most live', 'chunk', 'node', 'saves'],
    rows,
    rest: '',
  };
}

const kHow: Readonly<Record<ReserveAdvice['how'], string>> = {
  reallocate: 'realloc',
  allocate_and_free: 'malloc, free',
};

function reserveTable({ advice }: Report, most: number): Table {
  const rows = advice.reserves
    .slice(0, most)
    .map((row) => [
      bytes(row.first_bytes),
      bytes(row.last_bytes),
      count(row.steps),
      bytes(row.copied_bytes),
      kHow[row.how],
      count(row.event),
    ]);
  return {
    title: 'Where a reserve may pay: counted; heapglass replay --advise tries it',
    columns: ['from', 'to', 'copies', 'bytes copied', 'how |', 'last at event'],
    rows,
    rest: restOf(advice.grown_blocks, rows.length, 'further block'),
  };
}

function siteTable({ sites, peak }: Report, most: number): Table {
  const rows = sites.list
    .slice(0, most)
    .map((site) => [
      bytes(site.peak_bytes),
      peak.live.bytes === 0 ? '' : percent(site.peak_bytes / peak.live.bytes),
      bytes(site.live_bytes),
      bytes(site.allocated_bytes),
      count(site.allocations),
      count(site.temporaries),
      stackText(site.stack),
    ]);
  return {
    title: 'Call sites',
    columns: ['at the peak', 'share', 'at the end', 'allocated', 'blocks', 'temporary', 'call site |'],
    rows,
    rest: restOf(sites.count, rows.length, 'further call site'),
  };
}

function leakingTable({ sites }: Report, most: number): Table {
  const leaking = sites.list.filter((site) => site.live_blocks > 0).sort((x, y) => y.live_bytes - x.live_bytes);
  const rows = leaking
    .slice(0, most)
    .map((site) => [count(site.live_blocks), bytes(site.live_bytes), stackText(site.stack)]);
  return {
    title: 'Call sites of what still lives',
    columns: ['blocks', 'bytes', 'call site |'],
    rows,
    rest: restOf(leaking.length, rows.length, 'further call site'),
  };
}

function betweenTable({ sites }: Report, most: number): Table {
  const { between, list } = sites;
  const kept = list.filter((site) => site.between_blocks > 0).sort((x, y) => y.between_bytes - x.between_bytes);
  const rows = kept
    .slice(0, most)
    .map((site) => [
      count(site.between_blocks),
      bytes(site.between_bytes),
      count(site.between_left_blocks),
      stackText(site.stack),
    ]);
  return {
    title: `Allocated behind "${between?.from.name ?? ''}" and live at "${between?.to.name ?? ''}"`,
    columns: ['blocks', 'bytes', 'live at the end', 'call site |'],
    rows,
    rest: restOf(kept.length, rows.length, 'further call site'),
  };
}

/** What siteTable's rows are sorted by. */
export const siteValues = ({ sites }: Report, most: number): (number | string)[][] =>
  sites.list
    .slice(0, most)
    .map((site) => [
      site.peak_bytes,
      site.peak_bytes,
      site.live_bytes,
      site.allocated_bytes,
      site.allocations,
      site.temporaries,
      stackText(site.stack),
    ]);

const kShownFrames = 3;

/** The program's own frames, innermost first: who called malloc, who called that ... */
export function stackText(stack: readonly string[]): string {
  const own = ownFrames(stack);
  return own.slice(0, kShownFrames).map(shortFrame).join(' < ') + (own.length > kShownFrames ? ' < ...' : '');
}

const restOf = (all: number, shown: number, what: string): string =>
  all > shown ? `and ${plural(all - shown, what)}` : '';

/** Each with at most so many rows; one without rows has nothing to say. */
export const tables = {
  sites: siteTable,
  leaking: leakingTable,
  between: betweenTable,
  frequent: frequentTable,
  leaks: leakTable,
  oldest: oldestTable,
  growth: growthTable,
  pools: poolTable,
  reserves: reserveTable,
} as const;
