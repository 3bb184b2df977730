// What pins a hole: the blocks beside it, and what freeing one, two or three of them would join.

import { hexAddress } from '../../base/csv.ts';
import { partOf, want } from '../../protocol/parts.ts';
import type { Panel, Table } from '../panel.ts';
import { kPins, type PinsPart } from './part.ts';
import { createPins } from './pins.ts';

export const panel: Panel = {
  id: 'pins',
  title: 'Pins',
  answers: ['pins'],
  wants: ({ selected }) => want(kPins, { selected }),
  tables: ({ parts }) => [tableOf(partOf(parts, kPins))],
  create(parent, { reveal }) {
    const view = createPins(parent, { reveal });
    return {
      show: ({ parts }) => view.update(partOf(parts, kPins)),
      dispose: view.dispose,
    };
  },
};

const tableOf = (shown: PinsPart | undefined): Table => ({
  name: 'Blocks beside the hole',
  columns: ['side', 'nth', 'address', 'bytes', 'age', 'joined_bytes', 'call'],
  rows: (shown?.pins ?? []).map(({ side, nth, address, size, age, joined, own }) => [
    side,
    nth,
    hexAddress(address),
    size,
    age,
    joined,
    own,
  ]),
});
