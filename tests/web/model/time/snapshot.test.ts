// Snapshots in a trace: the first is what the model begins with, a later one is a proof or differs, and one that is not whole is refused.

import { expect, test } from 'vitest';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, kWalkEvent } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { cache, kSixChunks } from '../cached_events.ts';
import { kOneSpan, kPool, type Line } from '../small_events.ts';

type Record4 = readonly [head: number, a: number, b: number, c: number];

function told(records: readonly Record4[]): History {
  const trace = new Trace();
  for (const record of records) trace.appendEvent(...record);
  const history = new History(trace);
  history.fold();
  return history;
}
const recordsOf = (lines: readonly Line[]): Record4[] =>
  lines.map(([kind, detail, a, b, c]) => [headOf(kind, 1, detail), a, b, c]);
const headState = (lines: readonly Line[]) => told(recordsOf(lines)).head;

const ended: Record4 = [headOf(EventKind.snapshotEnded, 0), 0, 0, 0];
const begun = (heaps = 1, wordSize = 4): Record4 => [headOf(EventKind.snapshotBegun, 0, wordSize), heaps, 2, 0];
/** Of heap 1: its head, what its pools are, its walk. */
function heapOf(lines: readonly Line[]): Record4[] {
  const state = headState(lines);
  const { address, alignment, stateBytes } = state.heap(1);
  const walk: Record4[] = [];
  walkModel(state, 1, (head, ...rest) => walk.push([head + kWalkEvent, ...rest]));
  const pools = recordsOf(lines.filter(([kind]) => kPoolKinds.has(kind)));
  return [[headOf(EventKind.snapshotHeap, 1, alignment), address, walk.length, stateBytes], ...pools, ...walk];
}
const kPoolKinds = new Set<number>([EventKind.poolCreated, EventKind.poolShaped, EventKind.poolRuled]);
const snapshotOf = (lines: readonly Line[]): Record4[] => [begun(), ...heapOf(lines), ended];
const six = snapshotOf(kSixChunks);

test('a trace may begin with a snapshot, which is what is there and proves nothing', () => {
  const history = told([...six, ...recordsOf([cache(0, 2)])]);
  expect(history.broken).toBeUndefined();
  expect([history.differs, history.proofs.count, [...history.barriers.slice()]]).toEqual([undefined, 0, [six.length]]);
  expect(history.head).toMatchObject({ acting: 2, inUse: 5 * 72, cached: 72 });
  expect(history.head.heap(1)).toMatchObject({ chunksInUse: 5, chunksCached: 1 });
});

test('a later snapshot that agrees is a proof and no barrier, and one that differs is told and gone on from', () => {
  const before = recordsOf(kSixChunks);
  const agrees = told([...before, ...six]);
  expect([agrees.differs, [...agrees.proofs.slice()], agrees.barriers.count]).toEqual([
    undefined,
    [before.length + six.length],
    0,
  ]);
  const differs = told([...before, ...recordsOf([cache(0)]), ...six]);
  const end = before.length + six.length; // its last event
  expect(differs.broken).toBeUndefined();
  expect(differs.differs).toMatchObject({
    seq: end,
    text: expect.stringContaining(`the snapshot of event ${end} differs`),
  });
  expect([differs.proofs.count, [...differs.barriers.slice()]]).toEqual([0, [end + 1]]);
  expect(differs.head.heap(1)).toMatchObject({ chunksInUse: 6, chunksCached: 0 });
});

test('behind a loss a snapshot is what is there, and no proof', () => {
  const lost: Record4 = [headOf(EventKind.eventsLost, 0), 9, 0, 0];
  const history = told([...recordsOf([...kSixChunks, cache(0)]), lost, ...six]);
  expect([history.broken, history.differs, history.proofs.count, history.barriers.count]).toEqual([
    undefined,
    undefined,
    0,
    1,
  ]);
  expect(history.head.heap(1)).toMatchObject({ chunksInUse: 6, chunksCached: 0 });
});

test('pools are what the snapshot says of them', () => {
  const history = told(snapshotOf(kOneSpan));
  expect(history.broken).toBeUndefined();
  const { pools } = captureKeyframe(history.head);
  expect(pools).toMatchObject(
    captureKeyframe(headState(kOneSpan)).pools.map(({ id, shape, blocks, address }) => ({
      id,
      shape,
      blocks,
      address,
    })),
  );
  expect(pools.map(({ id }) => id)).toEqual([kPool]);
});

const heap = heapOf(kSixChunks);
const [first = ended, ...walk] = heap;
const pools = recordsOf(kOneSpan.filter(([kind]) => kPoolKinds.has(kind)));
const span = heapOf(kOneSpan);
test.each<[string, readonly Record4[], RegExp]>([
  ['of two heaps that has one', [begun(2), ...heap], /has 1 heaps, not 2/],
  ['of no heap that has one', [begun(0), ...heap], /has 1 heaps, not 0/],
  ['with a heap twice', [begun(2), ...heap, ...heap], /has heap 1 twice/],
  ['that lacks a record', [begun(), ...heap.slice(0, -1)], /lacks records of heap 1/],
  ['with a record too many', [begun(), ...heap, ...walk.slice(-1)], /lacks a heap at event/],
  ['with a record that is none', [begun(), first, ...walk.slice(0, -1), ...recordsOf([cache(0)])], /is no walk record/],
  ['of words of six bytes', [begun(1, 6), ...heap], /a word of 6 bytes is impossible/],
  ['with a pool twice', [begun(), ...span.slice(0, 4), ...span.slice(1)], /has pool 7 twice/],
  [
    'with a shape of another pool',
    [begun(), first, ...pools.slice(1), ...walk],
    /shapes a pool that the snapshot does not make/,
  ],
])('a snapshot %s is refused, and what was before it stays', (_, records, text) => {
  const before = recordsOf(kSixChunks);
  const lost: Record4 = [headOf(EventKind.eventsLost, 0), 9, 0, 0];
  const history = told([...before, lost, ...records, ended]);
  expect(history.broken).toMatchObject({ seq: before.length + 1 + records.length, text: expect.stringMatching(text) });
  expect(history.head.heap(1)).toMatchObject({ chunksInUse: 6, chunksCached: 0 });
});

test('events within a snapshot change nothing', () => {
  const state = headState(kSixChunks);
  const history = told([...recordsOf(kSixChunks), begun(), ...recordsOf([cache(0)])]);
  expect(history.broken).toBeUndefined();
  expect([history.head.inSnapshot, history.head.cached, history.head.inUse]).toEqual([true, 0, state.inUse]);
});
