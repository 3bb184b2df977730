// What a replay says, as plain JSON: replay_schema.json states the same for other programs, and a test compares the two.
//
//   Q1  Keys are stable; a key's unit is its last word: bytes, ms, operations, share (0 to 1), ratio (1: equal).
//   Q2  A ratio is that of an allocator to the one it is compared with: below 1 it is less.
//   Q3  live: bytes that the program asked for and has not freed; the same for every allocator. footprint: linear memory
//       less the heap's base. unused: the share of the footprint that is not live.

export const kReplayVersion = 1;

export const kAllocatorNames = ['fast', 'small', 'hardened', 'row-d', 'dlmalloc', 'emmalloc', 'mimalloc'] as const;
export type AllocatorName = (typeof kAllocatorNames)[number];

export const kAllocatorTexts: Readonly<Record<AllocatorName, string>> = {
  fast: 'heapglass, profile fast',
  small: 'heapglass, profile small',
  hardened: 'heapglass, profile hardened',
  'row-d': "heapglass's size classes with thread caches (hg_small_*) as malloc",
  dlmalloc: "Emscripten's default",
  emmalloc: "Emscripten's smallest",
  mimalloc: "Emscripten's for threads",
};

/** The names given as `fast,dlmalloc`; a sentence when one is none. */
export function parseAllocators(text: string, known: readonly AllocatorName[]): readonly AllocatorName[] | string {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong !== undefined) return `there is no allocator "${wrong}" to replay on; there are ${known.join(', ')}`;
  return known.filter((name) => names.includes(name));
}

export interface ReplayReport {
  readonly replay_version: typeof kReplayVersion;
  readonly trace: { readonly name: string; readonly title: string; readonly events: number };
  /** What the reader must know before any figure. Empty when all is well. */
  readonly notices: readonly string[];
  readonly program: ProgramFacts;
  readonly measured: {
    readonly compiler: string;
    readonly engine: string;
    /** Interleaved; the median counts. 0: no times were taken. */
    readonly rounds: number;
    /** So often were the operations carried out in a round. */
    readonly repeats: number;
    readonly compared_with: AllocatorName;
  };
  readonly allocators: readonly AllocatorFacts[];
  /** null: it was not asked for. */
  readonly advice: AdviceFacts | null;
  /** One clock for all curves: so many operations were made. */
  readonly samples: readonly SampleFacts[];
}

export interface ProgramFacts {
  readonly operations: number;
  readonly mallocs: number;
  readonly aligned: number;
  readonly reallocs: number;
  readonly frees: number;
  readonly peak_live_bytes: number;
  readonly peak_live_blocks: number;
  readonly end_live_bytes: number;
}

export interface SampleFacts {
  readonly operations: number;
  /** How much of the trace lies before it, for event= of the glass's address. */
  readonly event: number;
  readonly live_bytes: number;
}

export interface AllocatorFacts {
  readonly name: AllocatorName;
  readonly what: string;
  /** Why it is not here; null when it is. */
  readonly absent: string | null;
  /** What it could not do; null when it carried out everything. */
  readonly failed: string | null;
  /** Of its wasm. */
  readonly code_bytes: number;
  readonly time: TimeFacts | null;
  readonly peak_footprint_bytes: number;
  readonly peak_footprint_ratio: number;
  readonly peak_asked_bytes: number;
  readonly growths: number;
  /** When the footprint is at its peak for the first time, at the end, and the mean over the samples. */
  readonly unused_share: { readonly at_peak: number; readonly end: number; readonly mean: number };
  /** At each sample. */
  readonly footprint_bytes: readonly number[];
}

export type AdviceKind = 'pool' | 'reserve' | 'in_place' | 'profile';

export interface AdviceFacts {
  /** What was tried, replayed, and showed no gain: not given. */
  readonly without_gain: number;
  /** The best first. */
  readonly list: readonly Advice[];
}

export interface Advice {
  readonly kind: AdviceKind;
  /** What to do and what the replay showed. */
  readonly sentence: string;
  /** Frames of the call site, innermost first; empty: wherever blocks of the size come from. */
  readonly site: readonly string[];
  /** Bytes asked for at birth; of a profile 0. */
  readonly request_bytes: number;
  /** Blocks or chains that it is about. */
  readonly blocks: number;
  /** Of a reserve: what to ask for at once. */
  readonly reserve_bytes: number;
  /** What it was replayed on. */
  readonly allocator: AllocatorName;
  /** Of all operations, after to before; null when no times were taken. */
  readonly time: Pick<TimeFacts, 'ratio' | 'least_ratio' | 'most_ratio'> | null;
  readonly peak_before_bytes: number;
  readonly peak_after_bytes: number;
  readonly code_difference_bytes: number;
}

/** Of all operations, once. */
export interface TimeFacts {
  readonly ms: number;
  readonly least_ms: number;
  readonly most_ms: number;
  /** The median of the rounds' ratios, and the range of all of them. */
  readonly ratio: number;
  readonly least_ratio: number;
  readonly most_ratio: number;
}

/** The allocators that carried out everything. */
export const presentOf = ({ allocators }: ReplayReport): readonly AllocatorFacts[] =>
  allocators.filter(({ absent, failed }) => absent === null && failed === null);
