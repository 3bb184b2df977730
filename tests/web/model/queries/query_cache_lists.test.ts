// The last move of cached chunks: as many as went the same way directly one after the other, counted up to a limit.

import { expect, test } from 'vitest';
import { queryCacheLists } from '../../../../web/src/model/queries/query_cache_lists.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { cache, chunkNumber, kSixChunks, kSize, move } from '../cached_events.ts';
import { act, type Line, traceOf } from '../small_events.ts';

const kBase = 0x10000;
const kFirst = kBase + 12;
const kBytes = 16;
const kMany = 4100;
const kList = 2;

test('a move of very many chunks is counted up to 4,096 of them', () => {
  const at = (n: number) => kFirst + n * kBytes;
  const each = (line: (n: number) => Line) => Array.from({ length: kMany }, (_, n) => line(n));
  const lines: Line[] = [
    [EventKind.heapCreated, 4, kFirst, 8, 0],
    [EventKind.segmentAdded, 0, kBase, kMany * kBytes + 16, kFirst],
    [EventKind.burstCarved, 0, kFirst, kBytes, kMany],
    ...each((n) => [EventKind.chunkCached, kList, at(n), kBytes, 1]),
  ];
  const first = lines.length;
  const history = new History(traceOf([...lines, ...each((n) => [EventKind.cachedMoved, kList, at(n), 1, 0])]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const travel = new TimeTravel(history);
  const movedBehind = (moves: number) => {
    travel.seek(first + moves);
    return queryCacheLists(history, travel.state, travel.state.heap(1))?.lastMove;
  };
  expect(movedBehind(0)).toBeUndefined();
  for (const moves of [1, 2, 4095, 4096])
    expect(movedBehind(moves)).toEqual({ seq: first + moves, list: kList, from: 1, to: 0, chunks: moves });
  expect(movedBehind(kMany)).toMatchObject({ seq: first + kMany, chunks: 4096 });
});

test('a reuse between two moves parts them, also where its words read like a move the same way', () => {
  const at = (n: number) => kFirst + n * kBytes;
  const kThread = kBytes; // its number stands where an event of a chunk has the size
  const cached = (n: number): Line => [EventKind.chunkCached, kList, at(n), kBytes, kThread];
  const moved = (n: number): Line => [EventKind.cachedMoved, kList, at(n), kThread, 0];
  const lines: Line[] = [
    [EventKind.heapCreated, 4, kFirst, 8, 0],
    [EventKind.segmentAdded, 0, kBase, 4 * kBytes + 16, kFirst],
    [EventKind.burstCarved, 0, kFirst, kBytes, 4],
    [EventKind.threadChanged, 0, kThread, 1, 0],
    ...[0, 1, 2, 3].map(cached),
    moved(0),
    [EventKind.chunkReused, kList, at(1), kBytes, 0], // of a request of 0 bytes
    moved(2),
    moved(3),
  ];
  const history = new History(traceOf(lines));
  history.fold();
  expect(history.broken).toBeUndefined();
  const { lastMove } = queryCacheLists(history, history.head, history.head.heap(1)) ?? {};
  expect(lastMove).toEqual({ seq: lines.length, list: kList, from: kThread, to: 0, chunks: 2 });
});

const onOther: Line = [EventKind.cachedMoved, kList, chunkNumber(4), 1, 0];
test.each<[string, readonly Line[], number]>([
  ['two the same way', [move(0, 1, 0), move(1, 1, 0)], 2],
  ['one of another list before it', [onOther, move(0, 1, 0)], 1],
  ['one from another thread before it', [move(5, 2, 0), move(0, 1, 0)], 1],
  ['one to another holder before it', [move(1, 1, 2), move(0, 1, 0)], 1],
])('the last move is as many as went the same way of one list: %s', (_, moves, chunks) => {
  const ready = [cache(0), cache(1), [EventKind.chunkCached, kList, chunkNumber(4), kSize, 1] as Line];
  const history = new History(traceOf([...kSixChunks, ...ready, act(2, 1), cache(5, 2), ...moves]));
  history.fold();
  expect(history.broken).toBeUndefined();
  expect(queryCacheLists(history, history.head, history.head.heap(1))?.lastMove).toMatchObject({
    from: 1,
    to: 0,
    chunks,
  });
});
