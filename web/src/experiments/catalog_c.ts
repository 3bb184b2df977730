// Distributed pools: CE1. The document's figures 5, 8 and 9 are pictures; what its text says of them stands here.

import type { ExperimentId, RowResult } from '../protocol/experiments.ts';
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
  ratio,
  series,
  shown,
  tableOf,
  threadsColumn,
  timeColumn,
  times,
} from './report.ts';

const kTime = 'exchange_ns';
const kContention = 'contention_varies';

/** "per thread" of "per thread, 4 pools"; the document's full amount of work has "soak" behind. */
const distributionOf = ({ row }: RowResult): string => row.way.split(', ')[0] ?? row.way;
const isSoak = ({ row }: RowResult): boolean => row.way.endsWith('soak');

/** Time with one pool over time with `pools`. */
function gain(results: readonly RowResult[], distribution: string, threads: number, pools: number): number | undefined {
  const at = (size: number) =>
    figure(
      find(
        results.filter((result) => !isSoak(result) && distributionOf(result) === distribution),
        { threads, size },
      ),
      kTime,
    );
  return ratio(at(1), at(pools));
}

const distributions = (results: readonly RowResult[]): string[] => [...new Set(results.map(distributionOf))];

const kColumns: readonly Column[] = [
  threadsColumn,
  { head: 'pools', cell: ({ row }) => shown(row.size) },
  iterationsColumn,
  timeColumn('ns an exchange', kTime),
];
const kCounted: readonly Column[] = [
  { head: 'contention', cell: (result) => percent(figure(result, kContention), 3) },
  countColumn('pops of an empty pool', 'empty_varies'),
  countColumn('CRC errors', 'errors'),
];

const ce1: CatalogEntry = {
  title: 'Writers and readers through an array of pools',
  question:
    'Half of the threads write random buffers with a CRC; the other half read and check them. The buffers come from 1 to 8 lock-free pools. The document, on 4 cores: 4 pools are 5 to 6 times as fast as 1 with 8 threads and up to 10 times with 32 threads, and more pools than cores gain nothing. Every time includes the counting of retries: an atomic addition for each operation that was retried.',
  tables: (results) => [
    ...distributions(results).map((distribution) => {
      const rows = results.filter((result) => !isSoak(result) && distributionOf(result) === distribution);
      const against: Column = {
        head: 'speed, 1 pool = 1',
        cell: ({ row }) => times(gain(results, distribution, row.threads, row.size)),
      };
      return tableOf(distribution, [...kColumns, against, ...kCounted], rows);
    }),
    tableOf(
      "The document's amount of work: a writer 1,000,000, a reader 4,000,000",
      [...kColumns, ...kCounted],
      results.filter(isSoak),
    ),
  ],
  charts: (results) => {
    const rows = results.filter((result) => !isSoak(result));
    const pools = distinct(rows, 'size').sort((a, b) => a - b);
    const lines = distributions(rows).flatMap((distribution) =>
      [...distinct(rows, 'threads')].map((threads) => ({ distribution, threads })),
    );
    const chart = (title: string, yLabel: string, name: string) => ({
      title,
      kind: 'lines' as const,
      scale: 'linear' as const,
      xLabel: 'pools',
      yLabel,
      categories: pools.map(String),
      series: lines.map(({ distribution, threads }) =>
        series(
          `${distribution}, ${threads} threads`,
          pools.map((size) =>
            figure(
              find(
                rows.filter((result) => distributionOf(result) === distribution),
                { threads, size },
              ),
              name,
            ),
          ),
        ),
      ),
    });
    return [
      chart('Duration of an exchange', 'ns', kTime),
      chart('Contention', 'retries, percent of pops and pushes', kContention),
    ];
  },
  findings: (results) => [
    ...differs('Per thread, 8 threads, 4 pools against 1', gain(results, 'per thread', 8, 4), 5.5, retries(results, 8)),
    ...differs(
      'Per thread, 32 threads, 4 pools against 1',
      gain(results, 'per thread', 32, 4),
      10,
      retries(results, 32),
    ),
  ],
};

/** What there is to save, and how far it is saved: retries and gain with the most pools, which may outnumber the cores. */
function retries(results: readonly RowResult[], threads: number): string {
  const rows = results.filter((result) => !isSoak(result) && distributionOf(result) === 'per thread');
  const most = Math.max(...rows.map(({ row }) => row.size));
  const share = (size: number) => percent(figure(find(rows, { threads, size }), kContention));
  return `More pools save retries, and few operations retry here: ${share(1)} with one pool, ${share(4)} with 4, ${share(most)} with ${most}. The gain goes on to ${most} pools, ${times(gain(results, 'per thread', threads, most))}.`;
}

export const kCatalogC: Readonly<Record<Extract<ExperimentId, `C${string}`>, CatalogEntry>> = { CE1: ce1 };
