// The ring of one thread's recorder: what was put comes out once and in order, and how much waits at most goes by the rate.

import { afterEach, expect, test, vi } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { instrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { RingSource } from '../../../web/src/instrument/recorder_source.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../web/src/trace/trace.ts';

const kMost = 1024; // events
const kBegin = 64; // byte
const kEventBytes = 16;
afterEach(() => vi.restoreAllMocks());

/** What a recorder module exports: it writes where `at` says. */
function makeRing() {
  const memory = { buffer: new ArrayBuffer(kBegin + kMost * kEventBytes) };
  const at = { value: kBegin };
  return {
    version: { value: 5 },
    memory,
    begin: { value: kBegin },
    at,
    put(...words: readonly [number, number, number, number]): void {
      new Uint32Array(memory.buffer, at.value, 4).set(words);
      at.value += kEventBytes;
    },
  };
}

const spaceIn = (ring: ReturnType<typeof makeRing>) => kMost - (ring.at.value - kBegin) / kEventBytes;

test('events are taken once, in their order, however many wait', () => {
  const ring = makeRing();
  const source = new RingSource(ring, kMost);
  const { below } = createRandom(3);
  const found: number[] = [];
  let put = 0;
  for (let turn = 0; turn < 200; ++turn) {
    for (let left = below(spaceIn(ring) + 1); left > 0; --left) source.put(put++, 1, 2, 3);
    expect([source.count, source.taken]).toEqual([put, found.length]);
    if (below(3) === 0) continue;
    const taken = source.take();
    if (taken === undefined) expect(put).toBe(found.length);
    else {
      expect(taken.from).toBe(found.length);
      for (let word = 0; word < taken.records.length; word += 4) found.push(taken.records[word] ?? -1);
    }
  }
  expect(found).toEqual(Array.from({ length: found.length }, (_, nth) => nth));
  expect(found.length).toBeGreaterThan(1000);
  expect(source.take()?.from ?? put).toBe(put > found.length ? found.length : put);
});

test('as many may wait as come in a twentieth of a second, at most twice as many as before', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const ring = makeRing();
  const source = new RingSource(ring, kMost);
  const after = (ms: number, events: number) => {
    for (let left = events; left > 0; --left) source.put(0, 0, 0, 0);
    now += ms;
    source.take();
    return spaceIn(ring);
  };
  expect(spaceIn(ring)).toBe(1);
  const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  expect(doubled.map((events) => after(1, events))).toEqual([...doubled.slice(1), 1024]);
  expect(after(1, 1024)).toBe(1024);
  expect(after(100, 600)).toBe(300); // 6 in a millisecond
  expect(after(100, 200)).toBe(100);
  expect(after(1000, 10)).toBe(1); // the least
  expect(after(1, 1)).toBe(2);
});

test('a ring that has begun is gone on with where it is', () => {
  const ring = makeRing();
  ring.put(7, 0, 0, 0);
  const source = new RingSource(ring, kMost);
  source.put(8, 0, 0, 0);
  expect([source.count, source.version]).toEqual([2, 5]);
  expect([...(source.take()?.records ?? [])]).toEqual([7, 0, 0, 0, 8, 0, 0, 0]);
  expect(source.take()).toBeUndefined();
});

test('an interrupt takes what waits in the ring of a thread, and nothing while that is passed on', () => {
  const source = new RingSource(makeRing(), kMost);
  const recorder = instrumentedRecorder(source);
  const passed: number[] = [];
  let isPassing = false;
  recorder.passOn(({ records }) => {
    expect(isPassing).toBe(false);
    isPassing = true;
    passed.push(...[...records].filter((_, word) => word % 4 === 1));
    if (passed.length < 3) source.put(headOf(EventKind.mark, 1), passed.length, 0, 0);
    recorder.drainInterrupting();
    isPassing = false;
  });
  source.put(headOf(EventKind.mark, 1), 7, 0, 0);
  recorder.drainInterrupting();
  expect(passed).toEqual([7]);
  recorder.drainInterrupting();
  expect(passed).toEqual([7, 1]);
});

test('who asks for the past of what another listener was given hears first that it is missing', () => {
  const source = new RingSource(makeRing(), kMost);
  const recorder = instrumentedRecorder(source);
  recorder.passOn(() => {});
  const put = () => {
    source.put(headOf(EventKind.mark, 1), 7, 0, 0);
    recorder.drain();
  };
  for (let nth = 0; nth < 3; ++nth) put();
  const heard: number[][] = [];
  recorder.subscribe(({ from, records }) => heard.push([from, ...records]), { past: true });
  put();
  expect(heard).toEqual([
    [3, EventKind.eventsLost, 3, 0, 0],
    [3, headOf(EventKind.mark, 1), 7, 0, 0],
  ]);
});
