// The blocks of the moment that is shown beside those of another moment.

import { seq } from '../../base/brand.ts';
import { hexAddress } from '../../base/csv.ts';
import { partOf, want } from '../../protocol/parts.ts';
import type { Panel, Shown } from '../panel.ts';
import { createCompare } from './compare.ts';
import { type CompareFrame, kCompare } from './part.ts';

const kId = 'compare';

export const panel: Panel = {
  id: kId,
  title: 'Compare',
  wants: ({ since }) => (since === undefined ? {} : want(kCompare, { since: seq(since) })),
  tables: (shown) => [
    { name: 'Two moments', columns: ['what', 'address', 'bytes', 'born'], rows: rowsOf(comparedNow(shown)) },
  ],
  create(parent, { store, reveal, actions }) {
    const view = createCompare(parent, { keep: (since) => store.set({ since }), seek: actions.seek, reveal });
    return {
      show: (shown) => view.update(comparedNow(shown), shown.state.since, shown.frame.status.seq),
      dispose: view.dispose,
    };
  },
};

/** It is asked for while the panel is open alone: the last one would be of another moment. */
const comparedNow = ({ parts, state }: Pick<Shown, 'parts' | 'state'>): CompareFrame | undefined =>
  state.tab === kId && state.since !== undefined ? partOf(parts, kCompare) : undefined;

const rowsOf = (compared: CompareFrame | undefined) =>
  compared === undefined
    ? []
    : (['gone', 'both', 'added'] as const).flatMap((part) =>
        compared[part].largest.map(({ address, size, born }) => [part, hexAddress(address), size, born]),
      );
