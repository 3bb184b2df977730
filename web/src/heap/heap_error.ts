// The one error of the JavaScript heap API. An allocation that fails returns 0 or undefined; this is thrown for mistakes
// in the arguments, for what a program cannot go on after, and for out of memory when the caller asked for it.

/**
 * Why a HeapError was thrown.
 * - `out_of_memory`: an allocation failed and the heap was made with `throwOnOutOfMemory`, or no heap fits.
 * - `bad_argument`: an option, a type, a size or an address that no call can mean; the message names it. Nothing was done.
 * - `not_of_this_heap`: a typed array that this heap did not make was given back.
 * - `freed`: a typed array whose block was freed before was given back.
 * - `misuse`: the checked variant found a mistake of the caller (double free, foreign pointer ...); the module is dead.
 * - `trap`: the module trapped without naming a mistake; the module is dead.
 * - `dead`: the heap or pool was destroyed, or its module trapped before; then `cause` is the error of that time.
 * - `bad_snapshot`: `createHeap({ from })` was given bytes that no snapshot is, a damaged one, or one of another build.
 * - `no_module`: the wasm could not be loaded or is not a heapglass module.
 */
export type HeapErrorCode =
  | 'out_of_memory'
  | 'bad_argument'
  | 'not_of_this_heap'
  | 'freed'
  | 'misuse'
  | 'trap'
  | 'dead'
  | 'bad_snapshot'
  | 'no_module';

/** Thrown by the JavaScript heap; `message` is the allocator's own text where there is one. */
export class HeapError extends Error {
  override readonly name = 'HeapError';
  readonly code: HeapErrorCode;

  constructor(code: HeapErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
