// Where free chunks are kept: the order of a bin's list, back and forth, top and the victim, and what cannot be.

import { expect, test } from 'vitest';
import { forEachInBin } from '../../../../web/src/model/queries/query_lists.ts';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { cache, chunkNumber, kChunks, kList, kSixChunks, kSize, release } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kBin = 7;
const kReleased = [...kSixChunks, release(0), release(2), release(4)];
const place = (kind: EventKind, n: number, behind: number | undefined, bin = kBin): Line => [
  kind,
  bin,
  chunkNumber(n),
  kSize,
  behind === undefined ? 0 : chunkNumber(behind),
];
const put = (n: number, behind?: number, bin?: number) => place(EventKind.binInserted, n, behind, bin);
const take = (n: number, behind?: number, bin?: number) => place(EventKind.binRemoved, n, behind, bin);
const topTo = (to: number, from: number): Line => [EventKind.topChanged, 0, to, from, 0];
const victimTo = (to: number, from: number): Line => [EventKind.victimChanged, 0, to, from, 0];

function told(...lines: readonly Line[]): History {
  const history = new History(traceOf([...kReleased, ...lines]));
  history.fold();
  return history;
}

test('chunks stand in a list behind the ones they were put behind, back and forth', () => {
  const steps: readonly [Line, readonly number[]][] = [
    [put(2), [2]],
    [put(0), [0, 2]],
    [put(4, 0), [0, 4, 2]],
    [take(4, 0), [0, 2]],
    [put(4, 2), [0, 2, 4]],
    [take(0), [2, 4]],
    [take(4, 2), [2]],
    [take(2), []],
  ];
  const history = told(...steps.map(([line]) => line));
  expect(history.broken).toBeUndefined();
  history.keyframes.splice(0); // only events lead the way
  const travel = new TimeTravel(history);
  for (const nth of [...steps.keys(), ...[...steps.keys()].reverse()]) {
    travel.seek(kReleased.length + nth + 1);
    const { state } = travel;
    const heap = state.heap(1);
    const found: number[] = [];
    forEachInBin(state, heap, kBin, (at, size) => {
      expect(size).toBe(kSize);
      found.push((at - chunkNumber(0)) / kSize);
    });
    expect(found).toEqual(steps[nth]?.[1]);
    expect([heap.binCount[kBin], heap.binBytes[kBin]]).toEqual([found.length, found.length * kSize]);
  }
});

test('top and the victim go from place to place, and back', () => {
  const at = chunkNumber(kChunks);
  const history = told(
    topTo(0, at),
    victimTo(chunkNumber(2), 0),
    victimTo(chunkNumber(0), chunkNumber(2)),
    topTo(chunkNumber(4), 0),
  );
  expect(history.broken).toBeUndefined();
  const travel = new TimeTravel(history);
  const places = [
    [at, 0],
    [0, 0],
    [0, chunkNumber(2)],
    [0, chunkNumber(0)],
    [chunkNumber(4), chunkNumber(0)],
  ];
  for (const nth of [4, 3, 2, 1, 0, 4]) {
    travel.seek(kReleased.length + nth);
    const { top, victim } = travel.state.heap(1);
    expect([top, victim]).toEqual(places[nth]);
  }
});

test.each<[string, readonly Line[], RegExp]>([
  ['put in a bin that cannot be', [put(0, undefined, 5000)], /there is no bin 5000/],
  ['put in a second bin', [put(0), put(0, undefined, 8)], /still kept/],
  ['put behind one of another bin', [put(2, undefined, 8), put(0, 2)], /is not in bin 7/],
  ['put behind one in use', [put(0, 1)], /is not in bin 7/],
  ['put behind one that malloc caches on a list of the same number', [cache(3), put(0, 3, kList)], /is not in bin 9/],
  ['put behind one that is kept nowhere', [put(0, 2)], /is not in bin 7/],
  ['in use', [put(1)], /is not free/],
  ['taken from a bin that it is not in', [put(0), take(0, undefined, 8)], /is not in bin 8/],
  ['taken though it is kept nowhere', [take(0)], /is not in bin 7/],
  ['taken as the first though another is', [put(0), put(2), take(0)], /is not the first of bin 7/],
  ['taken from behind one that is not before it', [put(0), put(2, 0), put(4, 2), take(4, 0)], /is not before/],
  ['top though it is in a bin', [put(0), topTo(chunkNumber(0), chunkNumber(kChunks))], /still kept/],
  ['the victim though it is top', [victimTo(chunkNumber(kChunks), 0)], /still kept/],
  ['top in the place of another', [topTo(chunkNumber(0), chunkNumber(2))], /top was not at/],
  ['the victim in the place of another', [victimTo(chunkNumber(0), chunkNumber(2))], /the victim was not at/],
])('a chunk that is %s is refused, and nothing has changed', (_, lines, text) => {
  const history = told(...lines);
  expect(history.broken).toMatchObject({ seq: kReleased.length + lines.length - 1, text: expect.stringMatching(text) });
  expect(captureKeyframe(history.head)).toEqual(captureKeyframe(told(...lines.slice(0, -1)).head));
});
