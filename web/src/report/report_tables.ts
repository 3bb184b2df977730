// The tables of a report. Each brings all rows that the report has.

import { saidEvent } from '../answers/growth_sentence.ts';
import { formatAddress, formatCount } from '../base/format.ts';
import { rowOfFrame, stackText, wholeStackText } from '../base/frames.ts';
import { type Block, type Table, table } from '../document/document.ts';
import { plural, restOf } from '../document/words.ts';
import type { GrowthCause } from '../protocol/answers.ts';
import { kMostMarks, kMostSiteRows } from './limits.ts';
import type { HandleRow, Handles, Report, ReserveAdvice, SiteRow } from './report_types.ts';

const kMostGrowths = 40;

type Stacked = Pick<SiteRow, 'stack'>;
const known = (site: string): string => (site === '' ? 'not known' : site);
const kSite = ['call site', ({ stack }: Stacked) => known(stackText(stack))] as const;
const kWholeSite = ['call site', ({ stack }: Stacked) => known(wholeStackText(stack))] as const;

/** Of call sites by the program's own frames, and with those of libraries where a page's switch wants them. */
export const eitherSites = (report: Report, make: (sites: SitesOf) => Table): Block => ({
  is: 'either',
  short: make({ report, rows: report.sites.own, site: kSite }),
  whole: make({ report, rows: report.sites, site: kWholeSite }),
});

interface SitesOf {
  readonly report: Report;
  readonly rows: Report['sites']['own'];
  readonly site: typeof kSite | typeof kWholeSite;
}

export const siteTable = ({ report: { peak }, rows, site }: SitesOf): Table =>
  table(
    'Call sites',
    rows.list,
    [
      ['at the peak', 'peak_bytes'],
      ['share', ({ peak_bytes }) => (peak.live.bytes === 0 ? '' : peak_bytes / peak.live.bytes), 'share'],
      ['at the end', 'live_bytes'],
      ['allocated', 'allocated_bytes'],
      ['blocks', 'allocations'],
      ['temporary', 'temporaries'],
      site,
    ],
    { most: kMostSiteRows, isSortable: true, rest: (shown) => restOf(rows.count, shown, 'further call site') },
  );

export function leakingTable({ rows, site }: SitesOf): Table {
  const leaking = rows.list.filter(({ live_blocks }) => live_blocks > 0).sort((x, y) => y.live_bytes - x.live_bytes);
  const rest = (shown: number) => restOf(leaking.length, shown, 'further call site');
  const title = 'Call sites of what still lives';
  return table(title, leaking, [['blocks', 'live_blocks'], ['bytes', 'live_bytes'], site], { rest });
}

export function betweenTable({ report, rows, site }: SitesOf): Table {
  const { between } = report.sites;
  const kept = rows.list
    .filter(({ between_blocks }) => between_blocks > 0)
    .sort((x, y) => y.between_bytes - x.between_bytes);
  return table(
    `Allocated behind "${between?.from.name ?? ''}" and live at "${between?.to.name ?? ''}"`,
    kept,
    [['blocks', 'between_blocks'], ['bytes', 'between_bytes'], ['live at the end', 'between_left_blocks'], site],
    { rest: (shown) => restOf(kept.length, shown, 'further call site') },
  );
}

/** Of which part of the time; undefined: the whole. */
export function handleTable({ groups, all_groups }: Pick<Handles, 'groups' | 'all_groups'>, between?: string): Table {
  const rest = (shown: number) => restOf(all_groups, shown, 'further group');
  const title = between === undefined ? 'Not deleted, at the end' : `Made ${between}, and not deleted there`;
  const columns = [['handles', 'handles'], ['bytes', 'size_bytes'], ['blocks', 'blocks'], ...kHandle] as const;
  return table(title, groups, columns, { rest });
}

export const collectedTable = ({ collected_groups }: Handles): Table =>
  table("Deleted late, by the engine's finalizer", collected_groups, [['handles', 'handles'], ...kHandle]);

const kHandle = [
  ['class', ({ class: name }: HandleRow) => name],
  ['made by', (group: HandleRow) => madeBy(group)],
] as const;

const madeBy = ({ function: name, file, line }: HandleRow): string =>
  rowOfFrame(file === '' ? name : `${name}@${file}${line === 0 ? '' : `:${line}`}`);

export const keeperTable = ({ returnable: { held_by } }: Report): Table =>
  table('What keeps pages that are partly free, at the end', held_by, [
    ['free beside it', 'held_bytes'],
    ['blocks', 'blocks'],
    ['bytes', 'bytes'],
    kSite,
  ]);

export const frequentTable = ({ sizes }: Report): Table =>
  table(
    'The most frequent sizes',
    sizes.most_frequent,
    [
      ['size', 'request_bytes'],
      ['allocations', 'allocations'],
      ['bytes', 'bytes'],
      ['most live', 'peak_live_blocks'],
    ],
    { rest: (shown) => restOf(sizes.distinct, shown, 'further size') },
  );

export function leakTable({ leaks: { by_size, blocks } }: Report): Table {
  const blocksIn = (shown: number) => by_size.slice(0, shown).reduce((sum, row) => sum + row.blocks, 0);
  const rest = (shown: number) => restOf(blocks, blocksIn(shown), 'further block');
  const title = 'What still lives, by size';
  return table(
    title,
    by_size,
    [
      ['size', 'request_bytes'],
      ['blocks', 'blocks'],
      ['bytes', 'bytes'],
    ],
    { rest },
  );
}

export const oldestTable = ({ leaks }: Report): Table =>
  table(
    'The oldest of them',
    leaks.oldest,
    [
      ['address', ({ address }) => formatAddress(address)],
      ['size', 'request_bytes'],
      ['since event', 'event'],
      ['age', ({ age_allocations }) => plural(age_allocations, 'allocation'), 'count'],
    ],
    { rest: (shown) => restOf(leaks.blocks, shown, 'younger block') },
  );

const kCauseTexts: Readonly<Record<GrowthCause, string>> = {
  begins: 'the heap begins',
  too_little_free: 'too little was free',
  fragmented: 'free, but in pieces',
  in_place: 'grown in place',
  unknown: 'other',
};

/** What heapglass ask says of each, newest first: for a page, as the lines are long. */
export const growthSentences = ({ growths: { list } }: Report): Block => ({
  is: 'folded',
  summary: 'In words',
  blocks: [
    {
      is: 'list',
      items: list
        .slice(-kMostGrowths)
        .reverse()
        .map(({ sentence }) => sentence),
      ordered: false,
    },
  ],
});

export const growthTable = ({ growths: { list, of_heaps } }: Report): Table =>
  table(
    'What forced each growth of memory',
    list,
    [
      ['event', (growth) => formatCount(saidEvent(growth))],
      ['heap then', 'footprint_to_bytes'],
      ['memory then', ({ granted, to_bytes }) => (!granted ? 'refused' : to_bytes === 0 ? '' : to_bytes), 'bytes'],
      ['free', 'free_bytes'],
      ['pieces', 'free_pieces'],
      ['largest free', 'largest_free_bytes'],
      ['because', ({ cause }) => kCauseTexts[cause]],
    ],
    { most: kMostGrowths, from: 'last', rest: (shown) => restOf(of_heaps, shown, 'earlier growth') },
  );

export const poolTable = ({ advice }: Report): Table =>
  table('Where a pool may pay: counted; heapglass replay --advise tries it', advice.pools, [
    ['size', 'request_bytes'],
    ['most live', 'peak_live_blocks'],
    ['chunk', 'chunk_bytes'],
    ['node', 'node_bytes'],
    ['saves', 'saved_bytes'],
  ]);

const kHow: Readonly<Record<ReserveAdvice['how'], string>> = {
  reallocate: 'realloc',
  allocate_and_free: 'malloc, free',
};

export const reserveTable = ({ advice: { reserves, grown_blocks } }: Report): Table =>
  table(
    'Where a reserve may pay: counted; heapglass replay --advise tries it',
    reserves,
    [
      ['from', 'first_bytes'],
      ['to', 'last_bytes'],
      ['copies', 'steps'],
      ['bytes copied', 'copied_bytes'],
      ['how', ({ how }) => kHow[how]],
      ['last at event', 'event'],
    ],
    { rest: (shown) => restOf(grown_blocks, shown, 'further block') },
  );

export const markTable = ({ marks }: Report): Table =>
  table(
    'Marks',
    marks.list,
    [
      ['mark', ({ name }) => name],
      ['event', 'event'],
      ['live', 'live_bytes'],
    ],
    {
      most: kMostMarks,
      rest: (shown) => restOf(marks.count, shown, 'further mark'),
    },
  );
