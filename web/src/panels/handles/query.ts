// The handles that are open at the moment shown, as the report has them at the end (answers/handles.ts).

import { handlesOf } from '../../answers/handles.ts';
import type { HandleFigures } from '../../protocol/handles.ts';
import type { PartQuery } from '../query.ts';
import { kHandles } from './part.ts';

export const handlesQuery: PartQuery<true, HandleFigures> = {
  key: kHandles,
  query: ({ history, state }) => handlesOf(history, state, { from: 0, to: state.seq }),
};
