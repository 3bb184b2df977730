// The memory that the recorders of a module's threads share: where its words and buffers lie. The recorder's text and JavaScript read it.
//
//   0        words below, then what the recorder declares (recorder_state.ts)
//   page 5   tables of known contexts and of samples
//   then     buffers, each: next buffer or 0 | 12 bytes | records ...     and what the tables grow to

const kPageBytes = 65_536;

/** Bytes from its begin. */
export const kShared = {
  lock: 0,
  threads: 4, // instances made so far
  module: 8, // `id` of the module that it is for; 0: of none yet
  closed: 12, // 1: threads that begin from here on are not recorded
  file: 16, // the file descriptor + 1; 0: none
  taken: 24, // events taken so far, 8 bytes, a double
  lost: 32, // events that found no room since the last take
  first: 36, // the first buffer
  buffer: 40, // the one that is written
  at: 44, // where its next record goes
  declared: 64,
} as const;

/** Pages of 64 KiB: what it must have at first, and what it may come to, which is room for 67 million events. */
export const kSharedPages = { first: 10, most: 16_384 } as const;

export const kBuffer = { head: 16, pages: 4, bytes: 4 * kPageBytes } as const;

export const makeSharedMemory = (): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: kSharedPages.first, maximum: kSharedPages.most, shared: true });
