// Which calls of the program are read from events, one kind of call after the other: rules J1 to J6.

import { expect, test } from 'vitest';
import type { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { slabAround } from '../../../web/src/model/state/slab_around.ts';
import {
  CommandFlag,
  EventKind,
  kWalkEvent,
  Op,
  Status,
  Trial,
  WalkKind,
} from '../../../web/src/protocol/event_layout.ts';
import { type CallSink, ProgramCalls } from '../../../web/src/report/program_calls.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { someOf } from '../../every.ts';
import { Drive } from '../model/drive.ts';
import { recordsOf, snapshotOf } from '../model/snapshot_of.ts';

const kWord = 4;
type Event = readonly [kind: number, detail: number, a: number, b: number, c: number];
type Told = readonly (string | number | boolean)[];

/** What the sink is told; the last number of a call is the number of events up to it. */
function toldOf(events: readonly Event[]): Told[] {
  const trace = new Trace();
  for (const [kind, detail, a, b, c] of events) trace.appendEvent(headOf(kind as EventKind, 1, detail), a, b, c);
  const told: Told[] = [];
  const sink: CallSink = {
    entered: (...args) => told.push(['site', ...args]),
    allocated: (...args) => told.push(['allocated', ...args.slice(0, 4)]),
    has: () => true,
    freed: (...args) => told.push(['freed', ...args]),
    resized: (...args) => told.push(['resized', ...args.slice(0, 5)]),
    failed: (...args) => told.push(['failed', ...args]),
    lost: (...args) => told.push(['lost', ...args]),
    forgotten: () => told.push(['forgotten']),
    found: (...args) => told.push(['found', ...args.slice(0, 3)]),
    ended: (...args) => told.push(['ended', ...args]),
    revived: ({ address, request, born, site }, event) => told.push(['revived', address, request, born, site, event]),
  };
  new ProgramCalls(trace, kWord, sink).readTo(trace.count);
  return told;
}

const begun = (op: Op, a = 0, b = 0, c = 0): Event => [EventKind.opBegun, op, a, b, c];
const ended = (op: Op, a = 0, b = 0, c: number = Status.ok): Event => [EventKind.opEnded, op, a, b, c];
const inside: Event = [EventKind.chunkSplit, 0, 0x1000, 64, 900];
const call = (op: Op, given: readonly [number, number, number], got: readonly [number, number, number?]): Event[] => [
  begun(op, ...given),
  inside,
  ended(op, ...got),
];

test.each([Op.allocate, Op.allocateZeroed, Op.allocateAligned, Op.smallAllocate, Op.poolAllocate])(
  'operation %i gives a block, or fails',
  (op) => {
    expect(toldOf(call(op, [0, 100, 8], [0x1004, 108]))).toEqual([['allocated', 0x1004, 100, 108, 3]]);
    expect(toldOf(call(op, [0, 100, 8], [0, 0, Status.outOfMemory]))).toEqual([['failed', op, 100, 3]]);
  },
);

test.each([Op.deallocate, Op.smallDeallocate, Op.poolDeallocate])('operation %i frees a block, or nothing', (op) => {
  expect(toldOf(call(op, [0x1004, 0, 0], [0, 0]))).toEqual([['freed', 0x1004, 3, true]]);
  expect(toldOf(call(op, [0, 0, 0], [0, 0]))).toEqual([]);
});

test('realloc resizes, allocates, fails or frees', () => {
  const realloc = (from: number, request: number, to: number, usable: number, status: number = Status.ok) =>
    toldOf(call(Op.reallocate, [from, request, 0], [to, usable, status]));
  expect(realloc(0x1004, 200, 0x2004, 204)).toEqual([['resized', 0x1004, 0x2004, 200, 204, 3]]);
  expect(realloc(0, 200, 0x2004, 204)).toEqual([['allocated', 0x2004, 200, 204, 3]]);
  expect(realloc(0x1004, 200, 0, 0, Status.outOfMemory)).toEqual([['failed', Op.reallocate, 200, 3]]);
  expect(realloc(0x1004, 0, 0, 0)).toEqual([['freed', 0x1004, 3, true]]);
});

test('a command gives a new block, another size to one, or only asks', () => {
  const command = (flags: number, from: number, tried: number, usable: number) =>
    toldOf([
      begun(Op.command, from, 300, flags),
      [EventKind.commandTried, tried, 0x1000, 300, 400],
      ended(Op.command, 0x2004, usable),
    ]);
  const { allocateNew, expandFwd, tryShrinkInPlace } = CommandFlag;
  expect(command(allocateNew, 0, Trial.allocateNew | 0x100, 304)).toEqual([['allocated', 0x2004, 300, 304, 3]]);
  expect(command(allocateNew | expandFwd, 0x1004, Trial.allocateNew | 0x100, 200)).toEqual([
    ['allocated', 0x2004, 200, 200, 3],
  ]);
  expect(command(expandFwd, 0x1004, Trial.expandFwd | 0x100, 280)).toEqual([['resized', 0x1004, 0x2004, 280, 280, 3]]);
  expect(command(expandFwd, 0x1004, Trial.allocateNew, 280)).toEqual([['resized', 0x1004, 0x2004, 280, 280, 3]]);
  expect(command(tryShrinkInPlace, 0x1004, Trial.expandFwd, 280)).toEqual([]);
});

test('a burst gives its blocks one by one, and what it frees at once goes one by one', () => {
  const carved: Event = [EventKind.burstCarved, 0, 0x1000, 32, 3];
  const taken: Event = [EventKind.chunkTaken, 0, 0x3000, 48, 40];
  const released = (expected: boolean) => [['freed', 0x3004, 2, expected]];
  expect(toldOf([begun(Op.burstNodes, 0, 20, 4), carved, taken, ended(Op.burstNodes, 0x1004, 4)])).toEqual([
    ['allocated', 0x1004, 20, 28, 2],
    ['allocated', 0x1024, 20, 28, 2],
    ['allocated', 0x1044, 20, 28, 2],
    ['allocated', 0x3004, 40, 44, 3],
  ]);
  expect(toldOf([begun(Op.burstArrays, 0, 8, 1), carved, ended(Op.burstArrays, 0x1004, 3)])[0]).toEqual([
    'allocated',
    0x1004,
    28,
    28,
    2,
  ]);
  expect(toldOf([begun(Op.burstNodes, 0, 20, 4), ended(Op.burstNodes, 0, 0, 1)])).toEqual([
    ['failed', Op.burstNodes, 20, 2],
  ]);
  const release: Event = [EventKind.chunkReleased, 0, 0x3000, 48, 0];
  for (const op of [Op.burstDeallocate, Op.burstNodes, Op.burstArrays])
    expect(toldOf([begun(op, 0, 1, 1), release, ended(op, 1)])).toEqual(released(true));
  expect(toldOf([begun(Op.heapDestroy), release, ended(Op.heapDestroy)])).toEqual(released(false));
  expect(toldOf([begun(Op.allocate, 0, 8), taken, release, ended(Op.allocate, 0x9004, 8)])).toEqual([
    ['allocated', 0x9004, 8, 8, 4],
  ]);
});

test('nodes and cached chunks outside of operations are calls by themselves, inside they are parts', () => {
  const pool: Event = [EventKind.poolCreated, 5, 0x500, 24, 60];
  const [taken, returned]: Event[] = [
    [EventKind.nodeTaken, 5, 0x4000, 0x3f00, 1],
    [EventKind.nodeReturned, 5, 0x4000, 0x3f00, 2],
  ];
  const [reused, cached]: Event[] = [
    [EventKind.chunkReused, 9, 0x1000, 72, 60],
    [EventKind.chunkCached, 9, 0x1000, 72, 1],
  ];
  if (taken === undefined || returned === undefined || reused === undefined || cached === undefined) return;
  expect(toldOf([pool, taken, returned, reused, cached])).toEqual([
    ['allocated', 0x4000, 24, 24, 2],
    ['freed', 0x4000, 3, true],
    ['allocated', 0x1004, 60, 68, 4],
    ['freed', 0x1004, 5, true],
  ]);
  expect(
    toldOf([pool, begun(Op.allocate, 0, 9), taken, returned, reused, cached, ended(Op.allocate, 0x9004, 12)]),
  ).toEqual([['allocated', 0x9004, 9, 12, 7]]);
  expect(toldOf([pool, begun(Op.poolBurst, 0, 1, 5), taken, ended(Op.poolBurst, 0x4000, 1)])).toEqual([
    ['allocated', 0x4000, 24, 24, 3],
  ]);
  for (const op of [Op.poolBurstDeallocate, Op.poolBurst, Op.poolDestroy, Op.heapDestroy])
    expect(toldOf([pool, begun(op), returned, ended(op, 1)])).toEqual([['freed', 0x4000, 3, true]]);
});

test('a call has the site that was entered for it, and the next one has none', () => {
  const site = (number: number): Event => [EventKind.siteEntered, 0, number, 0, 0];
  const one = call(Op.allocate, [0, 8, 0], [0x1004, 12]);
  expect(
    toldOf([site(3), ...one, site(3), ...one, ...one, site(4), [EventKind.chunkReused, 9, 0x1000, 72, 60]]).filter(
      ([what]) => what === 'site',
    ),
  ).toEqual([
    ['site', 3],
    ['site', 0],
    ['site', 4],
  ]);
});

test('a burst is believed only where the heap is known: not between a loss and the next snapshot', () => {
  const carved = (count: number): Event => [EventKind.burstCarved, 0, 0x1000, 16, count];
  const burst = (count: number): Event[] => [
    begun(Op.burstNodes, 0, 8, count),
    carved(count),
    ended(Op.burstNodes, 0x1004, count),
  ];
  const lost: Event = [EventKind.eventsLost, 0, 9, 0, 0];
  const blocks = (events: readonly Event[]) => toldOf(events).filter(([what]) => what === 'allocated').length;
  expect(blocks(burst(5))).toBe(5);
  expect(blocks([...burst(5), lost, ...burst(0xffff_ffff)])).toBe(5);
  const snapshot: Event[] = [
    [EventKind.snapshotBegun, 4, 1, 1, 0],
    [EventKind.snapshotEnded, 0, 0, 0, 0],
  ];
  expect(blocks([...burst(5), lost, ...snapshot, ...burst(3)])).toBe(8);
});

test('behind a loss the blocks are those of the next snapshot: chunks that hold no block of a pool, and nodes', () => {
  const walk = (kind: WalkKind, address: number, size: number): Event => [kWalkEvent + kind, 0, address, size, 0];
  const snapshot: Event[] = [
    [EventKind.snapshotBegun, 4, 1, 1, 0],
    walk(WalkKind.chunkInUse, 0x1000, 32),
    walk(WalkKind.chunkInUse, 0x1020, 4096),
    walk(WalkKind.block, 0x1024, 4092),
    walk(WalkKind.nodeInUse, 0x1040, 24),
    walk(WalkKind.chunkInUse, 0x2020, 64),
    [EventKind.snapshotEnded, 0, 0, 0, 0],
  ];
  const one = call(Op.allocate, [0, 8, 0], [0x9004, 12]);
  const found = [['forgotten'], ['found', 0x1004, 28], ['found', 0x1040, 24], ['found', 0x2024, 60]];
  const [, lost, ...rest] = toldOf([...one, begun(Op.trim), [EventKind.eventsLost, 0, 9, 0, 0], ...snapshot, ...one]);
  expect(lost).toEqual(['lost', 9]);
  expect(rest.slice(0, -1).map((each) => each.slice(0, 3))).toEqual(found);
  expect(rest.at(-1)).toEqual(['allocated', 0x9004, 8, 12, 15]);
  expect(toldOf([...one, ...snapshot])).toHaveLength(1); // without a loss it is a proof
  expect(toldOf(snapshot).map((each) => each.slice(0, 3))).toEqual(found); // at the beginning there is nothing else
});

test('behind a loss the next snapshot says where slabs lie, whose blocks have no headers: under free blocks too', () => {
  const reused = (at: number): Event => [EventKind.chunkReused, 0x105, at, 48, 48];
  const walk = (kind: WalkKind, address: number): Event => [kWalkEvent + kind, 0x105, address, 48, 0];
  const events: Event[] = [
    [EventKind.slabMade, 0x105, 0x2ffc, 48, 20],
    reused(0x300c),
    [EventKind.eventsLost, 0, 9, 0, 0],
    [EventKind.snapshotBegun, 4, 1, 1, 0],
    walk(WalkKind.slab, 0x13fc),
    walk(WalkKind.slabBlockInUse, 0x140c),
    walk(WalkKind.slabBlockFree, 0x180c),
    [EventKind.snapshotEnded, 0, 0, 0, 0],
    ...[0x140c, 0x180c, 0x300c].map(reused),
  ];
  const usable = toldOf(events).flatMap(([what, address, _, usable]) =>
    what === 'allocated' ? [[address, usable]] : [],
  );
  const [slab, chunk] = [48, 44];
  expect(usable).toEqual([
    [0x3010, slab],
    [0x1410, slab],
    [0x1810, slab],
    [0x3010, chunk],
  ]);
});

test('a slab that cannot be is passed over behind a loss, where nothing else refuses it: it is not gone through KiB by KiB', () => {
  const most = 0xffffffff;
  const slabs: Event[] = [
    [EventKind.slabMade, 0x105, 0x2ffc, most, most],
    [EventKind.slabMade, 0x105, 0x2ffc, 48, 65],
    [EventKind.slabMade, 0x105, 0x2ffc, 1 << 16, 20],
    [EventKind.slabEnded, 0x105, 0x2ffc, most, most],
  ];
  const events: Event[] = [
    [EventKind.eventsLost, 0, 9, 0, 0],
    ...slabs,
    [EventKind.chunkReused, 0x105, 0x300c, 48, 48],
  ];
  const [, allocated] = toldOf(events);
  expect(allocated?.slice(0, 4)).toEqual(['allocated', 0x3010, 48, 44]); // a chunk's: no slab lies there
});

test('what lies behind a loss is of no operation that the loss cut off', () => {
  const lost: Event = [EventKind.eventsLost, 0, 5, 0, 0];
  const released: Event = [EventKind.chunkReleased, 0, 0x1000, 64, 0];
  expect(toldOf([begun(Op.burstDeallocate, 0x1004, 0, 1), released])).toEqual([['freed', 0x1004, 2, true]]);
  expect(toldOf([begun(Op.burstDeallocate, 0x1004, 0, 1), lost, released])).toEqual([['lost', 5]]);
});

/** The blocks that are live at the end: what lies before each, and what a program has of it. One whose slab has ended since is a chunk,
 *  with a header and a word more (event.P8). */
function liveAtEnd(trace: Trace, state: HeapState): string[] {
  const live = new Map<number, { usable: number; header: number }>();
  new ProgramCalls(trace, kWord, {
    allocated: (address, _, usable, __, header) => live.set(address, { usable, header }),
    has: (address) => live.has(address),
    freed: (address) => live.delete(address),
    resized(from, to, _, usable, __, header) {
      live.delete(from);
      live.set(to, { usable, header });
    },
    failed: () => {},
    lost: () => {},
    forgotten: () => live.clear(),
    found: (address, usable, _, header) => live.set(address, { usable, header }),
    ended: (address) => live.delete(address),
    revived: () => {},
  }).readTo(trace.count);
  const lines = [...live].map(([address, { usable, header }]) => {
    const isChunk = header > 0 || slabAround(state, address - kWord) === undefined;
    return isChunk ? `${address}: ${usable + kWord - header}` : `${address} of a slab: ${header} + ${usable}`;
  });
  return lines.sort();
}

test.each(someOf([5, 6]))(
  'a trace that begins late, or lost events, has the blocks of the whole one, seed %i',
  async (seed) => {
    const drive = await Drive.start(seed);
    const runAll = (count: number, pressure: number) => {
      drive.run(count, pressure);
      drive.runMalloc(5 * count, pressure, undefined);
      drive.runSmall(count / 3, pressure);
    };
    runAll(300, 65);
    const snapshot = snapshotOf(drive);
    const early = drive.trace.count;
    const { head } = drive.history;
    const cut = early - 500 - seed; // likely in the midst of an operation
    const late = [new Trace(), new Trace()];
    late[1]?.append(recordsOf(drive.trace, 0, cut));
    late[1]?.appendEvent(headOf(EventKind.eventsLost, 0), early - cut, 0, 0);
    for (const trace of late) {
      trace.append(snapshot);
      expect(liveAtEnd(trace, head)).toEqual(liveAtEnd(drive.trace, head));
    }
    runAll(200, 45);
    expect(drive.compare()).toBeUndefined();
    for (const trace of late) {
      trace.append(recordsOf(drive.trace, early, drive.trace.count));
      expect(liveAtEnd(trace, head)).toEqual(liveAtEnd(drive.trace, head));
    }
    expect(liveAtEnd(drive.trace, head).length).toBeGreaterThan(200);
  },
);
