// The five standing questions about a heap, and what their answers consist of: one sentence, its figures, and the evidence that the
// page lights up. The page asks by a request, `heapglass ask` prints the same (as JSON: answers/answers_schema.ts).
//
//   AN1  An answer is about one moment: the heap after `event` events, of one heap or (heap 0) of all.
//   AN2  The sentence has its deciding number in it, at `deciding`.
//   AN3  What the trace cannot say, `missing` says how to record; `answered` is false when the question itself is open by that.
//   AN4  An address is a chunk's, an event is a moment: so many events have happened there. A birth is the moment right after it. A
//        key's unit is its last word.

export type Question =
  /**
   * site: of one call site only, by its function, or function@file:line. through: with the blocks of what it calls, as a frame of a
   * flame graph has them; else those whose own frame it is (answers/held.ts).
   */
  | { readonly ask: 'holds'; readonly site?: string; readonly through?: boolean }
  | { readonly ask: 'leaked' }
  /** The latest growth whose call begins before the moment; nth: so many growths before that one. */
  | { readonly ask: 'grew'; readonly nth?: number }
  /** bytes: undefined asks for the most that fits. */
  | { readonly ask: 'fits'; readonly bytes?: number }
  /** The hole at the address, or the largest. */
  | { readonly ask: 'pins'; readonly address?: number };

export type QuestionId = Question['ask'];

/** The program's own frame that blocks come from; function '': not known. */
export interface OwnFrame {
  readonly function: string;
  readonly file: string;
  readonly line: number; // 0: not known
}

export interface AnswerSite extends OwnFrame {
  readonly blocks: number;
  readonly size_bytes: number; // of the chunks, with headers
  readonly oldest_event: number;
  readonly newest_event: number;
  /** A whole stack that ends there, innermost frame first. */
  readonly stack: readonly string[];
  /** The trace's numbers of its sites, for whoever marks their blocks. */
  readonly sites: readonly number[];
}

export interface AnswerBlock {
  readonly address: number;
  readonly size_bytes: number;
  readonly born_event: number;
  readonly site: number; // 0: not known
}

/** All blocks or holes of an answer, by address: for the map, where they are more than are named one by one. */
export interface BlockRanges {
  readonly address: Uint32Array;
  readonly size: Uint32Array;
}

export interface AnswerHole {
  readonly address: number;
  readonly size_bytes: number;
  readonly is_top: boolean;
}

/** Lists are cut (answers/limits.ts); what there is in all stands in the figures. */
export interface Evidence {
  readonly sites: readonly AnswerSite[];
  readonly blocks: readonly AnswerBlock[];
  readonly holes: readonly AnswerHole[];
  /** Where the cause is to be seen: the moment to go to. */
  readonly event: number;
  /** The events that the answer is about. */
  readonly from_event: number;
  readonly to_event: number;
}

/** Blocks in use that a trace without call stacks knows together: of one pool, or of sizes between two powers of two. */
export interface HeldGroup {
  readonly by: 'pool' | 'size';
  readonly pool: number; // 0 by size
  readonly node_bytes: number; // of the pool; 0 by size
  readonly least_bytes: number; // of the smallest of these blocks
  readonly most_bytes: number;
  readonly blocks: number;
  readonly size_bytes: number;
  readonly share: number; // of all that is in use, 0 to 1
  readonly oldest_event: number;
}

export interface HoldsFigures {
  readonly blocks: number;
  readonly size_bytes: number;
  readonly site_blocks: number; // of the first site, or of the one that was asked for
  readonly site_bytes: number;
  readonly site_share: number; // 0 to 1
  readonly sites: number;
  readonly group: HeldGroup | null; // that holds the most; null where a site does, or nothing
}

export interface LeakedFigures {
  readonly blocks: number;
  readonly size_bytes: number;
  readonly growing_sites: number;
  readonly growing_blocks: number; // of all growing sites
  readonly growing_bytes: number;
  readonly growing_since_event: number; // where the window of the first growing site begins; 0: all that was recorded
  readonly growing_until_event: number; // where it ends, before the moment if the site grew and does so no more
  readonly is_end: boolean; // of the trace
  readonly old: OldBlocks | null; // null where a site is known, or none is as old
}

/** Blocks still held that were born in the first half of the time. */
export interface OldBlocks {
  readonly until_event: number;
  readonly blocks: number;
  readonly size_bytes: number;
  readonly share: number; // of all that is held, 0 to 1
  readonly oldest_event: number;
}

export const kGrowthCauses = [
  'begins', // the heap was made
  'too_little_free',
  'fragmented',
  'in_place', // a block was to grow where it is
  'unknown',
] as const;
export type GrowthCause = (typeof kGrowthCauses)[number];

/** A call during which a heap grew, or was refused memory. What was free is what was free just before the call. */
export interface GrowthFigures {
  readonly event: number; // right after the first step of growth
  readonly call_event: number; // right before the call: the state that it found
  readonly heap: number;
  readonly call: string; // op_begun's, 'none' outside every call
  readonly request_bytes: number; // of one block
  readonly request_blocks: number;
  readonly needed_bytes: number; // of one chunk, with header
  readonly free_bytes: number;
  readonly free_pieces: number;
  readonly largest_free_bytes: number;
  readonly cached_bytes: number;
  readonly footprint_from_bytes: number; // of the heap
  readonly footprint_to_bytes: number;
  readonly memory_from_bytes: number; // linear memory; both 0: the trace does not say
  readonly memory_to_bytes: number;
  readonly refused: boolean;
  readonly cause: GrowthCause;
  /** The fewest blocks that, freed before, would have made a piece large enough. */
  readonly pin_blocks: number;
  readonly pin_bytes: number;
}

export interface GrewFigures {
  readonly growths: number; // whose calls begin before the moment
  readonly later_growths: number; // behind it
  readonly next_event: number | null; // the first growth behind the moment
  readonly latest: GrowthFigures | null;
}

/** perhaps: only if malloc first gives back what it caches, or the operation under way leaves enough. */
export type Fits = 'yes' | 'no' | 'perhaps';

export interface FitsFigures {
  readonly request_bytes: number;
  readonly needed_bytes: number; // of a chunk, with header; where malloc makes a slab for it, of the slab
  readonly fits: Fits;
  readonly from: 'slab' | 'cache' | 'bin' | 'victim' | 'top' | 'none'; // none: nothing serves it, or the trace does not decide what
  /** Of the block, as the program would get it; 0 where the trace does not decide it. */
  readonly block_address: number;
  readonly largest_free_bytes: number; // without top
  readonly top_bytes: number;
  readonly growth_bytes: number; // at least; 0 when it fits
  readonly pin_blocks: number; // as of a growth
  readonly pin_bytes: number;
}

export interface PinsFigures {
  readonly hole_bytes: number;
  readonly free_bytes: number;
  readonly free_pieces: number;
  readonly top_bytes: number;
  readonly pin_blocks: number; // that are to be freed
  readonly joined_bytes: number; // that this gives in one piece
}

interface Said {
  readonly heap: number; // 0: all
  readonly event: number;
  readonly question: string;
  readonly sentence: string;
  readonly deciding: readonly [number, number]; // [begin, end) in sentence; equal: there is none
  readonly answered: boolean;
  readonly missing: string; // '' when nothing is
  readonly evidence: Evidence;
}

export type Answer =
  | (Said & { readonly ask: 'holds'; readonly figures: HoldsFigures })
  | (Said & { readonly ask: 'leaked'; readonly figures: LeakedFigures })
  | (Said & { readonly ask: 'grew'; readonly figures: GrewFigures })
  | (Said & { readonly ask: 'fits'; readonly figures: FitsFigures })
  | (Said & { readonly ask: 'pins'; readonly figures: PinsFigures });

/** What an answer is about, where more of it is to be seen: of sites, or of what a trace without them knows. */
export type AnswerTopic = QuestionId | `held_by_${HeldGroup['by']}`;

export function topicOf(answer: Answer): AnswerTopic {
  const group = answer.ask === 'holds' ? answer.figures.group : null;
  return group === null ? answer.ask : `held_by_${group.by}`;
}

/** As the page gets it. */
export type ShownAnswer = Answer & Shown;

/** What the evidence has and cuts, whole. */
export interface Shown {
  readonly all?: BlockRanges | undefined;
  readonly allHoles?: BlockRanges | undefined;
}

export type AnswerTo<Id extends QuestionId> = Extract<Answer, { ask: Id }>;
