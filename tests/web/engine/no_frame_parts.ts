// A frame request that asks for nothing but the status: tests and benchmarks add what they look at.

import type { Addr, Seq } from '../../../web/src/base/brand.ts';
import { kExplain, kInspect } from '../../../web/src/panels/chunk/part.ts';
import { kCompare } from '../../../web/src/panels/compare/part.ts';
import { kCaches } from '../../../web/src/panels/heaps/part.ts';
import { kLists } from '../../../web/src/panels/lists/part.ts';
import { kSites } from '../../../web/src/panels/sites/part.ts';
import { kSizes } from '../../../web/src/panels/sizes/part.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';
import type { FrameRequest } from '../../../web/src/protocol/messages.ts';
import { type PartWants, partOf, want } from '../../../web/src/protocol/parts.ts';

export const kNothing: FrameRequest = {
  at: { to: 'head' },
  map: undefined,
  heap: 0,
  parts: {},
  timeline: undefined,
};

interface Wanted {
  readonly lists?: { readonly bin?: number; readonly pool?: number };
  readonly inspect?: Addr | undefined;
  readonly explain?: true;
  readonly caches?: true;
  readonly sizes?: true;
  readonly sites?: true;
  readonly since?: Seq;
}

/** Parts of panels, by the names that tests give them. */
export function wanting({ lists, inspect, explain, caches, sizes, sites, since }: Wanted): { parts: PartWants } {
  const { bin, pool } = lists ?? {};
  return {
    parts: {
      ...(lists && want(kLists, { bin, pool, blocks: true })),
      ...(inspect && want(kInspect, inspect)),
      ...(explain && want(kExplain, explain)),
      ...(caches && want(kCaches, caches)),
      ...(sizes && want(kSizes, sizes)),
      ...(sites && want(kSites, { heap: 0, libraries: true })),
      ...(since !== undefined && want(kCompare, { since })),
    },
  };
}

/** What came of them. */
export const partsIn = ({ parts }: Frame) => ({
  lists: partOf(parts, kLists),
  inspect: partOf(parts, kInspect),
  explain: partOf(parts, kExplain),
  caches: partOf(parts, kCaches),
  compare: partOf(parts, kCompare),
});
