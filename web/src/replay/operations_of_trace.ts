// The operations of a program, read from its trace: what a replay carries out on another allocator.
//
//   calls of the program (report/program_calls.ts) ──▶ malloc, aligned, realloc, free of numbered blocks
//
//   T1  Threads become one stream, in the order of the trace. Nodes of pools and blocks of bursts become mallocs, an
//       expansion becomes a realloc: a replay shows what the program would ask of a malloc.
//   T2  heapglass's calloc is a malloc in the trace, so it is one here: the time to clear is in no figure.
//   T3  A call that failed and realloc to 0 bytes are as stream.S2 says: left out, and a free with a malloc of 0 bytes; only a free where the
//      allocator gave no block.
//   T4  Behind lost events every block is freed, and what the snapshot finds is allocated at once, by its usable size.
//       A reset is the same for the blocks that it ends, and for those that it brings back.
//   T5  The modules hold kMostBlocks live blocks. A trace with more is replayed up to there.
//   T6  No more alignment is asked for than the block of the trace had: what is no power of two is the allocator's to read, and 2 GiB of a damaged
//      trace would be a search of half a minute for some.

import { formatCount } from '../base/format.ts';
import { GrowingUint32 } from '../base/growing.ts';
import { Op } from '../protocol/event_layout.ts';
import type { CalledBlock } from '../report/kept_blocks.ts';
import { type CallSink, ProgramCalls } from '../report/program_calls.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { FreeIds, OperationKind, OperationList } from './operation_list.ts';

export const kMostBlocks = 1 << 20; // kStreamMaxBlocks of stream.h
const kPlainAlignment = 8; // every malloc gives it

export interface ProgramOperations {
  /** As stream.h has them. */
  readonly words: Uint32Array;
  /** For each operation: so many events of the trace lie before its end. */
  readonly events: Uint32Array;
  /** For each operation: the site it came from; 0: not known. */
  readonly sites: Uint32Array;
  /** What the reader must know before any figure. */
  readonly notices: readonly string[];
}

export function operationsOfTrace({ trace, wordSize }: Pick<TraceFile, 'trace' | 'wordSize'>): ProgramOperations {
  const recorder = new Recorder();
  const calls = new ProgramCalls(trace, wordSize, recorder);
  recorder.calls = calls;
  calls.readTo(trace.count);
  return {
    words: recorder.list.words(),
    events: recorder.events.slice(),
    sites: recorder.sites.slice(),
    notices: recorder.notices(),
  };
}

/** The largest power of two that divides the address; 2^32 if its lower half is 0. */
const alignmentOf = (address: number): number => (address & -address) >>> 0 || 2 ** 32;

class Recorder implements CallSink {
  readonly list = new OperationList();
  readonly events = new GrowingUint32();
  readonly sites = new GrowingUint32();
  calls: ProgramCalls | undefined;
  readonly #live = new Map<number, number>(); // address to id
  readonly #ids = new FreeIds();
  #site = 0;
  #lost = 0;
  #unknown = 0;
  #full = false; // T5

  notices(): readonly string[] {
    const all: string[] = [];
    if (this.#lost > 0) {
      all.push(`${formatCount(this.#lost)} events were lost, and the replay lacks their calls`);
    }
    if (this.#unknown > 0) {
      all.push(`${formatCount(this.#unknown)} frees are of blocks that this trace did not see allocated: left out`);
    }
    if (this.#full) {
      all.push(
        `more than ${formatCount(kMostBlocks)} blocks live at once: only the first ${formatCount(this.list.count)} operations are replayed`,
      );
    }
    return all;
  }

  entered(site: number): void {
    this.#site = site;
  }

  allocated(address: number, request: number, _usable: number, event: number): void {
    const { op, argument } = this.calls?.current ?? { op: 0, argument: 0 };
    const alignment = op === Op.allocateAligned ? Math.min(argument, alignmentOf(address)) : 0;
    const aligned = alignment > kPlainAlignment;
    this.#begin(
      aligned ? OperationKind.aligned : OperationKind.malloc,
      address,
      request,
      event,
      aligned ? alignment : 0,
    );
  }

  has(address: number): boolean {
    return this.#live.has(address);
  }

  freed(address: number, event: number, expected: boolean): void {
    const id = this.#live.get(address);
    if (id === undefined) this.#unknown += expected ? 1 : 0;
    else this.#end(address, id, event);
  }

  resized(from: number, to: number, request: number, _usable: number, event: number): void {
    const id = this.#live.get(from);
    if (id === undefined || request === 0) {
      if (id !== undefined) this.#end(from, id, event);
      this.#begin(OperationKind.malloc, to, request, event, 0);
      return;
    }
    this.#live.delete(from);
    const other = this.#live.get(to);
    if (other !== undefined) this.#end(to, other, event); // its end is not in the trace
    this.#live.set(to, id);
    this.#add(OperationKind.realloc, id, request, event, 0);
  }

  failed(): void {}

  lost(count: number): void {
    this.#lost += count;
  }

  forgotten(): void {
    const event = this.events.last() ?? 0;
    for (const [address, id] of [...this.#live]) this.#end(address, id, event);
  }

  found(address: number, usable: number, event: number): void {
    this.#begin(OperationKind.malloc, address, usable, event, 0);
  }

  ended(address: number, event: number): void {
    const id = this.#live.get(address);
    if (id !== undefined) this.#end(address, id, event);
  }

  revived({ address, request }: CalledBlock, event: number): void {
    this.#begin(OperationKind.malloc, address, request, event, 0);
  }

  #begin(kind: OperationKind, address: number, request: number, event: number, alignment: number): void {
    const other = this.#live.get(address);
    if (other !== undefined) this.#end(address, other, event); // its end is not in the trace
    const id = this.#ids.take();
    if (id >= kMostBlocks) this.#full = true;
    this.#live.set(address, id);
    this.#add(kind, id, request, event, alignment);
  }

  #end(address: number, id: number, event: number): void {
    this.#live.delete(address);
    this.#ids.give(id);
    this.#add(OperationKind.free, id, 0, event, 0);
  }

  #add(kind: OperationKind, id: number, size: number, event: number, alignment: number): void {
    if (this.#full) return;
    this.list.add(kind, id, size, alignment);
    this.events.push(event);
    this.sites.push(this.#site);
  }
}
