// The share of a frame that caches have: those of the small front by thread, and those of malloc by holder.

import type { Bytes, Seq } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';

/** One size class of the small front: where its nodes are. nodes = central + sum of cached + inUse. */
export interface CacheClassRow {
  readonly pool: number;
  readonly nodeSize: Bytes;
  readonly spans: number;
  readonly nodes: number;
  readonly central: number; // nodes in the central list
  readonly inUse: number;
  readonly cached: Uint32Array; // nodes, one entry a thread of CachesFrame.threads
}

/** Thread caches and central lists of one heap at one moment. */
export interface CachesFrame {
  readonly threads: Uint32Array; // numbers, ascending: threads that acted or hold a cache, at most 128
  readonly moreThreads: number; // of these there are, and are not listed
  readonly acting: number;
  readonly classes: readonly CacheClassRow[]; // by node size
  readonly lastMove:
    | {
        readonly seq: Seq; // right after it, as of EventLine
        readonly pool: number;
        readonly thread: number;
        readonly count: number;
        readonly direction: 'fetched' | 'stored';
      }
    | undefined;
  /** Events were lost here, and a walk does not tell who holds a free node: since then all of them count as central. */
  readonly undividedSince?: Seq | undefined;
  /** What malloc caches; undefined when the trace has no such chunk. */
  readonly cacheLists?: CacheListsFrame | undefined;
}

/** The chunks of one cache list: how many each holder has, and their bytes. */
export interface CacheListRow {
  readonly list: number | undefined; // undefined: events were lost, and a walk does not tell the list
  readonly low: Bytes; // sizes of its chunks, as seen in the trace
  readonly high: Bytes;
  readonly chunks: Uint32Array; // one entry a holder of CacheListsFrame.holders
  readonly bytes: Float64Array;
}

/** The caches of malloc, on one heap at one moment (event.h, P4). */
export interface CacheListsFrame {
  readonly holders: Uint32Array; // threads, ascending; 0, the central lists, first when the trace has any there
  readonly acting: number;
  readonly rows: readonly CacheListRow[]; // every list that ever had a chunk: those of slabs, then the others, by size
  readonly chunks: number; // of all rows: chunks, and free blocks of slabs
  readonly bytes: Bytes; // all that is cached: of all rows, and ownBytes
  /** Slabs that there are, and their bytes and those of their map which no block can have: in no row. */
  readonly slabs: { readonly count: number; readonly ownBytes: Bytes };
  readonly flushes: number; // flushes into the heap that gave something, up to this moment
  /** The last one: the moment right after its first event, what went back, and whether another operation needed it. */
  readonly lastFlush:
    | {
        readonly seq: Seq;
        readonly bytes: Bytes;
        readonly chunks: number;
        readonly slabs: number;
        readonly nested: boolean;
      }
    | undefined;
  readonly flushing: Seq | undefined; // one is under way: the moment right after its first event
  readonly lastMove: CacheListMove | undefined;
}

/** The last chunk that changed its holder, with those of its list that moved the same way right before it. */
export interface CacheListMove {
  readonly seq: Seq; // right after it
  readonly list: number;
  readonly from: number; // holders
  readonly to: number;
  readonly chunks: number;
}

export const kCaches = partKey<true, CachesFrame>('caches');
