// Caches of the chosen heap, by thread and by holder.

import { queryCaches } from '../../model/queries/query_caches.ts';
import type { PartQuery } from '../query.ts';
import { type CachesFrame, kCaches } from './part.ts';

export const cachesQuery: PartQuery<true, CachesFrame> = {
  key: kCaches,
  query: ({ history, state, heap }) => (heap === undefined ? undefined : queryCaches(history, state, heap)),
};
