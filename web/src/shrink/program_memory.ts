// The memory of a program that can shrink, as its JavaScript sees it; and shrinking by itself.
//
//   memory.A1  autoShrink asks after `idle` milliseconds in which the memory kept its size, and again after as many. It shrinks when the
//       memory is more than `above` times what would stay. A refusal (a call is suspended) is a reason to ask again.
//   memory.A2  Before it asks what would stay, it trims: what malloc caches becomes free pages, or closes gaps where later blocks go. So the heap
//       stays dense, also where it never shrinks (npm run bench:churn -- --trim).
//   memory.A3  Pages that were free after the last shrink, and at each look since, cost nothing already: they are no part of the memory that is
//       compared. Else a program whose last block lies high would shrink at each look.

import type { Exchange, ExchangeHost } from './exchange.ts';
import { freePageBytes } from './memory_pages.ts';
import { type ProgramState, programState } from './program_state.ts';
import { kPageBytes, refused, type Shrunk } from './shrunk.ts';

export interface AutoShrinkOptions {
  /** Shrink when the memory is more than so many times what would stay. Default 2. */
  readonly above?: number;
  /** Milliseconds between two looks. Default 5000. */
  readonly idle?: number;
  /** Called after each shrink. */
  readonly onShrink?: (shrunk: Shrunk) => void;
}

/** The memory of a program. */
export interface ProgramMemory {
  /** Bytes of whole free pages of 4 KiB in malloc's heap, and released by it: what a shrink leaves out at least. Cached blocks are not counted. */
  returnable(): number;
  /** The program goes on in a smaller memory. Rejects with a ShrinkError, and then it goes on as it was. */
  shrink(): Promise<Shrunk>;
  /** Trims whenever the memory kept its size, and shrinks when it is worth it. Returns a function that ends that. */
  autoShrink(options?: AutoShrinkOptions): () => void;
}

export interface LinkedMemory extends ProgramMemory {
  /** For snapshot() and its like, named in `call`; why it cannot be had just now. inTrace: a trace can say what it does. */
  state(call: string, inTrace: boolean): ProgramState | string;
}

interface Parts {
  memory(): WebAssembly.Memory;
  shrink(): {
    readonly exchange: Exchange | undefined;
    readonly host: ExchangeHost;
    readonly reason: string | undefined;
  };
}

const kAbove = 2;
const kIdle = 5000;
const kNotStarted = 'it has not started yet';

export function makeProgramMemory(parts: Parts): LinkedMemory {
  const shrink = (): Promise<Shrunk> => {
    const now = parts.shrink();
    if (now.reason !== undefined) return Promise.reject(refused(now.reason));
    if (now.exchange === undefined) return Promise.reject(refused(kNotStarted));
    return now.exchange.shrink(now.host);
  };
  const returnable = (): number => freePageBytes(parts.shrink().host.allocator, () => parts.memory().buffer);
  return {
    returnable: returnable,
    shrink: shrink,
    state: (call, inTrace) => {
      const now = parts.shrink();
      if (now.exchange === undefined) return now.reason ?? kNotStarted;
      return now.reason ?? programState(now.exchange, now.host, call, inTrace);
    },
    autoShrink: (options) => {
      const above = options?.above ?? kAbove;
      const idle = options?.idle ?? kIdle;
      let last = 0;
      let gone = 0; // A3
      let running = false;
      const look = (): void => {
        if (running || parts.shrink().exchange === undefined) return;
        const bytes = parts.memory().buffer.byteLength;
        const grew = bytes !== last;
        last = bytes;
        if (grew) return;
        parts.shrink().host.allocator.trim(); // A2
        const free = returnable();
        gone = Math.min(gone, free);
        if (bytes - gone <= above * Math.max(kPageBytes, bytes - free)) return;
        running = true;
        shrink()
          .then((shrunk) => {
            last = shrunk.after;
            gone = returnable();
            options?.onShrink?.(shrunk);
          })
          .catch(() => undefined) // A1
          .then(() => {
            running = false;
          });
      };
      const timer = setInterval(look, idle) as unknown as number & { unref?: () => void };
      timer.unref?.(); // Node: a program that is done ends
      return () => clearInterval(timer);
    },
  };
}
