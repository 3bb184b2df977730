// The blocks and pools that a run's calls have given and not taken back, each with its owner: the heap, malloc, or a pool.
//
//   GB1  A script's calls come from its worker, where the script has replaced whatever it could. An address or a pool that no call
//        gave is found here, before the heap, which does not check by itself, believes it.

import type { Addr } from '../base/brand.ts';
import { formatAddress } from '../base/format.ts';
import type { Operation, OperationResult } from '../protocol/messages.ts';

/** What an operation needs of what was given before, and what it does to that. */
interface Use {
  readonly owner: string;
  /** Blocks that it names. */
  readonly named: readonly Addr[];
  /** Of those, whether they are given back. */
  readonly isFree: boolean;
}

export class GivenBlocks {
  readonly #owners = new Map<number, string>();
  readonly #pools = new Set<string>();

  /** Why the operation is none of this run's; undefined: all that it names was given. */
  wrong(operation: Operation): string | undefined {
    const { owner, named } = useOf(operation);
    if (owner.startsWith('pool') && !this.#pools.has(owner)) return `there is no ${owner}`;
    const seen = new Set<number>();
    for (const mem of named) {
      if (this.#owners.get(mem) !== owner || seen.has(mem))
        return `no block of ${owner} in use begins at ${formatAddress(mem)}`;
      seen.add(mem);
    }
    return undefined;
  }

  /** The operation was made. */
  note(operation: Operation, { ok, mems, pool, reused }: OperationResult): void {
    const { owner, named, isFree } = useOf(operation);
    if (pool !== undefined) this.#pools.add(`pool ${pool}`);
    if (!ok) return;
    const isMoved = reused || operation.op === 'reallocate' || operation.op === 'mallocReallocate';
    if (isFree || (isMoved && mems.length > 0)) for (const mem of named) this.#owners.delete(mem);
    for (const mem of mems) this.#owners.set(mem, owner);
    if (operation.op === 'poolDestroy') this.#forget(owner);
  }

  #forget(owner: string): void {
    this.#pools.delete(owner);
    for (const [mem, of] of this.#owners) if (of === owner) this.#owners.delete(mem);
  }
}

/** pre: a script can make it (protocol/script_notes.ts) */
function useOf(operation: Operation): Use {
  switch (operation.op) {
    case 'deallocate':
      return { owner: 'the heap', named: [operation.mem], isFree: true };
    case 'burstDeallocate':
      return { owner: 'the heap', named: operation.mems, isFree: true };
    case 'reallocate':
      return { owner: 'the heap', named: [operation.mem], isFree: false };
    case 'command':
      return { owner: 'the heap', named: operation.reuse === undefined ? [] : [operation.reuse], isFree: false };
    case 'mallocFree':
      return { owner: 'malloc', named: [operation.mem], isFree: true };
    case 'mallocReallocate':
      return { owner: 'malloc', named: [operation.mem], isFree: false };
    case 'mallocAllocate':
      return { owner: 'malloc', named: [], isFree: false };
    case 'poolDeallocate':
      return { owner: `pool ${operation.pool}`, named: [operation.mem], isFree: true };
    case 'poolAllocate':
    case 'poolTrim':
    case 'poolDestroy':
      return { owner: `pool ${operation.pool}`, named: [], isFree: false };
    default:
      return { owner: 'the heap', named: [], isFree: false };
  }
}
