// What pins a hole, as the answer to that question has it (answers/pins.ts).

import { pinsOf } from '../../answers/pins.ts';
import type { Addr } from '../../base/brand.ts';
import type { PartQuery } from '../query.ts';
import { kPins, type PinsPart } from './part.ts';

export const pinsQuery: PartQuery<{ readonly selected: Addr | undefined }, PinsPart> = {
  key: kPins,
  query: ({ history, state, heap }, { selected }) => pinsOf(history, state, heap, selected),
};
