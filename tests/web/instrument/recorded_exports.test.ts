// The records of wrapped exports, call by call: what was asked, what came back, and how large the memory is.

import { expect, test } from 'vitest';
import { recordExports } from '../../../web/src/instrument/recorded_exports.ts';
import { kMostRecorded } from '../../../web/src/instrument/wide_text.ts';
import { EventKind, Op, Status } from '../../../web/src/protocol/event_layout.ts';
import { detailOf, kEventWords, kindOf } from '../../../web/src/trace/trace.ts';

const kPage = 65_536;
const kNames = { malloc: '_malloc', free: '_free', calloc: '_calloc', realloc: '_realloc' };

/** As Emscripten's Module has them, on a memory of one page; each gives the next of these addresses. */
function program(addresses: readonly number[], memory: object = new WebAssembly.Memory({ initial: 1 })) {
  const left = [...addresses];
  const freed: number[] = [];
  const next = () => left.shift() ?? 0;
  const wasmMemory = memory as WebAssembly.Memory;
  const plain = {
    _malloc: next,
    _calloc: next,
    _realloc: next,
    _free: (at: number) => void freed.push(at),
    wasmMemory,
  };
  const { exports, recorder } = recordExports(plain, kNames);
  const events: number[][] = [];
  recorder.subscribe(({ records }) => {
    for (let at = 0; at < records.length; at += kEventWords) {
      const [head = 0, ...values] = records.subarray(at, at + kEventWords);
      events.push([kindOf(head), detailOf(head), ...values]);
    }
  });
  const calls = exports as unknown as Record<string, (...args: number[]) => number>;
  return {
    call: (name: string, ...args: number[]) => calls[name]?.(...args),
    freed,
    wasmMemory,
    /** What was written since the last time; without what begins a trace. */
    said(): number[][] {
      recorder.drain();
      return events.splice(0).filter(([kind]) => kind !== EventKind.heapCreated && kind !== EventKind.segmentAdded);
    },
  };
}

test('each call has what it asked for, what it got, and whether memory was out', () => {
  const { call, said, freed } = program([0x100, 0x200, 0x300, 0, 0, 0]);
  const asked = (op: Op, from: number, request: number) => [EventKind.opBegun, op, from, request, 0];
  const ended = (op: Op, at: number, size: number, status: Status) => [EventKind.opEnded, op, at, size, status];
  const block = (at: number, size: number) => [EventKind.blockAllocated, 0, at, size, 0];
  const gone = (at: number) => [EventKind.blockFreed, 0, at, 0, 0];
  expect(call('_malloc', 24)).toBe(0x100);
  expect(said()).toEqual([asked(Op.allocate, 0, 24), block(0x100, 24), ended(Op.allocate, 0x100, 24, Status.ok)]);
  expect(call('_calloc', 3, 8)).toBe(0x200);
  expect(said()).toEqual([
    asked(Op.allocateZeroed, 0, 24),
    block(0x200, 24),
    ended(Op.allocateZeroed, 0x200, 24, Status.ok),
  ]);
  expect(call('_realloc', 0x200, 48)).toBe(0x300);
  expect(said()).toEqual([
    asked(Op.reallocate, 0x200, 48),
    gone(0x200),
    block(0x300, 48),
    ended(Op.reallocate, 0x300, 48, Status.ok),
  ]);
  expect(call('_realloc', 0x300, 1 << 30)).toBe(0); // the block stays
  expect(said()).toEqual([asked(Op.reallocate, 0x300, 1 << 30), ended(Op.reallocate, 0, 0, Status.outOfMemory)]);
  expect(call('_realloc', 0x300, 0)).toBe(0); // it is freed, and that is no failure
  expect(said()).toEqual([asked(Op.reallocate, 0x300, 0), gone(0x300), ended(Op.reallocate, 0, 0, Status.ok)]);
  expect(call('_malloc', 1 << 30)).toBe(0);
  expect(said()).toEqual([asked(Op.allocate, 0, 1 << 30), ended(Op.allocate, 0, 0, Status.outOfMemory)]);
  call('_free', 0x100);
  expect(said()).toEqual([asked(Op.deallocate, 0x100, 0), gone(0x100), ended(Op.deallocate, 0, 0, Status.ok)]);
  call('_free', 0);
  expect(said()).toEqual([]);
  expect(freed).toEqual([0x100, 0]);
});

test('memory that has grown is told once, before the call that finds it so', () => {
  const { call, said, wasmMemory } = program([0x100, 0x200, 0x300]);
  call('_malloc', 8);
  expect(said()).toHaveLength(3);
  wasmMemory.grow(2);
  call('_malloc', 8);
  expect(said().slice(1, 3)).toEqual([
    [EventKind.memoryGrown, 1, 1, 3, 2 * kPage],
    [EventKind.segmentExtended, 0, 0, kPage, 3 * kPage],
  ]);
  call('_malloc', 8);
  expect(said()).toHaveLength(3);
});

test('memory is recorded up to what a word can say: growth beyond it extends nothing', () => {
  const { call, said, wasmMemory } = program([0x100, 0x200], grownTo(2 ** 32));
  call('_malloc', 8);
  said();
  Object.assign(wasmMemory.buffer, { byteLength: 2 ** 32 + kPage });
  call('_malloc', 8);
  expect(said().map(([kind]) => kind)).not.toContain(EventKind.segmentExtended);
});

test('a block that ends above what a word can say ends the recording: the program goes on, and its events are counted as lost', () => {
  const { call, said } = program([kMostRecorded - 8, kMostRecorded - 8, 0x100]);
  call('_malloc', 8);
  expect(said()).toHaveLength(3);
  expect(call('_malloc', 16)).toBe(kMostRecorded - 8);
  expect(said().map(([kind]) => kind)).not.toContain(EventKind.blockAllocated);
  expect(call('_malloc', 16)).toBe(0x100);
  expect(said()).toEqual([[EventKind.eventsLost, 0, 3, 0, 0]]);
});

/** A memory that says so; an engine may refuse to make one. */
function grownTo(byteLength: number): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: 1 });
  Object.defineProperty(memory, 'buffer', { value: { byteLength } });
  return memory;
}

test('addresses and sizes that come as signed numbers are the ones above 2 GiB', () => {
  const [high, other] = [0x8010_0000, 0xff00_0000];
  const { call, said, freed } = program([high | 0, 0, other | 0]);
  expect(call('_malloc', 24)).toBe(high | 0); // the program gets what it got
  call('_calloc', 2, 0x8000_0000 | 0);
  call('_free', high | 0);
  const words = said();
  expect(words.find(([kind]) => kind === EventKind.blockAllocated)?.slice(2, 4)).toEqual([high, 24]);
  expect(words.find(([kind]) => kind === EventKind.blockFreed)?.[2]).toBe(high);
  expect(freed).toEqual([high | 0]);
  call('_malloc', 0x200_0000); // it ends above 4 GiB
  call('_free', other | 0);
  expect(said().some(([kind]) => kind === EventKind.blockAllocated || kind === EventKind.blockFreed)).toBe(false);
});
