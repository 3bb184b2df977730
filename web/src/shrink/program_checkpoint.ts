// checkpoint(Module) and reset(Module): a linked program set back to what it was, in the same memory.
//
//  program_checkpoint.C1  Set back are the bytes (kept_pages.ts), the mutable globals, and with them the stack pointer: what a call leaked
//      that ended by exit(), an exception or a trap is there again. No frame of wasm is left between two calls, so nothing else is to be
//      set back, also after a trap.
//  program_checkpoint.C2  What JavaScript keeps stays as it is. Where a function was added to the table before the checkpoint, and another
//      one is there now, a reset is refused: the program would call that one.
//  program_checkpoint.C4  The trace of a recorded program goes on: it says of both that they happened (event.P9).
//  program_checkpoint.C3  There is one checkpoint. It may be gone back to as often as one likes, also after a shrink.

import { type KeptPages, keepPages, putBack } from '../image/kept_pages.ts';
import type { AddedFunction } from './forwarders.ts';
import { growTo } from './memory_pages.ts';
import type { GlobalValue } from './outside.ts';
import type { LinkedMemory } from './program_memory.ts';
import { stateOf } from './program_snapshot.ts';
import { shrinkError } from './shrunk.ts';

interface Checkpoint {
  readonly number: number;
  readonly pages: KeptPages;
  readonly globals: readonly GlobalValue[];
  readonly added: readonly (readonly AddedFunction[])[];
  putBackRuntime(): void;
}

const kept = new WeakMap<LinkedMemory, Checkpoint>();

/** In place of the last one. Throws a ShrinkError. */
export function keepProgram(program: LinkedMemory): void {
  const state = stateOf(program, 'checkpoint()', 'cannot be kept', true);
  const last = kept.get(program);
  const number = (last === undefined ? 0 : last.number) + 1;
  const pages = keepPages(state.memory().buffer, state.end(), state.freePages(), shrinkError);
  kept.set(program, {
    number,
    pages,
    globals: state.globals(),
    added: state.added(),
    putBackRuntime: state.keepRuntime(),
  });
  state.kept(number);
}

/** How many pages of 4 KiB were written. Throws a ShrinkError, and then the program goes on as it was. */
export function resetProgram(program: LinkedMemory): number {
  const state = stateOf(program, 'reset()', 'cannot go back', true);
  const checkpoint = kept.get(program);
  if (checkpoint === undefined)
    throw shrinkError('refused', 'this program cannot go back: it has no checkpoint. Call checkpoint() before');
  const { number, pages, globals, added, putBackRuntime } = checkpoint;
  const now = state.added();
  const gone = added.flatMap((table, i) => table.filter((each) => !now[i]?.some((other) => isSame(each, other))))[0];
  if (gone !== undefined)
    throw shrinkError(
      'refused',
      `this program cannot go back: the function that JavaScript had added to its table at ${gone.at} is not there any more`,
    );
  growTo(state.memory(), pages.end, ''); // it may have shrunk since
  const goOn = state.before();
  const written = putBack(state.memory(), pages);
  state.setGlobals(globals);
  putBackRuntime();
  goOn(pages.end, number, written);
  return written;
}

const isSame = (one: AddedFunction, other: AddedFunction): boolean => one.at === other.at && one.fn === other.fn;
