// Call stacks as a tree with the blocks of each, as a flame graph shows them.

import type { Bytes } from '../base/brand.ts';

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
