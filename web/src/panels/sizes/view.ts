// How large the chunks of the chosen heap are, and how old.

import { hexAddress } from '../../base/csv.ts';
import { partOf, want } from '../../protocol/parts.ts';
import type { Panel } from '../panel.ts';
import { kSizes, type SizesFrame } from './part.ts';
import { createSizes } from './sizes.ts';

export const panel: Panel = {
  id: 'sizes',
  title: 'Sizes',
  answers: ['held_by_size'],
  wants: () => want(kSizes, true),
  tables: ({ parts }) => [
    {
      name: 'Sizes and ages',
      columns: ['what', 'from', 'to', 'chunks', 'bytes', 'largest', 'largest_at'],
      rows: rowsOf(partOf(parts, kSizes)),
    },
  ],
  create(parent, { reveal }) {
    const view = createSizes(parent, { reveal });
    return {
      show: ({ parts }) => view.update(partOf(parts, kSizes)),
      dispose: view.dispose,
    };
  },
};

function rowsOf(sizes: SizesFrame | undefined) {
  const kinds = [
    ['in use, by size', sizes?.inUse],
    ['cached, by size', sizes?.cached],
    ['free, by size', sizes?.free],
    ['in use, by age', sizes?.ages],
  ] as const;
  const rows = kinds.flatMap(([what, rows]) =>
    (rows ?? []).map((row) => [
      what,
      2 ** row.power,
      2 ** (row.power + 1) - 1,
      row.count,
      row.bytes,
      row.largest,
      hexAddress(row.largestAt),
    ]),
  );
  const beside = sizes?.slabWords ?? 0;
  return beside === 0 ? rows : [...rows, ['cached, of slabs themselves', undefined, undefined, undefined, beside]];
}
