// A foreign heap in which addresses inside blocks are freed and resized (event.P10): every reader of its trace has the same blocks.

import { describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { columnsOf, programTable } from '../../../web/src/convert/program_table.ts';
import { RangeSites } from '../../../web/src/engine/range_sites.ts';
import { LeftBlocks } from '../../../web/src/instrument/left_blocks.ts';
import { chunkContaining } from '../../../web/src/model/state/chunk_at.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, kTraceVersion, Op, Status } from '../../../web/src/protocol/event_layout.ts';
import { OperationKind, wordOf } from '../../../web/src/replay/operation_list.ts';
import { operationsOfTrace } from '../../../web/src/replay/operations_of_trace.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { headOf, kEventWords, kindOf, Trace } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';

const kMemory = 0x10_0000;
const trace = new Trace();
const records: number[] = [];

function put(kind: EventKind, detail: number, a: number, b = 0, c = 0): void {
  trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  records.push(headOf(kind, 1, detail), a, b, c);
}

function malloc(address: number, size: number): void {
  put(EventKind.opBegun, Op.allocate, 0, size);
  put(EventKind.blockAllocated, 0, address, size);
  put(EventKind.opEnded, Op.allocate, address, size, Status.ok);
}

function free(address: number): void {
  put(EventKind.opBegun, Op.deallocate, address);
  put(EventKind.blockFreed, 0, address);
  put(EventKind.opEnded, Op.deallocate, 0, 0, Status.ok);
}

function realloc(from: number, to: number, size: number): void {
  put(EventKind.opBegun, Op.reallocate, from, size);
  put(EventKind.blockFreed, 0, from);
  put(EventKind.blockAllocated, 0, to, size);
  put(EventKind.opEnded, Op.reallocate, to, size, Status.ok);
}

put(EventKind.heapCreated, 0, 0, 8);
put(EventKind.segmentAdded, 0, 0, kMemory);
malloc(0x1000, 132); // memalign(16, 100): the program has 0x1018
malloc(0x1088, 24); // in what was given back behind it
malloc(0x2000, 100);
free(0x1018);
const behindFree = trace.count;
malloc(0x3000, 132);
realloc(0x3018, 0x4000, 200);
malloc(0x5000, 200);
malloc(0x5000, 40); // where a block lives: that one ended unseen
free(0x5028); // just behind the block: of none
realloc(0x2010, 0x2010, 90); // in place

const file: TraceFile = { trace, wordSize: 4, traceVersion: kTraceVersion, notes: {}, notice: undefined };
const kLive = new Map([
  [0x1088, 24],
  [0x2010, 90],
  [0x4000, 200],
  [0x5000, 40],
]);

describe('frees and resizes of addresses inside blocks', () => {
  test('the report counts them as those of the blocks, and says how many there were', () => {
    const report = makeReport(file, { name: 'inside' });
    expect(report.totals).toMatchObject({ allocations: 6, frees: 1, reallocations: 2, unknown_frees: 1 });
    expect(report.totals).toMatchObject({ freed_bytes: 132, resized_bytes: 200 - 132 + 90 - 100 });
    expect(new Map(report.leaks.oldest.map(({ address, request_bytes }) => [address, request_bytes]))).toEqual(kLive);
    expect(report.end.in_use_bytes).toBe(report.end.live_bytes);
    expect(report.notices).toEqual([
      expect.stringMatching(/^3 frees name an address inside a block \(the first is 0x0000_1018 at event 12, 24 bytes/),
      expect.stringMatching(/^1 block begins where one lived by this trace \(the first is 0x0000_5000/),
      expect.stringMatching(/^1 free is of a block whose allocation is not in this trace/),
    ]);
  });

  test('the model ends the blocks, and has them again where one goes back', () => {
    const model = new Model(trace);
    model.history.fold();
    for (const [address, size] of kLive) {
      expect(chunkContaining(model.head.state, address)).toBe(address);
      expect(model.head.state.bytesOf(model.head.state.granuleAt(address))).toBe(size);
    }
    expect(model.head.state.heaps[0]?.chunksInUse).toBe(kLive.size);
    const { state } = model.at(seq(behindFree - 3));
    expect([chunkContaining(state, 0x1018), state.inUse]).toEqual([0x1000, 132 + 24 + 100]);
    expect(model.at(seq(behindFree)).state.inUse).toBe(24 + 100);
  });

  test('what is restated where events are dropped are the blocks that live', () => {
    const left = new LeftBlocks();
    left.take(Uint32Array.from(records));
    const said = left.restated(1);
    const blocks = Array.from({ length: said.length / kEventWords }, (_, n) => said.subarray(n * 4, n * 4 + 3));
    const begun = blocks.filter(([head = 0]) => kindOf(head) === EventKind.blockAllocated);
    expect(new Map(begun.map(([, address = 0, size = 0]) => [address, size]))).toEqual(kLive);
  });

  test('an export names the block, by where it began', () => {
    const { call, block, address } = columnsOf(programTable(file));
    const rows = [...call].map((kind, row) => [kind, block[row], address[row]]);
    expect(rows.filter(([kind]) => kind !== 0)).toEqual([
      [1, 1, 0x1000],
      [2, 4, 0x4000],
      [2, 3, 0x2010],
    ]);
  });

  test('a replay frees and resizes the blocks', () => {
    const { words, notices } = operationsOfTrace(file);
    const what = [...words].filter((_, at) => at % 2 === 0);
    expect(what.filter((word) => (word & 7) !== OperationKind.malloc)).toEqual([
      wordOf(OperationKind.free, 0),
      wordOf(OperationKind.realloc, 0), // the number is given again
      wordOf(OperationKind.free, 3), // of what was replaced
      wordOf(OperationKind.realloc, 2),
    ]);
    expect(notices).toEqual([expect.stringMatching(/^1 frees are/)]);
  });

  test('a stretch counts what they gave back', async () => {
    const model = new Model(trace);
    model.history.fold();
    const session = { model, wordSize: 4 as const, head: seq(trace.count) };
    const { freed, kept } = await new RangeSites().of(
      session,
      { from: 0, to: trace.count, libraries: false },
      async () => {},
    );
    expect([freed, kept]).toEqual([132 + 10, 24 + 90 + 200 + 40]);
  });
});
