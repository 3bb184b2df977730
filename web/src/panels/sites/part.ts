// The share of a frame that call sites have.

import type { Bytes } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';

export interface SitesWant {
  readonly heap: number; // 0: all
  /** Frames of libraries and allocators are shown; else they are folded into their callers (base/frames.ts). */
  readonly libraries: boolean;
}

/** One call of the stacks that made the blocks in use. */
export interface SiteNode {
  readonly site: number; // its number in the tree; 0: blocks whose call is not known
  readonly parent: number; // 0: outermost
  readonly frame: string; // function, or function@file:line
  readonly bytes: Bytes; // of blocks made by it and by all it calls
  readonly count: number;
  readonly ownBytes: Bytes; // of blocks made at exactly this stack
  readonly ownCount: number;
  readonly oldest: number; // birth of the oldest of all its blocks
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
}

export const kSites = partKey<SitesWant, SitesFrame>('sites');
