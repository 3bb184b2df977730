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
  figure,
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

interface Comparison {
  readonly title: string;
  readonly question: string;
  readonly base: string; // the way that the document calls default
  readonly way: string; // the one that the document compares with it
  readonly size: number;
  readonly each: { readonly name: string; readonly head: string };
  readonly document: readonly [number, number]; // the document's times of base and way, in the unit of `each` where it tells
  readonly comparable: boolean; // they are: else only their ratio is
}

/** Why a ratio differs, in the times it is made of. */
function bothTimes(comparison: Comparison, results: readonly RowResult[]): string {
  const { base, way, size, each, document, comparable } = comparison;
  if (!comparable) return '';
  const ours = (of: string) => shown(figure(find(results, { way: of, size }), each.name), 1);
  const theirs = document.map((value) => shown(value, 1));
  return `In ${each.head}, document and here: ${base} ${theirs[0]} and ${ours(base)}, ${way} ${theirs[1]} and ${ours(way)}. The base is dlmalloc without locks, Emscripten's default.`;
}

function entry(comparison: Comparison): CatalogEntry {
  const { title, question, base, way, size, each, document } = comparison;
  const ratio = document[0] / document[1];
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
      return differs(
        `${way} against ${base}`,
        speedAgainst(results, base, each.name, ours),
        ratio,
        bothTimes(comparison, results),
      );
    },
  };
}

export const kCatalogE: Readonly<Record<Extract<ExperimentId, `E${string}`>, CatalogEntry>> = {
  EE1: entry({
    title: 'A million objects',
    question:
      "A million objects are created and deleted, a thousand at a time. Their class's operator new uses a fixed-block manager, or malloc. The document: 4 ms and 64 ms, which it calls 15 times faster.",
    base: 'malloc',
    way: 'manager',
    size: 1000,
    each: { name: 'object_ns', head: 'ns an object' },
    document: [64, 4],
    comparable: true,
  }),
  EE2: entry({
    title: 'A hundred pointers, replaced at random',
    question:
      'A million objects are created; each replaces one of a hundred at random. The document: 25 ms and 107 ms, which it calls 3.3 times faster.',
    base: 'malloc',
    way: 'manager',
    size: 100,
    each: { name: 'replacement_ns', head: 'ns an object' },
    document: [107, 25],
    comparable: true,
  }),
  EE3: entry({
    title: 'A list of 1000 numbers',
    question:
      'A list (std::list) of 1000 numbers is created and deleted repeatedly. The document: 11.6 µs and 76.2 µs, which it calls 5.6 times faster.',
    base: 'std::allocator',
    way: 'manager',
    size: 1000,
    each: { name: 'list_ns', head: 'ns a list' },
    document: [76_200, 11_600],
    comparable: true,
  }),
  EE4: entry({
    title: 'A map of 1000 numbers',
    question:
      'A map (std::map) of 1000 numbers is created and deleted repeatedly. The document: 67.4 µs and 142 µs, 2.1 times as fast.',
    base: 'std::allocator',
    way: 'manager',
    size: 1000,
    each: { name: 'map_ns', head: 'ns a map' },
    document: [142_000, 67_400],
    comparable: true,
  }),
  EE5: entry({
    title: 'A function that makes many strings',
    question:
      'remove_ctrl copies a text without its control characters; it appends one character at a time and creates a new string each time. The document: 1124 ms with strings of fixed blocks and 2693 ms without, which it calls 1.4 times faster.',
    base: 'std::string',
    way: 'fixed string',
    size: 480,
    each: { name: 'call_ns', head: 'ns a call' },
    document: [2693, 1124], // ms, of a text it does not give
    comparable: false,
  }),
};
