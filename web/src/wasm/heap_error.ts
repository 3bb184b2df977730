// The one error of the JavaScript heap API. An allocation that fails returns 0 or undefined; this is thrown only for
// what a program cannot go on after, and for out of memory when the caller asked for it.

/**
 * Why a HeapError was thrown.
 * - `out_of_memory`: an allocation failed and the heap was made with `throwOnOutOfMemory`.
 * - `misuse`: the checked variant found a mistake of the caller (double free, foreign pointer ...); the module is dead.
 * - `trap`: the module trapped without naming a mistake; the module is dead.
 * - `dead`: the heap or pool was destroyed, or its module trapped before.
 * - `not_of_this_heap`: a typed array that this heap did not make was given back.
 * - `no_module`: the wasm could not be loaded or is not a heapglass module.
 */
export type HeapErrorCode = 'out_of_memory' | 'misuse' | 'trap' | 'dead' | 'not_of_this_heap' | 'no_module';

/** Thrown by the JavaScript heap; `message` is the allocator's own text where there is one. */
export class HeapError extends Error {
  override readonly name = 'HeapError';
  readonly code: HeapErrorCode;

  constructor(code: HeapErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
