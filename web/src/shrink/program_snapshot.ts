// snapshot(Module) and restore(Module, bytes): a linked program as bytes, and another run of it that goes on with them.
//
//   snapshot   | ask for free pages | list what lives | copy |                      nothing of the program changes
//   restore    | prove the bytes, the program and its added functions | grow | write | globals | allocator, views |
//
//  program_snapshot.K1  A snapshot belongs to one wasm file: nothing is translated.
//  program_snapshot.K2  What is refused is refused before anything of the program is written.
//  program_snapshot.K3  What JavaScript keeps stays with it: files, added functions, handles of embind. A function that was added to the
//      table must be there under the same number.

import { isZeroPage, liveRuns } from '../image/live_pages.ts';
import { copyRuns, writeRuns } from '../image/runs.ts';
import { decodeSnapshot, encodeSnapshot, type SnapshotDescription } from '../image/snapshot_file.ts';
import type { AddedFunction } from './forwarders.ts';
import { growTo } from './memory_pages.ts';
import type { GlobalValue } from './outside.ts';
import type { LinkedMemory } from './program_memory.ts';
import type { ProgramState } from './program_state.ts';
import { shrinkError } from './shrunk.ts';

interface ProgramDescription extends SnapshotDescription {
  readonly of: 'program';
  readonly globals: readonly string[];
  readonly added: readonly (readonly number[])[];
}

const kNoEvents = new Uint32Array(0);

const textOfGlobal = (value: GlobalValue): string => {
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
};
const globalOfText = (text: string): GlobalValue => (text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text));

/** Throws a ShrinkError. */
export function takeProgramSnapshot(program: LinkedMemory): Uint8Array<ArrayBuffer> {
  const state = stateOf(program, 'snapshot()', 'has no snapshot', false);
  if (state.hasReferences())
    throw shrinkError('refused', 'this program has no snapshot: it keeps references to JavaScript in a table');
  const end = state.end();
  const { buffer } = state.memory();
  const i32 = new Int32Array(buffer);
  const runs = liveRuns(end, state.unread(), (page) => isZeroPage(i32, page));
  const description: ProgramDescription = {
    of: 'program',
    mark: state.mark,
    end,
    globals: state.globals().map(textOfGlobal),
    added: state.added().map((table) => table.map(({ at }) => at)),
  };
  const put = (place: Uint8Array): void => copyRuns(new Uint8Array(buffer), runs, place);
  return encodeSnapshot(description, runs, kNoEvents, put, shrinkError);
}

/** Throws a ShrinkError, and then the program goes on as it was. */
export function restoreProgram(program: LinkedMemory, given: unknown): void {
  const state = stateOf(program, 'restore()', 'cannot go on with a snapshot', false);
  const snapshot = decodeSnapshot<ProgramDescription>(given, 'program', shrinkError);
  if (snapshot.mark !== state.mark)
    throw shrinkError('bad_snapshot', 'the snapshot is of another program, or of another build of this one');
  const missing = missingOf(snapshot.added, state.added());
  if (missing !== undefined)
    throw shrinkError(
      'refused',
      `this program cannot go on with the snapshot: there JavaScript had added a function to the table at ${missing}. Call addFunction() as before`,
    );
  growTo(state.memory(), snapshot.end, '');
  const goOn = state.before();
  writeRuns(state.memory().buffer, snapshot.runs, snapshot.contents);
  state.setGlobals(snapshot.globals.map(globalOfText));
  goOn(snapshot.end, 0, 0);
}

/** The first entry of the snapshot's that the program lacks. */
function missingOf(
  before: readonly (readonly number[])[],
  now: readonly (readonly AddedFunction[])[],
): number | undefined {
  return before.flatMap((entries, table) => entries.filter((entry) => !now[table]?.some(({ at }) => at === entry)))[0];
}

/** `what` the program cannot, in the sentence of a refusal. Throws it. inTrace: a trace can say what `call` does. */
export function stateOf(program: LinkedMemory, call: string, what: string, inTrace: boolean): ProgramState {
  const state = program.state(call, inTrace);
  if (typeof state === 'string') throw shrinkError('refused', `this program ${what}: ${state}`);
  return state;
}
