// What an operation by hand would break, asked of the model: the traced module does not check it itself.

import { poolAround } from '../model/queries/query_lists.ts';
import { chunkContaining } from '../model/state/chunk_at.ts';
import { kHoldsBlock, kInUse } from '../model/state/chunk_table.ts';
import { isSizeClass } from '../model/state/entries.ts';
import type { Operation } from '../protocol/messages.ts';
import { kLargeAlignment } from '../report/program_calls.ts';
import type { Live, Session } from './session.ts';

/** In words; undefined: nothing. */
export function misuse(session: Session, live: Live, heapId: number, operation: Operation): string | undefined {
  const { state } = session.model.head;
  const heap = heapId === 0 ? live.calls.heaps[0] : heapId;
  const isBlock = (mem: number): boolean => {
    const chunk = mem - state.wordSize;
    const flags = (state.chunks[state.granuleAt(chunk)] ?? 0) & (kInUse | kHoldsBlock);
    return (
      flags === kInUse &&
      !state.isCached(state.granuleAt(chunk)) &&
      chunkContaining(state, chunk) === chunk &&
      !state.pools.some(({ living, address }) => living && address === mem) &&
      state.segmentAt(chunk)?.heap === heap
    );
  };
  const mems = 'mems' in operation ? operation.mems : 'mem' in operation ? [operation.mem] : [];
  const reuse = operation.op === 'command' && operation.reuse !== undefined ? [operation.reuse] : [];
  if (operation.op === 'poolDeallocate') {
    const { mem, pool } = operation;
    const isOwn = poolAround(state, mem)?.id === pool && state.nodeInUse(mem);
    return isOwn ? undefined : `no node in use of pool ${pool} begins at ${mem}`;
  }
  const thread = 'thread' in operation ? operation.thread : undefined;
  if (thread !== undefined && !(Number.isInteger(thread) && thread >= 1)) return `there is no thread ${thread}`;
  if (operation.op === 'smallDeallocate') {
    const { mem } = operation;
    const pool = poolAround(state, mem);
    const small = pool !== undefined && isSizeClass(pool) && state.nodeInUse(mem);
    const large = mem % kLargeAlignment === 0 && isBlock(mem);
    return small || large || mem === 0 ? undefined : `no block in use of the small front begins at ${mem}`;
  }
  const wrong = [...mems, ...reuse].find((mem) => mem !== 0 && !isBlock(mem));
  if (wrong !== undefined) return `no block in use of this heap begins at ${wrong}`;
  return new Set(mems).size < mems.length ? 'a block is named twice' : undefined;
}
