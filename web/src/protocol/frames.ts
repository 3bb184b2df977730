// What the page gets of one sequence number: what all of it shows, and beside that the parts that panels ask for (parts.ts).
// Views draw these and compute nothing.

import type { Addr, Bytes, Seq } from '../base/brand.ts';
import type { MapFrame, OverviewFrame } from './map_frames.ts';
import type { FrameParts } from './parts.ts';

export interface StatusFrame {
  readonly seq: Seq; // events applied
  readonly head: Seq; // events in the trace
  readonly operations: number; // outermost operations begun up to seq
  readonly operationsTotal: number;
  readonly inUse: Bytes;
  readonly cached: Bytes; // of chunks that malloc caches
  readonly malloc: boolean; // the trace has such chunks, at this moment or another
  readonly pools: boolean; // the trace has a pool, at this moment or another
  readonly footprint: Bytes;
  readonly returnable: Bytes; // whole free pages of 64 KiB of all heaps: what a shrink would leave out
  /** False: a trace of the program's blocks alone. What is free is not known, and the next three are 0. */
  readonly freeLists: boolean;
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
  /** It is the program's fault: a block freed twice, or an address that is none. */
  readonly misuse?: boolean;
  /** False: what was opened is no trace. */
  readonly isTrace?: boolean;
  /** What is missing of the file, or why this state cannot be shown (then nothing is shown in its place), in words. */
  readonly damage: string | undefined;
  readonly live: boolean; // a module is attached and seq == head: memory may be read
  readonly heaps: readonly HeapRow[]; // by id
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

export interface Frame {
  readonly status: StatusFrame;
  readonly map: MapFrame | undefined;
  readonly overview?: OverviewFrame | undefined;
  readonly timeline: TimelineFrame | undefined;
  /** Each part that was asked for; undefined where there is nothing to show of it. */
  readonly parts: FrameParts;
}
