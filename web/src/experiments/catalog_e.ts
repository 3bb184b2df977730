// Fixed-block managers and standard allocators: EE1 to EE5.
//
// The document tells some gains in words that leave out the base ("3.3 times faster" of 107 and 25 ms, which is 4.3 times
// as fast); the ratios here are of its times.

import type { Chart, ExperimentId, RowResult } from '../protocol/experiments.ts';
import {
  type CatalogEntry,
  countColumn,
  differs,
  distinct,
  find,
  iterationsColumn,
  series,
  shown,
  sizeColumn,
  speedAgainst,
  speedColumn,
  tableOf,
  timeColumn,
  wayColumn,
} from './report.ts';

interface Told {
  readonly title: string;
  readonly question: string;
  readonly base: string; // the way that the document calls default
  readonly way: string; // the one that the document compares with it
  readonly size: number;
  readonly each: { readonly name: string; readonly head: string };
  readonly ratio: number; // of the document's times
}

/** Libc's malloc in these modules is dlmalloc without locks. */
const kOtherBase =
  'The base is another one: malloc in this module is dlmalloc without threads and locks, not that of a desktop system.';

function entry({ title, question, base, way, size, each, ratio }: Told): CatalogEntry {
  const documentOf = ({ row }: RowResult): number | undefined =>
    row.way === way && row.size === size ? ratio : undefined;
  return {
    title,
    question,
    tables: (results) => [
      tableOf(
        `Against ${base}`,
        [
          wayColumn('memory'),
          sizeColumn('size'),
          iterationsColumn,
          speedColumn('speed (document)', results, base, each.name, documentOf),
          timeColumn(each.head, each.name),
          timeColumn('all, ms', 'total_ms'),
          countColumn('arenas', 'arenas'),
          countColumn('capacity, nodes', 'capacity'),
          countColumn('bytes held', 'bytes_held'),
        ],
        results,
      ),
    ],
    charts: (results): readonly Chart[] =>
      distinct(results, 'size').map((of) => {
        const rows = results.filter(({ row }) => row.size === of);
        return {
          title: `Against ${base}, ${shown(of)}`,
          kind: 'bars',
          scale: 'linear',
          xLabel: 'memory',
          yLabel: `speed, ${base} = 1`,
          categories: rows.map(({ row }) => row.way),
          series: [
            series(
              'speed',
              rows.map((result) => speedAgainst(results, base, each.name, result)),
              rows.map(documentOf),
            ),
          ],
        };
      }),
    findings: (results) => {
      const ours = find(results, { way, size });
      if (ours === undefined) return [];
      return differs(`${way} against ${base}`, speedAgainst(results, base, each.name, ours), ratio, kOtherBase);
    },
  };
}

export const kCatalogE: Readonly<Record<Extract<ExperimentId, `E${string}`>, CatalogEntry>> = {
  EE1: entry({
    title: 'A million objects',
    question:
      'A million objects are made and deleted, a thousand at a time, with operator new of their class on a fixed-block manager, and with malloc. The document: 4 ms against 64 ms, told as 15 times.',
    base: 'malloc',
    way: 'manager',
    size: 1000,
    each: { name: 'object_ns', head: 'ns an object' },
    ratio: 64 / 4,
  }),
  EE2: entry({
    title: 'A hundred pointers, replaced at random',
    question:
      'A million objects are made, each replacing one of a hundred at random. The document: 25 ms against 107 ms, told as 3.3 times faster.',
    base: 'malloc',
    way: 'manager',
    size: 100,
    each: { name: 'replacement_ns', head: 'ns an object' },
    ratio: 107 / 25,
  }),
  EE3: entry({
    title: 'A list of 1000 numbers',
    question:
      'A std::list of 1000 numbers is made and deleted, again and again. The document: 11.6 µs against 76.2 µs, told as 5.6 times faster.',
    base: 'std::allocator',
    way: 'manager',
    size: 1000,
    each: { name: 'list_ns', head: 'ns a list' },
    ratio: 76.2 / 11.6,
  }),
  EE4: entry({
    title: 'A map of 1000 numbers',
    question:
      'A std::map of 1000 numbers is made and deleted, again and again. The document: 67.4 µs against 142 µs, 2.1 times.',
    base: 'std::allocator',
    way: 'manager',
    size: 1000,
    each: { name: 'map_ns', head: 'ns a map' },
    ratio: 142 / 67.4,
  }),
  EE5: entry({
    title: 'A function that makes many strings',
    question:
      'remove_ctrl copies a text without its control characters by adding one character at a time, a new string for each. The document: 1124 ms with strings of fixed blocks against 2693 ms, told as 1.4 times faster.',
    base: 'std::string',
    way: 'fixed string',
    size: 480,
    each: { name: 'call_ns', head: 'ns a call' },
    ratio: 2693 / 1124,
  }),
};
