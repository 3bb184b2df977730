// Expansion commands, burst allocation and adaptive pools: AE1 to AE5.
// Over 300 lines: a table, five entries of texts, columns and charts.

import type { Chart, ExperimentId, Figures, ReportTable, RowResult } from '../protocol/experiments.ts';
import {
  type CatalogEntry,
  type Column,
  countColumn,
  differs,
  distinct,
  figure,
  find,
  iterationsColumn,
  percent,
  series,
  shown,
  sizeColumn,
  speedAgainst,
  speedBars,
  speedColumn,
  tableOf,
  timeColumn,
  times,
  wayColumn,
  withDocument,
} from './report.ts';

const kBase = 'V1'; // what the document normalizes to

/** Speed of one way at one size, V1 being 1. */
function speed(results: readonly RowResult[], way: string, size: number, name: string): number | undefined {
  const result = find(results, { way, size });
  return result === undefined ? undefined : speedAgainst(results, kBase, name, result);
}

const kAllocator = wayColumn('allocator');

// ---- AE1, AE2: what growth costs a vector ----

const kFewest = 10; // elements: where the document counts calls
const kMost = 10_000;
const kErased = 5; // elements at a time, in AE3

function growthTables(results: readonly RowResult[], columns: readonly Column[]): readonly ReportTable[] {
  return distinct(results, 'size').map((size) =>
    tableOf(
      `${shown(size)} elements`,
      columns,
      results.filter(({ row }) => row.size === size),
    ),
  );
}

const documentCalls = ({ row }: RowResult): string => {
  if (row.size !== kFewest) return '';
  return row.way === 'V2' || row.way === 'V2 masked' ? '4' : '6';
};

const documentForward = (way: string, size: number): number | undefined => {
  if (size !== kMost) return undefined;
  return way === 'V2' ? 2.5 : way === 'V2 masked' ? 1.25 : undefined;
};

const ae1: CatalogEntry = {
  title: 'A vector grows at its end',
  question:
    'What does push_back of n ints cost when the allocator can extend the buffer in place? The document: at n = 10,000 twice as fast as V2 without expansion and 2.5 times as fast as V1; at n = 10 it makes 4 calls instead of 6.',
  tables: (results) =>
    growthTables(results, [
      kAllocator,
      iterationsColumn,
      speedColumn('speed (document)', results, kBase, 'push_back_ms', ({ row }) => documentForward(row.way, row.size)),
      timeColumn('ms', 'push_back_ms'),
      {
        head: 'calls an iteration (document)',
        cell: (result) => withDocument(shown(figure(result, 'calls')), documentCalls(result)),
      },
      countColumn('new buffers', 'allocations'),
      countColumn('expansions', 'expansions_fwd'),
      countColumn('capacity', 'capacity'),
      countColumn('most bytes held', 'peak_held_bytes'),
    ]),
  charts: (results) => [
    speedBars('push_back', 'elements', results, kBase, 'push_back_ms', documentForward),
    countBars('Calls of the allocator an iteration', results, 'calls', (way, size) =>
      size === kFewest ? (way === 'V2' || way === 'V2 masked' ? 4 : 6) : undefined,
    ),
  ],
  findings: (results) => [
    ...differs('V2 against V1 at n = 10,000', speed(results, 'V2', kMost, 'push_back_ms'), 2.5),
    ...differs(
      'V2 without expansion against V1 at n = 10,000',
      speed(results, 'V2 masked', kMost, 'push_back_ms'),
      1.25,
    ),
    ...callsOfV1(results),
  ],
};

function callsOfV1(results: readonly RowResult[]): string[] {
  const calls = figure(find(results, { way: 'V1', size: kFewest }), 'calls');
  if (calls === undefined || calls === 6) return [];
  return [
    `V1 at n = 10: ${calls} calls here, 6 in the document. Boost's vector grows by 8/5 (1, 2, 3, 4, 6, 9, 14); the document does not state its growth factor.`,
  ];
}

function countBars(
  title: string,
  results: readonly RowResult[],
  name: string,
  document: (way: string, size: number) => number | undefined = () => undefined,
): Chart {
  const sizes = distinct(results, 'size').sort((a, b) => a - b);
  return {
    title,
    kind: 'bars',
    scale: 'linear',
    xLabel: 'elements',
    yLabel: name,
    categories: sizes.map((size) => shown(size)),
    series: distinct(results, 'way').map((way) =>
      series(
        way,
        sizes.map((size) => figure(find(results, { way, size }), name)),
        sizes.map((size) => document(way, size)),
      ),
    ),
  };
}

const ae2: CatalogEntry = {
  title: 'A vector grows towards its front',
  question:
    'Is backward expansion better than a new buffer when forward expansion is disabled? The document: slightly faster in most cases, with a lower peak of memory.',
  tables: (results) =>
    growthTables(results, [
      kAllocator,
      iterationsColumn,
      speedColumn('speed', results, kBase, 'push_back_ms'),
      timeColumn('ms', 'push_back_ms'),
      countColumn('calls', 'calls'),
      countColumn('new buffers', 'allocations'),
      countColumn('backward expansions', 'expansions_bwd'),
      countColumn('capacity', 'capacity'),
      countColumn('most bytes held', 'peak_held_bytes'),
      countColumn("peak of the heap's bytes", 'peak_bytes'),
    ]),
  charts: (results) => [
    speedBars('push_back', 'elements', results, kBase, 'push_back_ms'),
    countBars('Most bytes held at once', results, 'peak_held_bytes'),
  ],
  findings: (results) =>
    distinct(results, 'size').flatMap((size) => {
      const value = speed(results, 'V2', size, 'push_back_ms');
      const held = (way: string) => figure(find(results, { way, size }), 'peak_held_bytes') ?? Number.NaN;
      return [
        ...(value !== undefined && value < 0.95
          ? [
              `n = ${shown(size)}: backward expansion is ${times(value)} as fast as V1 here, and slightly faster in the document. ${costOfGrowth(results, size)}`,
            ]
          : []),
        ...(held('V2') > held('V2 masked')
          ? [
              `n = ${shown(size)}: V2 with backward expansion holds at most ${shown(held('V2'))} bytes, and without expansion ${shown(held('V2 masked'))}: the last growth needed a new buffer.`,
            ]
          : []),
      ];
    }),
};

/** With and without backward expansion V2 makes as many calls, each through the command: only the growth differs. */
function costOfGrowth(results: readonly RowResult[], size: number): string {
  const expanding = find(results, { way: 'V2', size });
  const allocating = find(results, { way: 'V2 masked', size });
  const calls = figure(expanding, 'calls');
  const more = (figure(expanding, 'push_back_ms') ?? Number.NaN) - (figure(allocating, 'push_back_ms') ?? Number.NaN);
  if (expanding === undefined || calls !== figure(allocating, 'calls') || !(more > 0)) return '';
  const expansions = figure(expanding, 'expansions_bwd') ?? Number.NaN;
  const each = (1e6 * more) / expanding.row.iterations / expansions;
  return `V2 without expansion makes the same ${shown(calls)} calls of the same command and is ${times(speed(results, 'V2 masked', size, 'push_back_ms'))} as fast, so the command is not the cause. The difference is ${shown(each)} ns for each backward expansion.`;
}

// ---- AE3 ----

/** What V1 copies: after the k-th step n - 5k elements of 4 bytes. */
function whatV1Moves(results: readonly RowResult[]): string {
  const result = find(results, { way: kBase, size: kMost });
  const ms = figure(result, 'shrink_to_fit_ms');
  const inPlace = find(results, { way: 'V2', size: kMost });
  const ours = figure(inPlace, 'shrink_to_fit_ms');
  if (result === undefined || ms === undefined || inPlace === undefined || ours === undefined) return '';
  const steps = kMost / kErased;
  const bytes = result.row.iterations * 4 * kErased * ((steps * (steps - 1)) / 2);
  const each = (1e6 * ours) / inPlace.row.iterations / steps;
  return `The ratio compares copying with one call: V1 copies ${shown(bytes / 1e9, 1)} GB here, at ${shown(bytes / 1e6 / ms, 0)} GB/s, and a shrink in place takes ${shown(each, 1)} ns.`;
}

const ae3: CatalogEntry = {
  title: 'A vector shrinks to fit',
  question:
    'A vector erases its last 5 elements and shrinks to fit, until it is empty. How much does shrinking in place save? The document: up to 90 times as fast as V1 at 10,000 elements.',
  tables: (results) => [
    tableOf(
      'Erase 5, shrink to fit',
      [
        kAllocator,
        sizeColumn('elements'),
        iterationsColumn,
        speedColumn('speed (document)', results, kBase, 'shrink_to_fit_ms', ({ row }) =>
          row.way === 'V2' && row.size === kMost ? 90 : undefined,
        ),
        timeColumn('ms', 'shrink_to_fit_ms'),
        countColumn('new buffers', 'allocations'),
        countColumn('shrinks in place', 'shrinks'),
      ],
      results,
    ),
  ],
  charts: (results) => [
    speedBars(
      'Shrink to fit',
      'elements',
      results,
      kBase,
      'shrink_to_fit_ms',
      (way, size) => (way === 'V2' && size === kMost ? 90 : undefined),
      'log',
    ),
  ],
  findings: (results) =>
    differs(
      'V2 against V1 at 10,000 elements',
      speed(results, 'V2', kMost, 'shrink_to_fit_ms'),
      90,
      whatV1Moves(results),
    ),
};

// ---- AE4 ----

const documentInsertion = (way: string, size: number): number | undefined =>
  way === 'V2' && size >= 1000 ? 3 : undefined;
const documentErasure = (way: string, size: number): number | undefined =>
  way === 'V2' ? (size >= 1000 ? 1.3 : 1.2) : undefined;

/** How much of an insertion is the first touch of its pages: what the second one saves. */
function firstTouch(results: readonly RowResult[]): string {
  const ms = (way: string, name: string) => figure(find(results, { way, size: kMost }), name) ?? Number.NaN;
  const share = (way: string) => percent(100 * (1 - ms(way, 'insertion_again_ms') / ms(way, 'insertion_ms')), 0);
  const again = speed(results, 'V2', kMost, 'insertion_again_ms');
  return `The nodes fill 32 MB that the process touches for the first time. Repeated in the same memory, V1 takes ${share(kBase)} less time and V2 ${share('V2')} less, and V2 is ${times(again)} as fast as V1.`;
}

const ae4: CatalogEntry = {
  title: 'Ranges of a list, from one call',
  question:
    'How much faster is a list that inserts ranges by burst allocation and erases them by burst deallocation? The document: insertion 2 to 3 times as fast, erasure 20 to 30 % faster.',
  tables: (results) => [
    tableOf(
      'Insertion and erasure of ranges',
      [
        kAllocator,
        sizeColumn('range'),
        iterationsColumn,
        countColumn('calls a range', 'calls'),
        speedColumn('insertion (document)', results, kBase, 'insertion_ms', ({ row }) =>
          documentInsertion(row.way, row.size),
        ),
        speedColumn('erasure (document)', results, kBase, 'erasure_ms', ({ row }) =>
          documentErasure(row.way, row.size),
        ),
        speedColumn('insertion into used memory', results, kBase, 'insertion_again_ms'),
        timeColumn('insertion, ms', 'insertion_ms'),
        timeColumn('into used memory, ms', 'insertion_again_ms'),
        timeColumn('erasure, ms', 'erasure_ms'),
      ],
      results,
    ),
  ],
  charts: (results) => [
    speedBars('Insertion', 'range', results, kBase, 'insertion_ms', documentInsertion),
    speedBars('Insertion into memory used before', 'range', results, kBase, 'insertion_again_ms', documentInsertion),
    speedBars('Erasure', 'range', results, kBase, 'erasure_ms', documentErasure),
  ],
  findings: (results) => [
    ...differs(
      'Insertion of ranges of 10,000, V2 against V1',
      speed(results, 'V2', kMost, 'insertion_ms'),
      3,
      firstTouch(results),
    ),
    ...differs('Erasure of ranges of 10,000, V2 against V1', speed(results, 'V2', kMost, 'erasure_ms'), 1.3),
  ],
};

// ---- AE5 ----

const kPlainBase = 'plain V1';
const kPlain = /^plain/;
const kSegregated = /segregated/i;

const documentOverhead = (way: string): number | undefined =>
  kPlain.test(way) ? 33.3 : kSegregated.test(way) ? undefined : 2;
const documentLeft = (way: string): string => (kPlain.test(way) ? '0' : kSegregated.test(way) ? 'all' : '8,192');

/** Only where the document's statement does not hold. */
function overheadFinding(way: string, size: number, figures: Figures): string[] {
  const { overhead_percent: overhead, in_use_after_erasure: left } = figures;
  if (overhead === undefined || left === undefined) return [];
  const found: string[] = [];
  if (!kPlain.test(way) && overhead >= 2) {
    found.push(`${way}, ranges of ${shown(size)}: overhead ${percent(overhead, 2)}, under 2 % in the document.`);
  }
  const expected = kPlain.test(way) ? 0 : kSegregated.test(way) ? undefined : 8192;
  if (expected !== undefined && left !== expected) {
    found.push(
      `${way}, ranges of ${shown(size)}: ${shown(left)} bytes in use after erasure, ${shown(expected)} in the document.`,
    );
  }
  return found;
}

/** The table shows memory once an allocator; here is where the size of the ranges makes a difference. */
function otherMemory(results: readonly RowResult[]): string[] {
  const names = ['system_bytes', 'overhead_percent', 'in_use_after_erasure', 'system_bytes_after'];
  return results.flatMap(({ row, figures }) => {
    const shownOne = find(results, { way: row.way, size: kMost });
    const other = names.filter((name) => shownOne !== undefined && figures[name] !== figure(shownOne, name));
    return other.map((name) => `${row.way}, ranges of ${shown(row.size)}: ${name} is ${shown(figures[name], 2)}.`);
  });
}

const ae5: CatalogEntry = {
  title: 'Eight allocators of list nodes',
  question:
    'A plain heap, an aligned pool, a pool with sub-blocks and segregated storage allocate list nodes, one by one (V1) or in bursts (V2). How do they compare in speed, overhead and memory kept? The document: 33 % overhead for the plain heap and under 2 % for pools. When the list is empty, adaptive pools keep 2 blocks (8,192 bytes) and segregated storage keeps everything.',
  tables: (results) => [
    tableOf(
      'Memory, of all ranges',
      [
        kAllocator,
        countColumn('system bytes', 'system_bytes'),
        {
          head: 'overhead (document)',
          cell: ({ row, figures }) => {
            const document = documentOverhead(row.way);
            const most = document === 2 ? '<2 %' : percent(document);
            return withDocument(percent(figures['overhead_percent'], 2), most);
          },
        },
        {
          head: 'in use after erasure (document)',
          cell: ({ row, figures }) => withDocument(shown(figures['in_use_after_erasure']), documentLeft(row.way)),
        },
        countColumn('system bytes after erasure', 'system_bytes_after'),
      ],
      results.filter(({ row }) => row.size === kMost),
    ),
    tableOf(
      'Speed',
      [
        kAllocator,
        sizeColumn('range'),
        iterationsColumn,
        speedColumn('insertion', results, kPlainBase, 'insertion_ms'),
        speedColumn('erasure', results, kPlainBase, 'erasure_ms'),
        timeColumn('insertion, ms', 'insertion_ms'),
        timeColumn('erasure, ms', 'erasure_ms'),
      ],
      results,
    ),
  ],
  charts: (results) => {
    const ways = distinct(results, 'way');
    const size = Math.max(...distinct(results, 'size'));
    const of = (name: string) => ways.map((way) => figure(find(results, { way, size }), name));
    return [
      {
        title: 'Overhead',
        kind: 'bars',
        scale: 'linear',
        xLabel: 'allocator',
        yLabel: 'percent of the nodes',
        categories: ways,
        series: [series('overhead', of('overhead_percent'), ways.map(documentOverhead))],
      },
      speedBars('Insertion', 'range', results, kPlainBase, 'insertion_ms'),
      speedBars('Erasure', 'range', results, kPlainBase, 'erasure_ms'),
    ];
  },
  findings: (results) => [
    ...results.flatMap(({ row, figures }) => overheadFinding(row.way, row.size, figures)),
    ...otherMemory(results),
  ],
};

export const kCatalogA: Readonly<Record<Extract<ExperimentId, `A${string}`>, CatalogEntry>> = {
  AE1: ae1,
  AE2: ae2,
  AE3: ae3,
  AE4: ae4,
  AE5: ae5,
};
