// What is at the selected address, and the operation that the moment lies in.

import { growthSentence } from '../../answers/growth_sentence.ts';
import { growthAround, growthOf } from '../../answers/growths.ts';
import type { Addr } from '../../base/brand.ts';
import { queryInspect } from '../../model/queries/query_inspect.ts';
import type { History } from '../../model/time/history.ts';
import { explainOperation } from '../../model/words/explain.ts';
import type { Sentence } from '../../trace/sentence.ts';
import type { PartQuery } from '../query.ts';
import { type ExplainFrame, type InspectFrame, kExplain, kInspect } from './part.ts';

export const inspectQuery: PartQuery<Addr | undefined, InspectFrame> = {
  key: kInspect,
  query: ({ history, state, memory }, address) =>
    address === undefined ? undefined : queryInspect(history, state, address, memory),
};

/** Why the operation grew a heap, if it did: asked for where its state before can still be gone to. */
const kCauses = new WeakMap<History, { readonly begin: number; readonly cause: Sentence }>();

export const explainQuery: PartQuery<true, ExplainFrame> = {
  key: kExplain,
  prepare(model, _, at) {
    const place = growthAround(model.history, at);
    const { history } = model;
    if (place === undefined || kCauses.get(history)?.begin === place.begin) return;
    const growth = growthOf(history, model.at(place.begin).state, place);
    kCauses.set(history, { begin: place.begin, cause: growthSentence(history, growth) });
  },
  query({ history, state }) {
    const place = growthAround(history, state.seq);
    const known = kCauses.get(history);
    return explainOperation(history, state.seq, place?.begin === known?.begin ? known?.cause : undefined);
  },
};
