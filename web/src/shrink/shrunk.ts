// What a shrink says afterwards, and why it did not happen.

export const kPageBytes = 65_536;
const kMebibyte = 1 << 20;

/** What a shrink did, in bytes. */
export interface Shrunk {
  /** Size of the memory before, and now. */
  readonly before: number;
  readonly after: number;
  /** What was copied; the rest of `after` are pages that nothing was ever written to. */
  readonly copied: number;
}

const inMiB = (bytes: number): string => (bytes / kMebibyte).toFixed(1);

/** As a mark on the time line says it; that the footprint fell, the trace says itself, by trimming. */
export const shrunkText = (before: number, after: number): string =>
  `shrunk from ${inMiB(before)} to ${inMiB(after)} MiB`;

/**
 * Why a program did not shrink, or could not be kept or set back; it goes on as it was.
 * - `refused`: it cannot, or not just now; the message is a sentence.
 * - `out_of_memory`: for the time of the copy there are two memories, and the second was not to be had.
 * - `not_linked`: the program was linked without --shrink.
 * - `bad_snapshot`: `restore()` was given bytes that no snapshot is, a damaged one, or one of another program.
 * - `bad_argument`: `restore()` was given something that holds no bytes.
 */
export type ShrinkErrorCode = 'refused' | 'out_of_memory' | 'not_linked' | 'bad_snapshot' | 'bad_argument';

export interface ShrinkError extends Error {
  readonly code: ShrinkErrorCode;
}

export function shrinkError(
  code: ShrinkErrorCode,
  message: string,
  options?: { readonly cause: unknown },
): ShrinkError {
  const error = new Error(message, options) as Error & { code: ShrinkErrorCode };
  error.name = 'ShrinkError';
  error.code = code;
  return error;
}

export const refused = (why: string): ShrinkError => shrinkError('refused', `this program cannot shrink: ${why}`);
