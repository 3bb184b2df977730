// The share of a frame that call sites have.

import type { Bytes } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';

/** One call of the stacks that made the blocks in use. */
export interface SiteNode {
  readonly site: number; // 0: blocks whose call is not known
  readonly parent: number; // 0: outermost
  readonly frame: string; // function, or function@file:line
  readonly bytes: Bytes; // of blocks made by it and by all it calls
  readonly count: number;
  readonly ownBytes: Bytes; // of blocks made at exactly this stack
  readonly ownCount: number;
}

/** The blocks in use by call site, parents before their children. */
export interface SitesFrame {
  readonly known: boolean; // the trace has call sites
  readonly nodes: readonly SiteNode[];
}

export const kSites = partKey<true, SitesFrame>('sites');
