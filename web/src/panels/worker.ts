// The worker's index of panels: what answers each part of a frame. The page's index is page.ts.

import { explainQuery, inspectQuery } from './chunk/query.ts';
import { compareQuery } from './compare/query.ts';
import { handlesQuery } from './handles/query.ts';
import { cachesQuery } from './heaps/query.ts';
import { listsQuery } from './lists/query.ts';
import { pinsQuery } from './pins/query.ts';
import type { AnyQuery } from './query.ts';
import { sitesQuery } from './sites/query.ts';
import { sizesQuery } from './sizes/query.ts';

export const kQueries: readonly AnyQuery[] = [
  listsQuery,
  cachesQuery,
  sizesQuery,
  compareQuery,
  sitesQuery,
  handlesQuery,
  pinsQuery,
  inspectQuery,
  explainQuery,
];
