// What a keyframe and a restore touch goes by the events, not by the size of the heap: counted, not timed.

import { expect, test } from 'vitest';
import { LostColumn } from '../../../../web/src/base/growing.ts';
import { createRandom } from '../../../../web/src/base/random.ts';
import { applyEvent } from '../../../../web/src/model/state/apply.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import {
  type Keyframe,
  keyframeBytes,
  restoreKeyframe,
  restoringCost,
} from '../../../../web/src/model/state/keyframe.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { KeyframeChain } from '../../../../web/src/model/time/keyframe_chain.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../../web/src/trace/trace.ts';
import { makeTrace } from '../../../bench/glass/glass.ts';
import { digestOf } from '../state_digest.ts';

const kChunks = 40_000;
const kChunkBytes = 32;
const kBase = 0x10000;
const kFirst = kBase + 12;

/** A heap of many chunks in use, and a way to change some of them. */
function largeHeap() {
  const state = new HeapState();
  const lost = new LostColumn();
  const apply = (kind: EventKind, detail: number, a: number, b: number, c: number) =>
    applyEvent(state, lost, headOf(kind, 1, detail), a, b, c);
  apply(EventKind.heapCreated, 4, kBase, 8, 0);
  apply(EventKind.segmentAdded, 0, kBase, kChunks * kChunkBytes + 16, kFirst);
  const half = (kChunks / 2) * kChunkBytes;
  apply(EventKind.chunkSplit, 0, kFirst, half, half);
  for (const begin of [kFirst + half, kFirst]) apply(EventKind.burstCarved, 0, begin, kChunkBytes, kChunks / 2); // the far one first
  const at = (nth: number) => kFirst + nth * kChunkBytes;
  return { state, release: (nth: number) => apply(EventKind.chunkReleased, 0, at(nth), kChunkBytes, 0), apply, at };
}

test('a keyframe of changes looks at what the events touched, however many chunks there are', () => {
  const { state, release } = largeHeap();
  const chain = new KeyframeChain();
  chain.take(state);
  expect(chain.compared).toBe(0);
  const { below } = createRandom(1);
  const expected: [Keyframe, number][] = [];
  for (let take = 0; take < 5; ++take) {
    for (let i = 0; i < 20; ++i) release(take * 8000 + i * 400 + below(400));
    expected.push([chain.take(state), digestOf(state)]);
  }
  expect(chain.compared).toBe(100);
  const restored = new HeapState();
  for (const [keyframe, digest] of expected.reverse()) {
    expect(keyframeBytes(keyframe)).toBe(20 * 18);
    restoreKeyframe(restored, keyframe);
    expect(digestOf(restored)).toBe(digest);
  }
});

test('changes lie in the order of addresses, whatever the order of the events', () => {
  const { state, release } = largeHeap();
  const chain = new KeyframeChain();
  chain.take(state);
  for (const nth of [9000, 7, 31_000, 8, 30_999, 6]) release(nth);
  const keyframe = chain.take(state);
  const { addresses = new Uint32Array(0) } = 'changes' in keyframe ? keyframe.changes : {};
  expect([...addresses].map((address) => (address - kFirst) / kChunkBytes)).toEqual([6, 7, 8, 9000, 30_999, 31_000]);
});

const kEvents = 1_600_000; // more segments than are kept as words

test('a load reads each segment of the trace back once, and a seek replays half an interval at most', () => {
  const trace = makeTrace(kEvents, 2000);
  const history = new History(trace);
  expect(history.fold()).toBe(true);
  expect(trace.readBack).toBe(Math.floor(kEvents / 65_536) - 7); // the newest eight, of which the last is not full, are there as words
  const travel = new TimeTravel(history);
  const { below } = createRandom(2);
  for (let nth = 0; nth < 40; ++nth) {
    const before = travel.replayed;
    travel.seek(below(kEvents));
    expect(travel.replayed - before).toBeLessThanOrEqual(20_000);
  }
});

test('a chain ends when its changes are as many bytes as its whole keyframe', () => {
  const { state, release } = largeHeap();
  const chain = new KeyframeChain();
  const whole = restoringCost(chain.take(state));
  let wholes = 1;
  let most = 0;
  for (let nth = 0; nth < kChunks; ++nth) {
    release(nth);
    if (nth % 500 !== 0) continue;
    const keyframe = chain.take(state);
    if (!('changes' in keyframe)) wholes += 1;
    most = Math.max(most, restoringCost(keyframe));
  }
  expect(wholes).toBe(2); // 18 bytes a change against 10 a chunk
  expect(most).toBeGreaterThan(whole);
  expect(most).toBeLessThan(whole * 4);
});
