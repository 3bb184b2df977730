// All that a linked program is, between two calls: its memory, what its instance keeps outside of it, and what its own JavaScript thinks
// of it. Snapshots and checkpoints read and write it in place.
//
//  state.S1  The same rules refuse it as refuse a shrink: no call runs, none is suspended, no thread is in the memory. A recorded program
//      is refused, too: what its trace says has happened.

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
  /** Its bytes were written: the allocator and the program's JavaScript learn how long memory is. */
  wrote(end: number): void;
}

/** S1: or a sentence. */
export function programState(exchange: Exchange, host: ExchangeHost, call: string): ProgramState | string {
  const refusal = exchange.refusal(host, call);
  if (refusal !== undefined) return refusal;
  if (host.isRecorded()) return 'it is recorded, and what its trace says has happened';
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
    wrote: (end) => {
      host.renew(exchange.memory());
      allocator.moved(end);
    },
  };
}
