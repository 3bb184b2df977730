// The share of a frame that call sites have.

import type { Bytes } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';
import type { SiteNode } from '../../protocol/site_nodes.ts';

export interface SitesWant {
  readonly heap: number; // 0: all
  /** Frames of libraries and allocators are shown; else they are folded into their callers (base/frames.ts). */
  readonly libraries: boolean;
}

/** A function with the blocks that it made itself. */
export interface SiteRow {
  readonly frame: string; // '': not known
  readonly bytes: Bytes;
  readonly count: number;
}

/** The blocks in use by call site. */
export interface SitesFrame {
  readonly known: boolean; // the trace has call sites
  readonly nodes: readonly SiteNode[]; // parents before their children
  readonly rows: readonly SiteRow[]; // most bytes first
  readonly functions: number; // that have blocks; rows are cut
  readonly bytes: Bytes; // of all functions
}

export const kSites = partKey<SitesWant, SitesFrame>('sites');
