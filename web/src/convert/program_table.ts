// What the program did, a row a call and block: what exports are made of. Allocator's own steps are not in it.
//
//   event | call | block | address | bytes | usable | live_bytes | live_blocks | footprint
//
//   call        0 allocate  1 free  2 resize  3 fail  4 found (live when recording began, behind a loss, or again behind a reset)
//   event       the call's last event has the number event - 1
//   block       counts from 1; a block that is resized stays the same; 0 of a call that failed
//   bytes       asked for; of a free, what the block had
//   footprint   bytes of segments then
//
//   A block may end unseen: its free was lost, a snapshot behind a loss does not find it, or memory was set back. That is no row; `unseenEnds` has it.

import type { History } from '../model/time/history.ts';
import { Model } from '../model/time/model.ts';
import type { CalledBlock } from '../report/kept_blocks.ts';
import { type CallSink, ProgramCalls } from '../report/program_calls.ts';
import type { TraceFile } from '../trace/trace_file.ts';

export const CallKind = { allocate: 0, free: 1, resize: 2, fail: 3, found: 4 } as const;
export type CallKind = (typeof CallKind)[keyof typeof CallKind];
export const kCallNames = ['allocate', 'free', 'resize', 'fail', 'found'] as const;

const kFirstRows = 4096;

interface Block {
  readonly block: number;
  bytes: number;
}

/** The block had ended when the row of this number came; behind all rows, that of their count. */
export interface UnseenEnd {
  readonly row: number;
  readonly block: number;
}

export class ProgramTable implements CallSink {
  event = new Uint32Array(kFirstRows);
  call = new Uint8Array(kFirstRows);
  block = new Uint32Array(kFirstRows);
  address = new Uint32Array(kFirstRows);
  bytes = new Uint32Array(kFirstRows);
  usable = new Uint32Array(kFirstRows);
  liveBytes = new Float64Array(kFirstRows);
  liveBlocks = new Uint32Array(kFirstRows);
  footprint = new Float64Array(kFirstRows);
  /** Call site of the call, 0 when not known. Not a column of the exports. */
  site = new Uint32Array(kFirstRows);
  count = 0;
  readonly unseenEnds: UnseenEnd[] = [];
  readonly #live = new Map<number, Block>();
  readonly #history: History;
  #site = 0;
  #blocks = 0;
  #bytes = 0;
  #footprint = 0;
  #footprintUntil = -1; // no segment changed up to this event

  constructor(history: History) {
    this.#history = history;
  }

  entered(site: number): void {
    this.#site = site;
  }

  allocated(address: number, request: number, usable: number, event: number): void {
    this.#endUnseen(address);
    this.#begin(address, request);
    this.#row(CallKind.allocate, this.#blocks, address, request, usable, event);
  }

  has(address: number): boolean {
    return this.#live.has(address);
  }

  freed(address: number, event: number): void {
    const block = this.#drop(address);
    if (block !== undefined) this.#row(CallKind.free, block.block, address, block.bytes, 0, event);
  }

  resized(from: number, to: number, request: number, usable: number, event: number): void {
    const block = this.#drop(from);
    if (block === undefined) {
      this.#find(to, request, usable, event);
      return;
    }
    this.#endUnseen(to);
    this.#live.set(to, { block: block.block, bytes: request });
    this.#bytes += request;
    this.#row(CallKind.resize, block.block, to, request, usable, event);
  }

  failed(_op: number, request: number, event: number): void {
    this.#row(CallKind.fail, 0, 0, request, 0, event);
  }

  lost(): void {}

  forgotten(): void {
    for (const address of this.#live.keys()) this.#endUnseen(address);
  }

  found(address: number, usable: number, event: number): void {
    this.#find(address, usable, usable, event);
  }

  ended(address: number): void {
    this.#endUnseen(address);
  }

  revived({ address, request, usable }: CalledBlock, event: number): void {
    this.#find(address, request, usable, event);
  }

  #find(address: number, request: number, usable: number, event: number): void {
    this.#endUnseen(address);
    this.#begin(address, request);
    this.#row(CallKind.found, this.#blocks, address, request, usable, event);
  }

  #begin(address: number, bytes: number): void {
    this.#blocks += 1;
    this.#live.set(address, { block: this.#blocks, bytes });
    this.#bytes += bytes;
  }

  #drop(address: number): Block | undefined {
    const block = this.#live.get(address);
    if (block === undefined) return undefined;
    this.#live.delete(address);
    this.#bytes -= block.bytes;
    return block;
  }

  #endUnseen(address: number): void {
    const block = this.#drop(address);
    if (block !== undefined) this.unseenEnds.push({ row: this.count, block: block.block });
  }

  #row(call: CallKind, block: number, address: number, bytes: number, usable: number, event: number): void {
    const row = this.count++;
    if (row === this.event.length) this.#lengthen();
    this.event[row] = event;
    this.call[row] = call;
    this.block[row] = block;
    this.address[row] = address;
    this.bytes[row] = bytes;
    this.usable[row] = usable;
    this.liveBytes[row] = this.#bytes;
    this.liveBlocks[row] = this.#live.size;
    this.footprint[row] = this.#footprintAt(event);
    this.site[row] = call === CallKind.found ? 0 : this.#site;
  }

  #footprintAt(event: number): number {
    if (event > this.#footprintUntil) {
      const { footprint } = this.#history;
      this.#footprint = footprint.at(event) ?? 0;
      this.#footprintUntil = footprint.nextChange(event) - 1;
    }
    return this.#footprint;
  }

  #lengthen(): void {
    const rows = this.event.length * 2;
    const longer = <T extends Uint8Array | Uint32Array | Float64Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.event = longer(new Uint32Array(rows), this.event);
    this.call = longer(new Uint8Array(rows), this.call);
    this.block = longer(new Uint32Array(rows), this.block);
    this.address = longer(new Uint32Array(rows), this.address);
    this.bytes = longer(new Uint32Array(rows), this.bytes);
    this.usable = longer(new Uint32Array(rows), this.usable);
    this.liveBytes = longer(new Float64Array(rows), this.liveBytes);
    this.liveBlocks = longer(new Uint32Array(rows), this.liveBlocks);
    this.footprint = longer(new Float64Array(rows), this.footprint);
    this.site = longer(new Uint32Array(rows), this.site);
  }
}

/** The table of a trace, as far as its model goes. */
export const programTable = (file: Pick<TraceFile, 'trace' | 'wordSize'>): ProgramTable => readTable(file).table;

/** The same with what the trace is known by. */
export function readTable({ trace, wordSize }: Pick<TraceFile, 'trace' | 'wordSize'>): {
  readonly table: ProgramTable;
  readonly history: History;
} {
  const { history } = new Model(trace);
  history.fold();
  const table = new ProgramTable(history);
  new ProgramCalls(trace, wordSize, table).readTo(history.head.seq);
  return { table, history };
}

/** The columns under the names that every export uses. */
export function columnsOf(table: ProgramTable) {
  const { count } = table;
  return {
    event: table.event.subarray(0, count),
    call: table.call.subarray(0, count),
    block: table.block.subarray(0, count),
    address: table.address.subarray(0, count),
    bytes: table.bytes.subarray(0, count),
    usable: table.usable.subarray(0, count),
    live_bytes: table.liveBytes.subarray(0, count),
    live_blocks: table.liveBlocks.subarray(0, count),
    footprint: table.footprint.subarray(0, count),
  } as const;
}
