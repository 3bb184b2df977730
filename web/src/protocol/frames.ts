// What a view gets: arrays and counts for its viewport at one sequence number. Views draw these and compute nothing.
// All typed arrays are transferred, never cloned, and have exactly `count` (or the stated) entries.

import type { Addr, Bytes, Seq } from '../base/brand.ts';

/** State of a chunk in a frame. The same numbers index the palette. */
export const ChunkState = {
  free: 0, // in a bin
  inUse: 1,
  top: 2,
  victim: 3,
  poolBlock: 4, // in use, holds a pool's block
  cached: 5, // freed by the program, cached by malloc
} as const;
export type ChunkState = (typeof ChunkState)[keyof typeof ChunkState];

/** State of a node inside a pool block. */
export const NodeState = { free: 0, inUse: 1, lastTouched: 2 } as const;
export type NodeState = (typeof NodeState)[keyof typeof NodeState];

/**
 * The map is text: rows of address space. Row r shows [origin + r * bytesPerRow, + bytesPerRow), with what the gaps before it
 * leave out added (viewport.ts). origin is a multiple of 4; bytesPerRow any multiple of 16 from 16 to 2^32 (a power of two when the zoom rests).
 */
export interface MapViewport {
  readonly origin: Addr;
  readonly bytesPerRow: Bytes;
  readonly rows: number;
  /** Device-independent pixels of a row; cells are at least one pixel wide. */
  readonly columns: number;
  /** Stretches of emptiness that no row shows, top to bottom. */
  readonly gaps?: readonly ViewportGap[];
}

export interface ViewportGap {
  readonly beforeRow: number;
  readonly slots: number; // of bytesPerRow bytes each
}

/** What a run of emptiness is. */
export const EmptyKind = { free: 0, top: 1, outside: 2 } as const; // outside: of every segment
export type EmptyKind = (typeof EmptyKind)[keyof typeof EmptyKind];

/** Runs of memory that nobody uses, ascending: the longest there are, wherever the map is. */
export interface EmptyRuns {
  readonly count: number;
  readonly address: Uint32Array;
  readonly size: Uint32Array;
  readonly kind: Uint8Array; // EmptyKind
}

export interface ChunkMarks {
  readonly count: number;
  readonly address: Uint32Array; // of the header word, ascending; may begin before the viewport
  readonly size: Uint32Array; // with header
  readonly state: Uint8Array; // ChunkState
  readonly age: Uint8Array; // 0 just born ... 255 oldest: log2 of events since it was taken or freed
  readonly heap: Uint8Array;
}

/** What the chunks in use are coloured by. */
export const kColourings = ['age', 'size', 'thread', 'site'] as const;
export type Colouring = (typeof kColourings)[number];

/** Of each chunk in view the group it is coloured as: 0 is every other one, n is names[n - 1]. */
export interface ChunkGroups {
  readonly by: Colouring;
  readonly group: Uint8Array;
  readonly names: readonly string[]; // '': the number is free
}

export interface BlockMarks {
  readonly count: number;
  readonly address: Uint32Array; // block as the pool sees it
  readonly size: Uint32Array;
  readonly pool: Uint16Array;
  readonly freeNodes: Uint32Array;
  readonly nodes: Uint32Array; // nodes a block of this pool has
  readonly subBlockBytes: Uint32Array; // 0: no sub-blocks
}

export interface NodeMarks {
  readonly count: number;
  readonly address: Uint32Array;
  readonly size: Uint32Array;
  readonly state: Uint8Array; // NodeState
  readonly subBlocks: Uint32Array; // addresses of sub-block headers in view
}

/** Dense view: each row of the viewport in `cellsPerRow` equal cells; shares are 0..255 of the cell's bytes. Length rows * cellsPerRow. */
export interface CellMarks {
  readonly cellsPerRow: number;
  readonly inUse: Uint8Array; // chunks in use that hold no pool block
  readonly cached: Uint8Array; // chunks that malloc caches
  readonly pool: Uint8Array; // chunks in use that hold a pool block
  readonly free: Uint8Array; // free chunks in bins and the victim
  readonly top: Uint8Array; // top; what remains is outside every segment
  readonly age: Uint8Array; // of the youngest chunk in use
}

export interface SegmentMark {
  readonly base: Addr;
  readonly size: Bytes;
  readonly heap: number;
  readonly firstChunk: Addr;
  readonly tail: Addr; // begin of the free chunk that ends the segment, which is its top or none; its end when there is none
}

export interface MapFrame {
  readonly viewport: MapViewport;
  readonly memoryBytes: Bytes; // linear memory at this moment, beyond it nothing exists
  /** 0: a foreign heap, whose blocks have no header that is known. */
  readonly wordSize: 0 | 4 | 8;
  readonly segments: readonly SegmentMark[];
  readonly empty: EmptyRuns;
  /** Chunks when at most some 20,000 are in view, else undefined. Exactly one of chunks and cells is set. */
  readonly chunks: ChunkMarks | undefined;
  readonly cells: CellMarks | undefined;
  readonly blocks: BlockMarks; // in view, in chunk mode
  readonly nodes: NodeMarks; // in view, when nodes are wide enough to see (about 1.5 px)
  readonly groups?: ChunkGroups | undefined; // of chunks, when they are not coloured by age
}

/** All memory that heaps have, in a column of equal cells. */
export interface OverviewFrame {
  readonly from: Addr;
  readonly to: Addr; // behind the last segment
  readonly cellBytes: Bytes;
  readonly cells: CellMarks; // one a row
}

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

export interface StatusFrame {
  readonly seq: Seq; // events applied
  readonly head: Seq; // events in the trace
  readonly operations: number; // outermost operations begun up to seq
  readonly operationsTotal: number;
  readonly inUse: Bytes;
  readonly cached: Bytes; // of chunks that malloc caches
  readonly malloc: boolean; // the trace has such chunks, at this moment or another
  readonly footprint: Bytes;
  readonly largestFree: Bytes;
  readonly freeBytes: Bytes;
  /** 1 - largestFree / freeBytes; 0 when nothing is free. */
  readonly fragmentation: number;
  readonly lost: number; // events lost by a full ring
  readonly lostAt: Seq; // where the last of them are missing; 0: nowhere
  readonly before: number; // events before the trace's first, which began with a snapshot
  /** The last sequence number at which walking the real heap gave exactly the model, and whether any walk differed. */
  readonly verifiedAt: Seq | undefined;
  readonly mismatch: string | undefined;
  readonly waiting: string | undefined; // why the model stands still though events come, in words
  readonly broken: boolean; // the mismatch is an event that cannot be applied: the model ends before it
  /** What is missing of the file, or why this state cannot be shown (then nothing is shown in its place), in words. */
  readonly damage: string | undefined;
  readonly live: boolean; // a module is attached and seq == head: memory may be read
  readonly heaps: readonly { readonly id: number; readonly base: Addr; readonly inUse: Bytes }[];
}

export interface BinRow {
  readonly bin: number;
  readonly low: Bytes; // sizes low..high go here
  readonly high: Bytes;
  readonly count: number;
  readonly bytes: Bytes;
}

/** The chunks of one bin, first to last. */
export interface BinChain {
  readonly bin: number;
  readonly address: Uint32Array;
  readonly size: Uint32Array;
}

export interface PoolRow {
  readonly pool: number;
  readonly heap: number;
  readonly address: Addr;
  readonly shape:
    | 'segregated'
    | 'adaptive'
    | 'aligned_only'
    | 'size_class'
    | 'fixed_block'
    | 'lock_free'
    | 'fixed_size';
  readonly nodeSize: Bytes;
  readonly nodesPerBlock: number;
  readonly subBlockBytes: Bytes;
  readonly subBlocks: number;
  readonly maxFreeBlocks: number;
  readonly blocks: number;
  readonly nodesInUse: number;
  readonly nodesFree: number;
}

/** Everything that lives in linear memory, heap by heap; a memory pool is a heap of its own. */
export interface HeapRow {
  readonly id: number;
  readonly base: Addr;
  readonly footprint: Bytes;
  readonly inUse: Bytes;
  readonly cached: Bytes;
  readonly segments: number;
  readonly chunksInUse: number;
  readonly chunksCached: number;
  readonly pools: number;
}

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
        readonly seq: Seq;
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
  readonly rows: readonly CacheListRow[]; // every list that ever had a chunk, by size
  readonly chunks: number; // in all
  readonly bytes: Bytes;
  readonly flushes: number; // flushes into the heap that gave something, up to this moment
  /** The last one: its first event, what went back, and whether another operation needed it. */
  readonly lastFlush:
    | { readonly seq: Seq; readonly bytes: Bytes; readonly chunks: number; readonly nested: boolean }
    | undefined;
  readonly lastMove: CacheListMove | undefined;
}

/** The last chunk that changed its holder, with those of its list that moved the same way right before it. */
export interface CacheListMove {
  readonly seq: Seq;
  readonly list: number;
  readonly from: number; // holders
  readonly to: number;
  readonly chunks: number;
}

/** Blocks of one pool: first those in the tree, in order (fewest free nodes first), then the full ones by address. */
export interface PoolBlocks {
  readonly pool: number;
  readonly treeCount: number;
  readonly address: Uint32Array;
  readonly freeNodes: Uint32Array;
}

export interface Neighbour {
  readonly address: Addr;
  readonly size: Bytes;
  readonly state: ChunkState;
}

/** One line of text about an event. emphasis marks the deciding number, if any, as [start, end) in text. */
export interface EventLine {
  readonly seq: Seq; // of the event; applying it leads to seq + 1
  readonly kind: number;
  readonly depth: number; // 0: outermost operation
  readonly text: string;
  readonly emphasis: readonly [number, number] | undefined;
}

export interface InspectFrame {
  readonly asked: Addr;
  readonly what: 'chunk' | 'node' | 'segment_header' | 'outside';
  readonly heap: number;
  readonly chunk: Addr;
  readonly size: Bytes;
  readonly usable: Bytes;
  readonly state: ChunkState;
  readonly bornAt: Seq | undefined;
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

/** What the operation around the cursor was asked, tried, and why it ended where it did. */
export interface ExplainFrame {
  readonly title: string;
  readonly lines: readonly EventLine[]; // the operation's events, with the current one by seq
  readonly story: readonly { readonly text: string; readonly strong: boolean }[]; // prose, strong = deciding number
}

/** Columns over time. Length `columns`. */
export interface TimelineFrame {
  readonly from: Seq;
  readonly to: Seq;
  readonly columns: number;
  readonly inUseMin: Float64Array;
  readonly inUseMax: Float64Array;
  readonly occupiedMax: Float64Array; // in use and cached together
  readonly footprint: Float64Array;
  /** Where they are more than 512, the last of each column; more: how many others are in it. */
  readonly marks: readonly { readonly seq: Seq; readonly label: string; readonly more: number }[];
  readonly verified: readonly Seq[]; // likewise
}

/** Chunks of [2^power, 2^(power+1)) bytes, or so many events old. */
export interface SizeClassRow {
  readonly power: number;
  readonly count: number;
  readonly bytes: Bytes; // of all of them
  readonly largest: Bytes; // the largest one's, and where it is
  readonly largestAt: Addr;
}

/** How large the chunks of a heap are, and how old those in use. Classes without chunks are left out. */
export interface SizesFrame {
  readonly heap: number;
  readonly inUse: readonly SizeClassRow[]; // by size, as cached and free
  readonly cached: readonly SizeClassRow[]; // by malloc
  readonly free: readonly SizeClassRow[];
  readonly ages: readonly SizeClassRow[]; // by events since the birth, of what is in use
}

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

/** Blocks that were freed before `within` more allocations, in all events up to `seq`. Most first. */
export interface TemporariesFrame {
  readonly within: number;
  readonly seq: Seq;
  readonly count: number;
  readonly bytes: Bytes; // as asked for
  readonly share: number; // of all allocations, 0 to 1
  readonly known: boolean; // the trace has call sites
  readonly bySite: readonly { readonly frames: readonly string[]; readonly count: number; readonly bytes: Bytes }[]; // innermost first; no frames: not known
  readonly bySize: readonly { readonly size: Bytes; readonly count: number }[];
}

export interface ComparedBlock {
  readonly address: Addr; // of the chunk
  readonly size: Bytes; // with header
  readonly born: Seq;
}

export interface ComparedBlocks {
  readonly count: number;
  readonly bytes: Bytes;
  readonly largest: readonly ComparedBlock[]; // the ten largest, largest first
}

/** The blocks of all heaps at an earlier (or later) moment and at the frame's: gone, in both, added. */
export interface CompareFrame {
  readonly since: Seq;
  readonly gone: ComparedBlocks;
  readonly both: ComparedBlocks;
  readonly added: ComparedBlocks;
}

export interface Frame {
  readonly status: StatusFrame;
  readonly map: MapFrame | undefined;
  readonly overview?: OverviewFrame | undefined;
  /** Every bin that is not empty, and the small ones (one size each) always. By number. */
  readonly bins: readonly BinRow[];
  readonly binChain: BinChain | undefined;
  /** By number, at most 512; the one asked for is among them. */
  readonly pools: readonly PoolRow[];
  readonly poolsTotal: number;
  readonly poolBlocks: PoolBlocks | undefined;
  readonly heaps: readonly HeapRow[];
  readonly caches: CachesFrame | undefined; // undefined: not asked for
  readonly sizes?: SizesFrame | undefined; // undefined: not asked for
  readonly sites?: SitesFrame | undefined; // undefined: not asked for
  readonly compare?: CompareFrame | undefined; // undefined: not asked for
  readonly inspect: InspectFrame | undefined;
  readonly explain: ExplainFrame | undefined;
  readonly timeline: TimelineFrame | undefined;
}
