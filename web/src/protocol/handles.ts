// Handles that nobody deleted, as report, page and matchers get them (answers/handles.ts).

/** Handles of one class that one line of JavaScript made. */
export interface HandleGroup {
  readonly class: string; // '' where it is not known
  /** The innermost frame that is not the glue's; '' and 0 where it is not known. */
  readonly function: string;
  readonly file: string;
  readonly line: number;
  /** One whole stack, innermost frame first. */
  readonly stack: readonly string[];
  readonly handles: number;
  /** What they point to: blocks that live, each once. */
  readonly blocks: number;
  readonly size_bytes: number;
  readonly first_event: number; // right behind the making of the first and the last of them
  readonly last_event: number;
  /** Of some of the blocks, as the program has them. */
  readonly addresses: readonly number[];
}

export interface HandleFigures {
  /** Made in the time that was asked about. */
  readonly made: number;
  /** Not deleted, and their blocks live. */
  readonly handles: number;
  readonly blocks: number;
  readonly size_bytes: number;
  /** Not deleted, and without a block of their own: what they point to is gone, or another object's. */
  readonly without_block: number;
  /** Deleted late: by the engine's finalizer, when JavaScript had lost them. */
  readonly collected: number;
  /** Most bytes first, some of them. */
  readonly groups: readonly HandleGroup[];
  readonly all_groups: number;
  /** The same of those that were collected, without blocks; most handles first. */
  readonly collected_groups: readonly HandleGroup[];
}
