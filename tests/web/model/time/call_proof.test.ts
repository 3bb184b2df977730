// What a call says of itself is held against the heap: the fold ends before a call that got what is not there.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { begin, cache, chunkNumber, done, kSixChunks, kSize, release } from '../cached_events.ts';
import { Drive } from '../drive.ts';
import { fetch, kNodeSize, kOneSpan, kPool, type Line, nodeNumber, take, traceOf } from '../small_events.ts';
import { recordsOf, snapshotOf } from '../snapshot_of.ts';

/** What contradicts the heap in these events; undefined: nothing. */
function wrongIn(lines: readonly Line[], before: readonly Line[] = kSixChunks): string | undefined {
  const history = new History(traceOf([...before, ...lines]));
  history.fold();
  return history.broken?.text;
}

const mem = chunkNumber(0) + 4;
const aligned = (argument: number): Line => [EventKind.opBegun, Op.allocateAligned, 0, 60, argument];

test.each<[string, readonly Line[]]>([
  ['the whole chunk', [begin(Op.allocate, 0, 60), done(Op.allocate, mem, kSize)]],
  ['no more than was asked for', [begin(Op.allocate, 0, 60), done(Op.allocate, mem, 60)]],
  ['nothing', [begin(Op.allocate, 0, 60), done(Op.allocate)]],
  ['a multiple of its alignment', [aligned(16), done(Op.allocateAligned, mem, 60)]],
  ['any address where the alignment is no power of two', [aligned(24), done(Op.allocateAligned, mem, 60)]],
  ['any address where it allocates nothing', [begin(Op.deallocate, mem), release(0), done(Op.deallocate, mem, 99)]],
])('a call may get %s', (_, lines) => {
  expect(wrongIn(lines)).toBeUndefined();
});

test.each<[string, readonly Line[], RegExp]>([
  ['less than was asked for', [begin(Op.allocate, 0, 69), done(Op.allocate, mem, 68)], /got 68 bytes, and 69 were/],
  [
    'more than there is',
    [begin(Op.allocate, 0, 60), done(Op.allocate, mem, kSize + 1)],
    /got 73 .* where 72 are in use$/,
  ],
  ['the middle of a chunk', [begin(Op.allocate, 0, 8), done(Op.allocate, mem + 8, 8)], /where nothing in use begins$/],
  ['a free chunk', [release(0), begin(Op.allocate, 0, 8), done(Op.allocate, mem, 8)], /where nothing in use begins$/],
  ['a cached chunk', [cache(0), begin(Op.allocate, 0, 8), done(Op.allocate, mem, 8)], /where nothing in use begins$/],
  ['an address between', [aligned(64), done(Op.allocateAligned, mem, 60)], /which is no multiple of 64$/],
  ['the end of another', [begin(Op.allocate), done(Op.deallocate)], /^deallocate ends where allocate was begun$/],
  ['an end without a begin', [done(Op.allocate)], /^allocate ends and was not begun$/],
])('a call that got %s is a contradiction', (_, lines, text) => {
  expect(wrongIn(lines)).toMatch(text);
});

test.each([Op.allocate, Op.allocateZeroed, Op.allocateAligned, Op.reallocate, Op.smallAllocate, Op.poolAllocate])(
  'operation %i gives one block, of at least what was asked for',
  (op) => {
    expect(wrongIn([begin(op, 0, 64), done(op, mem, 64)])).toBeUndefined();
    expect(wrongIn([begin(op, 0, 65), done(op, mem, 64)])).toMatch(/got 64 bytes, and 65 were asked for$/);
  },
);

test.each([0, kPool])(
  'a node in use has the bytes of its pool, whether the call names the pool (%i) or not',
  (pool) => {
    const asked: Line = [EventKind.opBegun, Op.smallAllocate, 0, 20, pool];
    const wrong = (node: number, size: number) =>
      wrongIn([fetch(8, 1), asked, take(3), done(Op.smallAllocate, nodeNumber(node), size)], kOneSpan);
    expect(wrong(3, kNodeSize)).toBeUndefined();
    expect(wrong(3, kNodeSize + 1)).toMatch(/got 33 bytes .* where 32 are in use$/);
    expect(wrong(4, kNodeSize)).toMatch(/where nothing in use begins$/);
  },
);

test('of more than 64 operations in each other the outermost may end unseen', () => {
  const nested = (depth: number) => [
    ...Array.from({ length: depth }, () => begin(Op.command)),
    ...Array.from({ length: 66 }, () => done(Op.command)),
  ];
  expect(wrongIn(nested(64))).toMatch(/ends and was not begun$/);
  expect(wrongIn(nested(66))).toBeUndefined();
});

test('behind a loss a call may end whose begin was lost, and one that had begun before it may never end', async () => {
  const drive = await Drive.start(37);
  drive.run(40, 80);
  const snapshot = snapshotOf(drive);
  const told = (before: readonly Line[], after: readonly Line[]) => {
    const trace = traceOf([]);
    for (const part of [
      recordsOf(drive.trace, 0, drive.trace.count),
      recordsOf(traceOf([...before, [EventKind.eventsLost, 0, 3, 0, 0]]), 0, before.length + 1),
      snapshot,
      recordsOf(traceOf(after), 0, after.length),
    ])
      trace.append(part);
    const history = new History(trace);
    history.fold();
    expect([history.head.awaiting, history.barriers.count]).toEqual([false, 1]);
    return history.broken?.text;
  };
  expect(told([], [done(Op.command)])).toBeUndefined();
  expect(told([begin(Op.command)], [done(Op.trim)])).toBeUndefined();
  const [one, other] = [begin(Op.command), begin(Op.trim)];
  expect(told([one], [other, done(Op.trim), done(Op.deallocate)])).toBeUndefined();
  expect(told([], [other, done(Op.command)])).toMatch(/^command ends where trim was begun$/); // what is known is held against it
});

test('what had not ended when memory was set back never will', () => {
  const kept: Line = [EventKind.stateKept, 0, 1, 0, 0];
  const reset: Line = [EventKind.stateReset, 0, 1, 0, 0];
  const trapped = [kept, begin(Op.command), reset];
  expect(wrongIn([...trapped, begin(Op.trim), done(Op.trim)])).toBeUndefined();
  expect(wrongIn([...trapped, done(Op.command)])).toMatch(/^command ends and was not begun$/);
});
