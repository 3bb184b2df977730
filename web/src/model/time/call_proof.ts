// What the calls of a program say of themselves, held against the state: a call that got what is not there is a Contradiction, and the
// fold ends before its event. Without it a chunk of 32 bytes may claim a request of 4 GiB, and every sum over requests believes it.
//
//   op_begun(allocate, 0, request) ...inner events... op_ended(allocate, address, size)
//                                                                 └ a chunk or a node in use begins here, and has `size` bytes
//
//   C1  Operations nest: an op_ended ends the last one that was begun and not ended. One without a begin may come only behind a
//       loss. A trap leaves operations without an end; beyond kMostOpen of them the oldest are forgotten.
//   C2  What an allocating call got is in use, begins at the address, holds at least the request, and has at most what it says.
//   C3  Behind a loss nothing is checked until the state is known again.

import { EventKind, kOpNames, Op } from '../../protocol/event_layout.ts';
import { detailOf, kindOf } from '../../trace/trace.ts';
import { chunkContaining } from '../state/chunk_at.ts';
import { kHoldsBlock, kInUse } from '../state/chunk_table.ts';
import { contradict } from '../state/contradiction.ts';
import type { HeapState } from '../state/heap_state.ts';

/** Calls that answer with one block of at least `request` bytes. */
const kAllocating: ReadonlySet<number> = new Set([
  Op.allocate,
  Op.allocateZeroed,
  Op.allocateAligned,
  Op.reallocate,
  Op.smallAllocate,
  Op.poolAllocate,
]);
const kMostOpen = 64; // C1
const kOpenWords = 3;

export class CallProof {
  readonly #open = new Uint32Array(kMostOpen * kOpenWords); // operation, request, argument
  #count = 0;
  #forgotten = false; // operations without an end, or whose begin was lost

  /** Events were lost. */
  noteLoss(): void {
    this.#count = 0;
    this.#forgotten = true;
  }

  /** Memory was set back, between two calls: what had not ended never will (a trap). */
  noteReset(): void {
    this.#count = 0;
  }

  /** One event, about to be applied to `state`. */
  check(state: HeapState, head: number, a: number, b: number, c: number): void {
    const op = detailOf(head);
    if (kindOf(head) === EventKind.opBegun) this.#begin(op, b, c);
    else this.#end(state, op, a, b);
  }

  #begin(op: number, request: number, argument: number): void {
    if (this.#count === kMostOpen) {
      this.#open.copyWithin(0, kOpenWords);
      this.#count -= 1;
      this.#forgotten = true;
    }
    this.#open.set([op, request, argument], this.#count * kOpenWords);
    this.#count += 1;
  }

  #end(state: HeapState, op: number, address: number, size: number): void {
    if (this.#count === 0) {
      if (!this.#forgotten) contradict(`${nameOf(op)} ends and was not begun`);
      return;
    }
    this.#count -= 1;
    const at = this.#count * kOpenWords;
    const [begun = 0, request = 0, argument = 0] = this.#open.subarray(at, at + kOpenWords);
    if (begun !== op) contradict(`${nameOf(op)} ends where ${nameOf(begun)} was begun`);
    if (address === 0 || !kAllocating.has(op)) return;
    if (size < request) contradict(`${nameOf(op)} got ${size} bytes, and ${request} were asked for`);
    if (op === Op.allocateAligned && isPowerOfTwo(argument) && address % argument !== 0)
      contradict(`${nameOf(op)} got ${address}, which is no multiple of ${argument}`);
    const isOfPool = op === Op.poolAllocate || op === Op.smallAllocate;
    const held = heldAt(state, address, isOfPool ? argument : 0);
    if (held === undefined) contradict(`${nameOf(op)} got ${address}, where nothing in use begins`);
    if (size > held) contradict(`${nameOf(op)} got ${size} bytes at ${address}, where ${held} are in use`);
  }
}

/** Any other alignment is the allocator's to read: dlmalloc and ours take the next power of two. */
const isPowerOfTwo = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;

/** C2: bytes of the chunk or node in use that begins there. Its header counts as its own: chunks of an import have none. */
function heldAt(state: HeapState, address: number, pool: number): number | undefined {
  if (state.nodeInUse(address)) return nodeSizeAt(state, address, pool);
  const chunk = address - state.wordSize;
  const granule = state.granuleAt(chunk);
  const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
  const begins = flags === kInUse && state.addressOf(granule) === chunk && !state.isCached(granule);
  return begins ? state.sizeOf(granule) : undefined;
}

/** pool: its number as the call says it; 0: it does not. */
function nodeSizeAt(state: HeapState, address: number, pool: number): number | undefined {
  const block = pool === 0 ? chunkContaining(state, address) : undefined;
  const number = block === undefined ? pool : (state.tag[state.granuleAt(block)] ?? 0);
  return state.poolById[number]?.nodeSize;
}

const nameOf = (op: number): string => (kOpNames.get(op) ?? `operation ${op}`).replaceAll('_', ' ');
