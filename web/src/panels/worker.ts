// The worker's index of panels: what answers each part of a frame. The page's index is page.ts.

import { explainQuery, inspectQuery } from './chunk/query.ts';
import { compareQuery } from './compare/query.ts';
import { cachesQuery } from './heaps/query.ts';
import { listsQuery } from './lists/query.ts';
import { pinsQuery } from './pins/query.ts';
import type { PartQuery } from './query.ts';
import { sitesQuery } from './sites/query.ts';
import { sizesQuery } from './sizes/query.ts';

/** What is wanted of a query comes with its key (parts.ts, PK1), so here its type is of no account. */
type AnyQuery = Pick<PartQuery<never, unknown>, 'prepare' | 'query'> & { readonly key: string };

export const kQueries: readonly AnyQuery[] = [
  listsQuery,
  cachesQuery,
  sizesQuery,
  compareQuery,
  sitesQuery,
  pinsQuery,
  inspectQuery,
  explainQuery,
];
