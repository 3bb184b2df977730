// Answers about a stretch of a trace or all of it, each to a request of its own. Typed arrays are transferred, as those of frames.

import type { Addr, Bytes, Seq } from '../base/brand.ts';
import type { SiteNode } from './site_nodes.ts';

/** A window of address and time: events from ... to, addresses low ... high. */
export interface LivesWindow {
  readonly from: Seq;
  readonly to: Seq;
  readonly low: Addr;
  readonly high: Addr;
  readonly columns: number; // so many moments are looked at
  readonly rows: number; // of cells, where a density is shown
}

/** Blocks that lived in a window. Exactly one of lives and shares is set. */
export interface LivesFrame {
  readonly window: LivesWindow; // cut to what there is
  readonly lives:
    | {
        readonly count: number;
        readonly address: Uint32Array; // of the chunk
        readonly size: Uint32Array;
        readonly begun: Uint32Array; // the event, which may lie before the window
        readonly ended: Uint32Array; // the first column's event that does not have it; 0: it lives on
        readonly pool: Uint8Array; // 1: it holds a pool's block
      }
    | undefined;
  /** Of each cell the share of 255 that is in use, column by column. */
  readonly shares:
    | { readonly rows: number; readonly cellBytes: Bytes; readonly inUse: Uint8Array; readonly pool: Uint8Array }
    | undefined;
}

/** Blocks that were freed before `within` more allocations, in all events up to `seq`. Most first. */
export interface TemporariesFrame {
  readonly within: number;
  readonly seq: Seq;
  readonly count: number;
  readonly bytes: Bytes; // as asked for
  readonly share: number; // of all allocations, 0 to 1
  readonly known: boolean; // the trace has call sites
  /** By the program's own function. frames: its stack, innermost first; none: not known. */
  readonly bySite: readonly {
    readonly frames: readonly string[];
    readonly count: number;
    readonly bytes: Bytes;
  }[];
  readonly bySize: readonly { readonly size: Bytes; readonly count: number }[];
}

interface RangeSums {
  readonly allocated: Bytes;
  readonly freed: Bytes;
  readonly kept: Bytes;
}

/** What the calls of a stretch of events did, as asked for, in all and by the program's own functions: most kept first. */
export interface RangeSitesFrame extends RangeSums {
  readonly from: Seq;
  readonly to: Seq;
  readonly known: boolean; // the trace has call sites
  readonly rows: readonly (RangeSums & { readonly frame: string })[]; // frame '': not known
  readonly nodes: readonly SiteNode[]; // of the blocks that were kept, by their stacks
}
