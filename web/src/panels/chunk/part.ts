// The share of a frame that the selected chunk has, and the operation that the moment lies in.

import type { Addr, Bytes, Seq } from '../../base/brand.ts';
import type { ChunkState } from '../../protocol/map_frames.ts';
import { partKey } from '../../protocol/parts.ts';
import type { SlabSizes } from '../../protocol/slab_words.ts';
import type { CacheClassRow } from '../heaps/part.ts';
import type { BinRow } from '../lists/part.ts';

export interface Neighbour {
  readonly address: Addr;
  readonly size: Bytes;
  readonly state: ChunkState;
}

/** One line of text about an event. emphasis marks the deciding number, if any, as [start, end) in text. */
export interface EventLine {
  readonly seq: Seq; // the moment right after the event: so many events have happened there, and it is the last
  readonly kind: number;
  readonly depth: number; // 0: outermost operation
  readonly text: string;
  readonly emphasis: readonly [number, number] | undefined;
}

export interface InspectSlab extends SlabSizes {
  readonly part: 'block' | 'own' | 'rest';
  readonly nth: number; // of its blocks, from 0; 0 of no block
  readonly chunk: Addr;
}

export interface InspectFrame {
  readonly asked: Addr;
  readonly what: 'chunk' | 'node' | 'segment_header' | 'outside';
  readonly heap: number;
  readonly chunk: Addr;
  readonly size: Bytes;
  readonly usable: Bytes;
  readonly state: ChunkState;
  /** The slab that has it, as a block without a header, as its own words, or as what its blocks leave. */
  readonly slab?: InspectSlab | undefined;
  readonly bornAt: Seq | undefined; // right after its birth
  readonly request: Bytes | undefined; // what the user asked, when the trace tells
  readonly headerWord: number;
  readonly headerFrom: 'memory' | 'model'; // read from linear memory (live, at the head) or rebuilt
  readonly previousInUse: boolean;
  readonly inUse: boolean;
  readonly holdsBlock: boolean;
  readonly bin: BinRow | undefined;
  readonly nextFree: Addr | undefined;
  readonly prevFree: Addr | undefined;
  readonly previous: Neighbour | undefined;
  readonly next: Neighbour | undefined;
  readonly pool: number | undefined;
  readonly block: { readonly address: Addr; readonly size: Bytes; readonly freeNodes: number } | undefined;
  readonly node: { readonly address: Addr; readonly size: Bytes; readonly inUse: boolean } | undefined;
  /** The address lies in a span of the small front: where the nodes of its class are, and who had this one. */
  readonly small?:
    | {
        readonly row: CacheClassRow;
        readonly threads: Uint32Array; // of row.cached
        readonly lastThread: number | undefined; // who took or returned this node last, when the trace tells
      }
    | undefined;
  /** malloc caches the chunk: on which list (undefined: not known since events were lost), and who has it. */
  readonly cached?:
    | { readonly list: number | undefined; readonly low: Bytes; readonly high: Bytes; readonly holder: number }
    | undefined;
  /** Call stack of the block's birth, innermost frame first; undefined when the trace does not tell. */
  readonly stack?: readonly string[] | undefined;
  readonly life: readonly EventLine[]; // newest last, at most 24
  readonly bytes: Uint8Array | undefined; // up to 256 bytes from chunk on, when live
}

/** What the operation around the moment was asked, tried, and, as far as it has come, why it ended where it did. */
export interface ExplainFrame {
  readonly at: Seq; // the moment that it is of: while time runs it stays, to be read
  readonly title: string;
  readonly lines: readonly EventLine[]; // all of the operation's events; those up to the moment have happened
  readonly prose: readonly { readonly text: string; readonly strong: boolean }[]; // prose, strong = deciding number
}

export const kInspect = partKey<Addr | undefined, InspectFrame>('inspect');
export const kExplain = partKey<true, ExplainFrame>('explain');
