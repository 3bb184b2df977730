// What programs/crowd.c counted of its own calls, and the same of its trace.

import { Model } from '../../web/src/model/time/model.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';

/** What the program counted of its own calls, its blocks having sizes that nobody else's have. */
export interface Counted {
  readonly allocations: number;
  readonly allocated_bytes: number;
  readonly frees: number;
  readonly reallocations: number;
  readonly live_blocks: number;
  readonly wrong: number;
}

/** A whole file, which the model folds without a contradiction. */
export function checkedTrace(file: Uint8Array): Trace {
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  if (decoded.value.notice !== undefined) throw new Error(decoded.value.notice);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  if (model.history.broken !== undefined) throw new Error(model.history.broken.text);
  return decoded.value.trace;
}

/** Of crowd.c's own blocks: their sizes are odd, from 9 to 30,007. A thread's own block, with its stack, is larger, and may be odd. */
export function countIn(trace: Trace): Omit<Counted, 'wrong'> & { readonly unseen: number } {
  const live = new Map<number, number>();
  const counts = { allocations: 0, allocated_bytes: 0, frees: 0, reallocations: 0, unseen: 0 };
  const isOwn = (size: number) => size % 2 === 1 && size > 8 && size <= 30_007;
  let freed = false; // in this operation
  for (let seq = 0; seq < trace.count; ++seq) {
    const [kind, address, size] = [trace.kind(seq), trace.a(seq), trace.b(seq)];
    if (kind === EventKind.opBegun) freed = false;
    else if (kind === EventKind.blockFreed) {
      if (!live.has(address)) counts.unseen += 1;
      if (isOwn(live.get(address) ?? 0)) counts.frees += 1;
      live.delete(address);
      freed = true;
    } else if (kind === EventKind.blockAllocated) {
      if (live.has(address)) counts.unseen += 1;
      live.set(address, size);
      if (!isOwn(size)) continue;
      counts.allocations += freed ? 0 : 1;
      counts.allocated_bytes += freed ? 0 : size;
      counts.reallocations += freed ? 1 : 0;
      counts.frees -= freed ? 1 : 0;
    }
  }
  return { ...counts, live_blocks: [...live.values()].filter(isOwn).length };
}

export const threadsIn = (trace: Trace): Set<number> => {
  const threads = new Set<number>();
  for (let seq = 0; seq < trace.count; ++seq) {
    if (trace.kind(seq) === EventKind.threadChanged) threads.add(trace.a(seq));
  }
  return threads;
};
