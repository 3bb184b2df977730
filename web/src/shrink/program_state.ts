// All that a linked program is, between two calls: its memory, what its instance keeps outside of it, and what its own JavaScript thinks
// of it. Snapshots and checkpoints read and write it in place.
//
//  state.S1  The same rules refuse it as refuse a shrink: no call runs, none is suspended, no thread is in the memory.
//  state.S2  The trace of a recorded program goes on where it was: its recorder's words are not set back, and both a copy and a reset are events.
//      A snapshot goes to other programs, whose traces know nothing of it: of a recorded program there is none.

import type { Exchange, ExchangeHost } from './exchange.ts';
import type { AddedFunction } from './forwarders.ts';
import { freePagesOf, unreadOf } from './memory_pages.ts';
import type { GlobalValue } from './outside.ts';

export interface ProgramState {
  /** Of the wasm file. */
  readonly mark: number;
  memory(): WebAssembly.Memory;
  /** Where memory ends that must be there. */
  end(): number;
  /** Address and bytes, in turn. */
  freePages(): number[];
  unread(): number[];
  globals(): GlobalValue[];
  setGlobals(values: readonly GlobalValue[]): void;
  added(): AddedFunction[][];
  hasReferences(): boolean;
  keepRuntime(): () => void;
  /** A copy with this number was made. */
  kept(number: number): void;
  /** Before its bytes are written; behind that, the function tells the allocator and the program's JavaScript how long memory is. */
  before(): (end: number, number: number, written: number) => void;
}

/** S1, S2: or a sentence. inTrace: a trace can say what `call` does. */
export function programState(
  exchange: Exchange,
  host: ExchangeHost,
  call: string,
  inTrace: boolean,
): ProgramState | string {
  const refusal = exchange.refusal(host, call);
  if (refusal !== undefined) return refusal;
  const recorder = host.recorder();
  const setBack = inTrace && recorder !== undefined ? recorder.setBack : undefined;
  if (recorder !== undefined && setBack === undefined) return 'it is recorded, and what its trace says has happened';
  const allocator = host.allocator;
  const outside = exchange.outside;
  return {
    mark: exchange.mark,
    memory: exchange.memory,
    end: () => allocator.end(),
    freePages: () => freePagesOf(allocator, () => exchange.memory().buffer),
    unread: () => unreadOf(allocator, () => exchange.memory().buffer),
    globals: outside.globals,
    setGlobals: outside.setGlobals,
    added: outside.added,
    hasReferences: outside.hasReferences,
    keepRuntime: host.keepRuntime,
    kept: (number) => {
      if (setBack !== undefined) setBack.kept(number);
    },
    before: () => {
      const goOn = setBack === undefined ? undefined : setBack.before();
      return (end, number, written) => {
        host.renew(exchange.memory());
        if (goOn === undefined) allocator.moved(end);
        else {
          goOn(number, end);
          host.noteOnTimeLine(`reset: ${written} ${written === 1 ? 'page' : 'pages'} written back`);
        }
      };
    },
  };
}
