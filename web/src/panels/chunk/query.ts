// What is at the selected address, and the operation that the moment lies in.

import type { Addr } from '../../base/brand.ts';
import { queryInspect } from '../../model/queries/query_inspect.ts';
import { explainOperation } from '../../model/words/explain.ts';
import type { PartQuery } from '../query.ts';
import { type ExplainFrame, type InspectFrame, kExplain, kInspect } from './part.ts';

export const inspectQuery: PartQuery<Addr | undefined, InspectFrame> = {
  key: kInspect,
  query: ({ history, state, memory }, address) =>
    address === undefined ? undefined : queryInspect(history, state, address, memory),
};

export const explainQuery: PartQuery<true, ExplainFrame> = {
  key: kExplain,
  query: ({ history, state }) => explainOperation(history, state.seq),
};
