// A heap made by hand survives a reload: the calls are kept in the order in which they were made, and made again.
//
//   operate ──▶ kept list ──▶ OPFS        reload ──▶ the same calls on a fresh heap ──▶ the same events, byte for byte
//
//   hand.1  Each window has a list of its own: its name lies in the window's session storage, which a reload keeps.
//   hand.2  Choosing "By hand" from the list of things to open begins an empty heap, and an empty list.
//   hand.3  A call that the engine refused to make is not kept; one that returned no memory is.
//   hand.4  A page whose last call is not kept yet has not settled: a reload then would lose it.

import type { Operation, OperationResult } from '../protocol/messages.ts';
import { readOwn, removeOwn, writeOwn } from './own_files.ts';

export interface Call {
  readonly heap: number;
  readonly operation: Operation;
}

const kStorageKey = 'heapglass.byHand';
/** More calls than this would take too long to make again. */
const kMostCalls = 5_000;

export type HandMade = ReturnType<typeof createHandMade>;

export function createHandMade() {
  let calls: Call[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  let unwritten = 0;

  /** One after the other, and always the newest list. */
  function write(): void {
    const file = new Blob([JSON.stringify(calls)]);
    const name = windowName();
    unwritten += 1;
    writing = writing
      .then(() => writeOwn('by_hand', name, file))
      .finally(() => {
        unwritten -= 1;
      });
  }

  return {
    /** Makes a call and keeps it. */
    async make(call: Call, operate: (call: Call) => Promise<OperationResult>): Promise<OperationResult> {
      const result = await operate(call);
      if (calls.length < kMostCalls) {
        calls.push(call);
        write();
      }
      return result;
    },
    /** hand.4 */
    isBusy: (): boolean => unwritten > 0,
    /** Makes the kept calls again on a fresh heap. */
    async again(operate: (call: Call) => Promise<OperationResult>): Promise<void> {
      await writing;
      const kept = await readOwn('by_hand', windowName());
      const wanted = kept === undefined ? [] : callsOf(await kept.text());
      calls = [];
      for (const call of wanted) {
        await operate(call);
        calls.push(call);
      }
    },
    forget(): void {
      calls = [];
      writing = writing.then(() => removeOwn('by_hand', windowName()));
    },
  };
}

/** hand.1 */
function windowName(): string {
  try {
    const known = sessionStorage.getItem(kStorageKey) ?? crypto.randomUUID();
    sessionStorage.setItem(kStorageKey, known);
    return known;
  } catch {
    return 'window'; // storage refused: all windows share one list
  }
}

function callsOf(text: string): readonly Call[] {
  try {
    const calls: unknown = JSON.parse(text);
    return Array.isArray(calls) ? calls.slice(0, kMostCalls) : [];
  } catch {
    return []; // written by half
  }
}
