// What a report says, as plain JSON: report_schema.json states the same for other programs, and a test compares the
// two.
//
//   Q1  Keys are stable; a key's unit is its last word: bytes, events, allocations. A place in time is `event`: so many
//       events lie before it, which is the number that the page's time line and #event= take.
//   Q2  live: bytes that the program asked for and has not freed. in_use: the same with headers and rounding, pools'
//       blocks whole. footprint: what the heaps hold. memory: linear memory.
//   Q3  Every list has a bound (limits.ts); beside it stands how much there is in all.

export const kReportVersion = 1;

export interface Report {
  readonly report_version: typeof kReportVersion;
  readonly trace: TraceFacts;
  /** What the reader must know before any figure: losses, damage, contradictions. Empty when all is well. */
  readonly notices: readonly string[];
  readonly totals: Totals;
  readonly peak: Peak;
  readonly end: End;
  readonly sizes: Sizes;
  readonly lifetimes: Lifetimes;
  readonly temporaries: Temporaries;
  readonly leaks: Leaks;
  readonly fragmentation: Fragmentation;
  readonly growths: Growths;
  readonly advice: Advice;
  readonly marks: Marks;
  readonly sites: SiteRows;
  readonly timeline: readonly Sample[];
}

export interface TraceFacts {
  readonly name: string;
  readonly title: string;
  readonly events: number;
  readonly operations: number;
  /** Of a chunk's header; 0: a foreign heap, of which only the blocks are known. */
  readonly word_bytes: 0 | 4 | 8;
  readonly heaps: number;
  readonly threads: number;
  readonly lost_events: number;
  /** The file ends with its end mark, and every event fits the model. */
  readonly whole: boolean;
  /** The last place at which the writer's walk of the real heap was compared with the model. */
  readonly proof: { readonly event: number; readonly equal: boolean } | null;
}

export interface Totals {
  readonly allocations: number;
  readonly allocated_bytes: number;
  readonly frees: number;
  readonly freed_bytes: number;
  readonly reallocations: number;
  /** What they added to the blocks, less what they took: allocated + resized - freed is live. */
  readonly resized_bytes: number;
  /** Of them those that copied the block to another place, and the bytes copied. */
  readonly moved_reallocations: number;
  readonly moved_bytes: number;
  readonly failed_calls: number;
  /** Frees of blocks that this trace did not see allocated. */
  readonly unknown_frees: number;
}

interface At {
  readonly bytes: number;
  readonly event: number;
  readonly operation: number;
}

export interface Peak {
  readonly live: At & { readonly blocks: number };
  readonly in_use: At;
  readonly footprint: At;
  readonly memory: At;
}

export interface End {
  readonly live_bytes: number;
  readonly live_blocks: number;
  readonly in_use_bytes: number;
  readonly cached_bytes: number;
  readonly free_bytes: number;
  readonly largest_free_bytes: number;
  readonly footprint_bytes: number;
  readonly memory_bytes: number;
}

/** Whole numbers from `from` up to and including `to`. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly allocations: number;
  readonly bytes: number;
}

export interface SizeRow {
  readonly request_bytes: number;
  readonly allocations: number;
  readonly bytes: number;
  readonly peak_live_blocks: number;
}

export interface Sizes {
  /** By requested bytes, powers of two. */
  readonly histogram: readonly Bucket[];
  readonly distinct: number;
  readonly most_frequent: readonly SizeRow[];
  readonly most_bytes: readonly SizeRow[];
}

export interface Lifetimes {
  /** Blocks that were freed, by the allocations made between their birth and their end. */
  readonly by_allocations: readonly Bucket[];
  /** The same by the bytes allocated meanwhile. */
  readonly by_bytes: readonly Bucket[];
  readonly never_freed: number;
}

export interface Temporaries {
  readonly within_allocations: number;
  readonly allocations: number;
  readonly bytes: number;
  /** Of all allocations, 0 to 1. */
  readonly share: number;
  readonly by_size: readonly { readonly request_bytes: number; readonly allocations: number }[];
}

export interface LeakedBlock {
  readonly address: number;
  readonly request_bytes: number;
  readonly event: number;
  readonly age_allocations: number;
}

export interface Leaks {
  readonly blocks: number;
  readonly bytes: number;
  readonly by_size: readonly { readonly request_bytes: number; readonly blocks: number; readonly bytes: number }[];
  readonly oldest: readonly LeakedBlock[];
}

export interface Fragmentation {
  /** 1 - largest free chunk / free bytes, where free memory is a tenth of the footprint or more; 0 to 1. */
  readonly worst: number;
  readonly worst_event: number;
  readonly mean: number;
  readonly end: number;
}

export type GrowthCause = 'too_little_free' | 'fragmented' | 'in_place' | 'unknown';

export interface Growth {
  readonly event: number;
  readonly call: string;
  readonly request_bytes: number;
  readonly from_bytes: number;
  readonly to_bytes: number;
  readonly granted: boolean;
  readonly free_bytes: number;
  readonly largest_free_bytes: number;
  readonly cached_bytes: number;
  readonly cause: GrowthCause;
}

export interface Growths {
  readonly granted: number;
  readonly refused: number;
  readonly list: readonly Growth[];
}

export interface PoolAdvice {
  readonly request_bytes: number;
  readonly peak_live_blocks: number;
  readonly chunk_bytes: number;
  readonly node_bytes: number;
  readonly saved_bytes: number;
}

export interface ReserveAdvice {
  readonly first_bytes: number;
  readonly last_bytes: number;
  readonly steps: number;
  readonly copied_bytes: number;
  readonly event: number;
  readonly how: 'reallocate' | 'allocate_and_free';
}

export interface Advice {
  readonly pools: readonly PoolAdvice[];
  readonly reserves: readonly ReserveAdvice[];
  /** All blocks that grew step by step with copies. */
  readonly grown_blocks: number;
  readonly grown_copied_bytes: number;
}

export interface Mark {
  readonly event: number;
  readonly name: string;
  readonly live_bytes: number;
}

export interface Marks {
  readonly count: number;
  readonly list: readonly Mark[];
}

export interface Sample {
  readonly event: number;
  readonly live_bytes: number;
  /** peak: the greatest value since the sample before. */
  readonly live_peak_bytes: number;
  readonly in_use_bytes: number;
  readonly in_use_peak_bytes: number;
  readonly cached_bytes: number;
  readonly free_bytes: number;
  readonly largest_free_bytes: number;
  readonly footprint_bytes: number;
  readonly fragmentation: number;
}

/** Of one call site, or of several together. */
export interface SiteFigures {
  readonly allocations: number;
  readonly allocated_bytes: number;
  readonly frees: number;
  readonly freed_bytes: number;
  readonly resized_bytes: number;
  /** At the end: what was not freed. */
  readonly live_blocks: number;
  readonly live_bytes: number;
  /** The most of this site at any time; of several sites the sum of each one's own. */
  readonly most_live_bytes: number;
  /** When the whole program was at its peak. */
  readonly peak_blocks: number;
  readonly peak_bytes: number;
  /** Bytes times the events that they lived. */
  readonly byte_events: number;
  readonly temporaries: number;
  readonly temporary_bytes: number;
  /** Allocated between the two marks asked for and live at the second; left: of them live at the end. */
  readonly between_blocks: number;
  readonly between_bytes: number;
  readonly between_left_blocks: number;
  readonly between_left_bytes: number;
}

export interface SiteRow extends SiteFigures {
  /** Of the innermost frame that is the program's own (own_frames.ts). */
  readonly function: string;
  /** '' and 0 when not known. */
  readonly file: string;
  readonly line: number;
  /** Frames as they were recorded, innermost first. */
  readonly stack: readonly string[];
}

export interface SiteRows {
  /** Call sites with blocks; 0: the trace does not tell where calls came from. */
  readonly count: number;
  /** The two marks asked for, as places in time. */
  readonly between: { readonly from: Place; readonly to: Place } | null;
  /** Those with the most of something; most bytes at the peak first. */
  readonly list: readonly SiteRow[];
  /** All that are not in the list, together. */
  readonly other: SiteFigures & { readonly sites: number };
  /** Blocks of calls that did not say where they came from. */
  readonly unknown: SiteFigures;
}

export interface Place {
  readonly name: string;
  readonly event: number;
}
