// A memory pool for each data structure: BE1.

import type { ExperimentId, ReportTable, RowResult } from '../protocol/experiments.ts';
import {
  type CatalogEntry,
  countColumn,
  differs,
  distinct,
  figure,
  find,
  iterationsColumn,
  ratio,
  series,
  shown,
  sizeColumn,
  tableOf,
  timeColumn,
  times,
  wayColumn,
  withDocument,
} from './report.ts';

const kHeap = 'one heap';
const kPools = 'a pool a list';
const kWhole = 'whole pool';

const kPhases = [
  { name: 'insertion_ms', title: 'insertion' },
  { name: 'search_ms', title: 'search' },
  { name: 'deletion_ms', title: 'deletion' },
  { name: 'overall_ms', title: 'overall' },
] as const;
type Phase = (typeof kPhases)[number]['name'];

/** Table 1 of the document, by operations a list: seconds of program 1 (one heap) and program 2 (a pool a list). */
const kDocument: Readonly<Record<number, Readonly<Record<Phase, readonly [number, number]>>>> = {
  20000: {
    insertion_ms: [963.01, 24.17],
    search_ms: [26.15, 15.92],
    deletion_ms: [91.42, 2.09],
    overall_ms: [1086.65, 45.15],
  },
  40000: {
    insertion_ms: [22.65, 9.12],
    search_ms: [175.79, 0.5],
    deletion_ms: [159.29, 0.14],
    overall_ms: [359.76, 10.04],
  },
  150000: {
    insertion_ms: [319.57, 19.97],
    search_ms: [171.15, 2.82],
    deletion_ms: [320.04, 0.35],
    overall_ms: [813.21, 23.15],
  },
};
const kDocumentPages = 5; // times as many pages for one list's traversal
const kResident = "The document's lists did not fit into memory, so it measured swapping. Here every page is resident.";

/** The end of a pool of many blocks over that of one with few. */
function wholePool(results: readonly RowResult[]): string[] {
  const rows = results.filter(({ row }) => row.way === kWhole);
  const value = ratio(figure(rows[rows.length - 1], 'free_ms'), figure(rows[0], 'free_ms'));
  if (rows.length < 2 || value === undefined) return [];
  const sizes = rows.map(({ row }) => shown(row.size));
  return [
    `Ending a pool of ${sizes[sizes.length - 1]} blocks takes ${times(value)} the time of a pool of ${sizes[0]} blocks.`,
  ];
}

const lists = (results: readonly RowResult[]) => results.filter(({ row }) => row.way !== kWhole);

/** A figure of `way` over that of a pool a list, at one size. */
function against(results: readonly RowResult[], way: string, size: number, name: string): number | undefined {
  return ratio(figure(find(results, { way, size }), name), figure(find(results, { way: kPools, size }), name));
}

function documentRatio(size: number, phase: Phase): number | undefined {
  const [heap, pools] = kDocument[size]?.[phase] ?? [];
  return ratio(heap, pools);
}

function gainTable(results: readonly RowResult[]): ReportTable {
  const sizes = distinct(lists(results), 'size');
  return {
    title: 'How many times as fast with a pool for each list (document: Table 1)',
    head: ['phase', 'against', ...sizes.map((size) => `${shown(size)} operations`)],
    rows: kPhases.flatMap(({ name, title }) =>
      distinct(lists(results), 'way')
        .filter((way) => way !== kPools)
        .map((way) => [
          title,
          way,
          ...sizes.map((size) => {
            const document = way === kHeap ? times(documentRatio(size, name), 1) : '';
            return withDocument(times(against(results, way, size, name)), document);
          }),
        ]),
    ),
  };
}

const be1: CatalogEntry = {
  title: 'Five lists of strings, a pool each',
  question:
    'Five doubly linked lists grow and shrink in turn (80 % insertions); each is then searched and deleted. Their memory is one heap, or a memory pool for each list. The document, on machines that had to swap: 24 to 36 times as fast overall, and a fifth of the pages for a search.',
  tables: (results) => [
    gainTable(results),
    tableOf(
      'Times, and what one traversal of one list touches',
      [
        wayColumn('memory'),
        sizeColumn('operations a list'),
        ...kPhases.map(({ name, title }) => timeColumn(`${title}, ms`, name, 2)),
        timeColumn('ms to the next pool', 'next_pool_ms', 2),
        countColumn('segments put off', 'deferred_segments'),
        countColumn('64 KiB pages', 'pages_64k'),
        countColumn('64-byte lines', 'lines_64'),
        countColumn('footprint, bytes', 'footprint_bytes'),
      ],
      lists(results),
    ),
    tableOf(
      'Ending a pool takes the same time for any number of blocks',
      [
        sizeColumn('blocks in the pool'),
        iterationsColumn,
        { head: 'µs', cell: (result) => shown(1000 * (figure(result, 'free_ms') ?? Number.NaN), 2) },
        {
          head: 'µs to the next pool, after four',
          cell: (result) => shown(1000 * (figure(result, 'next_pool_ms') ?? Number.NaN), 2),
        },
        countColumn('segments put off', 'deferred_segments'),
      ],
      results.filter(({ row }) => row.way === kWhole),
    ),
  ],
  charts: (results) => {
    const sizes = distinct(lists(results), 'size');
    return [
      {
        title: 'One heap against a pool a list',
        kind: 'bars',
        scale: 'log',
        xLabel: 'operations a list',
        yLabel: 'times as fast with pools',
        categories: sizes.map((size) => shown(size)),
        series: kPhases.map(({ name, title }) =>
          series(
            title,
            sizes.map((size) => against(results, kHeap, size, name)),
            sizes.map((size) => documentRatio(size, name)),
          ),
        ),
      },
      {
        title: '64 KiB pages that one traversal of one list touches',
        kind: 'bars',
        scale: 'linear',
        xLabel: 'operations a list',
        yLabel: 'pages',
        categories: sizes.map((size) => shown(size)),
        series: distinct(lists(results), 'way').map((way) =>
          series(
            way,
            sizes.map((size) => figure(find(results, { way, size }), 'pages_64k')),
          ),
        ),
      },
    ];
  },
  findings: (results) => [
    ...wholePool(results),
    ...distinct(lists(results), 'size').flatMap((size) => {
      const which = `${shown(size)} operations`;
      const overall = against(results, kHeap, size, 'overall_ms');
      const pages = against(results, kHeap, size, 'pages_64k');
      return [
        ...differs(`Overall, ${which}`, overall, documentRatio(size, 'overall_ms') ?? Number.NaN, kResident),
        ...differs(`Pages of one list, ${which}`, pages, kDocumentPages),
      ];
    }),
  ],
};

export const kCatalogB: Readonly<Record<Extract<ExperimentId, `B${string}`>, CatalogEntry>> = { BE1: be1 };
