// Size classes and thread caches: DE1.

import type { ExperimentId, RowResult } from '../protocol/experiments.ts';
import {
  type CatalogEntry,
  distinct,
  figure,
  find,
  ratio,
  series,
  shown,
  tableOf,
  threadsColumn,
  timeColumn,
  times,
  wayColumn,
} from './report.ts';

const kThreads = [1, 2, 4, 8] as const;

/** The document's last machine (two Xeon E5620, Debian): million pairs a second for one thread, at 1, 2, 4, 8 threads. */
const kDocument: Readonly<Record<string, readonly number[]>> = {
  'ltalloc (thread caches)': [126.5, 126, 126.3, 122.3],
  lockless: [114.4, 107.6, 107.5, 102],
  TCMalloc: [36.5, 36.4, 33.5, 31.4],
  Hoard: [31.2, 30.4, 27.4, 25.3],
  jemalloc: [30.1, 30, 30.1, 27.9],
  nedmalloc: [22.5, 21.3, 21.8, 19.6],
  "the system's": [14.9, 14.9, 15.3, 4.8],
  'fast_pool_allocator (one lock)': [156.4, 11.5, 3.1, 1.3],
};
const kCached = 'ltalloc (thread caches)';
const kLocked = 'fast_pool_allocator (one lock)';

/** Million pairs of allocate and free a second for one thread. */
function pairs(result: RowResult | undefined): number | undefined {
  const ns = figure(result, 'pair_ns');
  return ns === undefined || ns === 0 ? undefined : 1000 / ns;
}

/** What of the document is alike. */
const kAlike: Readonly<Record<string, readonly number[] | undefined>> = {
  'small, inlined': kDocument[kCached],
  'locked pool': kDocument[kLocked],
};

/** How much less one of 8 threads does than one alone: on c < 8 cores at least 8 / c, as they share them. */
function loss(results: readonly RowResult[], way: string): number | undefined {
  const alone = pairs(find(results, { way, threads: 1 }));
  const eighth = pairs(find(results, { way, threads: 8 }));
  return ratio(alone, eighth);
}

const de1: CatalogEntry = {
  title: 'Pairs of allocate and free, by threads',
  question:
    'Threads allocate and free blocks of 128 bytes. How many million pairs a second does each thread complete? The document, on 8 cores: thread caches complete 126.5 with 1 thread and 122.3 with 8. One locked pool completes 156.4 and 1.3. On c cores, each of 8 threads can complete at most c/8 of what one thread completes alone.',
  tables: (results) => [
    tableOf(
      'Million pairs a second for one thread',
      [
        wayColumn('allocator'),
        threadsColumn,
        { head: 'million pairs', cell: (result) => shown(pairs(result), 1) },
        timeColumn('ns a pair', 'pair_ns', 2),
        {
          head: 'all threads together',
          cell: (result) => shown((pairs(result) ?? Number.NaN) * result.row.threads, 1),
        },
        {
          head: 'a thread against 1 thread',
          cell: (result) => times(ratio(pairs(result), pairs(find(results, { way: result.row.way, threads: 1 })))),
        },
      ],
      results,
    ),
    {
      title: "The document's, on two Xeon E5620 under Debian (8 cores)",
      head: ['allocator', ...kThreads.map((threads) => `${threads} threads`)],
      rows: Object.entries(kDocument).map(([name, values]) => [name, ...values.map((value) => shown(value, 1))]),
    },
  ],
  charts: (results) => [
    {
      title: 'Million pairs a second for one thread',
      kind: 'lines',
      scale: 'log',
      xLabel: 'threads',
      yLabel: 'million pairs a second',
      categories: kThreads.map(String),
      series: distinct(results, 'way').map((way) =>
        series(
          way,
          kThreads.map((threads) => pairs(find(results, { way, threads }))),
          kAlike[way],
        ),
      ),
    },
  ],
  findings: (results) =>
    ['small, inlined', 'small (thread caches)', 'locked heap', 'locked pool', 'malloc'].flatMap((way) => {
      const lost = loss(results, way);
      if (lost === undefined) return [];
      const document = way === 'locked pool' ? ` In the document 1/${shown(156.4 / 1.3)}.` : '';
      return [
        `${way}: each of 8 threads completes 1/${shown(lost, 1)} of the pairs of a thread that runs alone.${document}`,
      ];
    }),
};

export const kCatalogD: Readonly<Record<Extract<ExperimentId, `D${string}`>, CatalogEntry>> = { DE1: de1 };
