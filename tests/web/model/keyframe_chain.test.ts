// What a keyframe and a restore touch goes by the events, not by the size of the heap: counted, not timed.

import { expect, test } from 'vitest';
import { LostColumn } from '../../../web/src/base/growing.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { applyEvent } from '../../../web/src/model/state/apply.ts';
import { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { type Keyframe, keyframeBytes, restoreKeyframe, restoringCost } from '../../../web/src/model/state/keyframe.ts';
import { KeyframeChain } from '../../../web/src/model/time/keyframe_chain.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../web/src/trace/trace.ts';
import { digestOf } from './state_digest.ts';

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
  apply(EventKind.burstCarved, 0, kFirst, kChunkBytes, kChunks);
  const at = (nth: number) => kFirst + nth * kChunkBytes;
  return { state, release: (nth: number) => apply(EventKind.chunkReleased, 0, at(nth), kChunkBytes, 0), apply, at };
}

test('a keyframe of changes compares what the events touched, however many chunks there are', () => {
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
  expect(chain.compared).toBeGreaterThanOrEqual(100);
  expect(chain.compared).toBeLessThanOrEqual(100 * 18); // a frame of 16 granules and 2 words of nodes for each event
  const restored = new HeapState();
  for (const [keyframe, digest] of expected.reverse()) {
    expect(keyframeBytes(keyframe)).toBe(20 * 18);
    restoreKeyframe(restored, keyframe);
    expect(digestOf(restored)).toBe(digest);
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
