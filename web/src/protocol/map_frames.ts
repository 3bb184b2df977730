// What the map and the strip beside it get: chunks, cells and nodes of a viewport at one sequence number.
// All typed arrays are transferred, never cloned, and have exactly `count` (or the stated) entries.

import type { Addr, Bytes } from '../base/brand.ts';

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
export const EmptyKind = { free: 0, top: 1, outside: 2, unrecorded: 3 } as const; // outside: of every segment; unrecorded: of a foreign heap
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
  readonly address: Uint32Array; // of the header word, or of the block where there is none, ascending; may begin before the viewport
  readonly size: Uint32Array; // with header
  readonly state: Uint8Array; // ChunkState
  readonly age: Uint8Array; // 0 just born ... 255 oldest: log2 of events since it was taken or freed
  readonly heap: Uint8Array;
  /** Of each chunk what it is of a slab, 0: nothing. undefined: none is anything. */
  readonly slab?: Uint8Array | undefined;
}
export const kSlabBlock = 1;
export const kOwnWords = 2; // header and bits, before the first block
export const kSlabRest = 3; // what the blocks leave, behind the last one
export const kSlabTable = 4; // no slab: where malloc notes slabs
/** Neither a block of a slab nor its rest has a header. */
export const hasNoHeader = (slab: number | undefined): boolean => slab === kSlabBlock || slab === kSlabRest;

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
  /** What stands in memory, where it is legible and this moment is now; undefined: it is not known. */
  readonly bytes?: readonly MemoryBytes[] | undefined;
}

/** Memory as it is, from an address on. */
export interface MemoryBytes {
  readonly from: Addr;
  readonly values: Uint8Array;
}

/** From this many CSS pixels a byte on, bytes are legible. */
export const kLegibleByte = 16;

/** All memory that heaps have, in a column of equal cells. */
export interface OverviewFrame {
  readonly from: Addr;
  readonly to: Addr; // behind the last segment
  readonly cellBytes: Bytes;
  readonly cells: CellMarks; // one a row
}
