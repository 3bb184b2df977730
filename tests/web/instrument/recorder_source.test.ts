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

/** Puts what `next` gives, up to `most` events, until they are to be taken; how many. */
function fill(ring: ReturnType<typeof makeRing>, source: RingSource, most = kMost + 1, next = () => 0): number {
  for (let put = 0; put < most; ++put) {
    if (spaceIn(ring) === 0 && source.isToBeTaken()) return put;
    expect(spaceIn(ring)).toBeGreaterThan(0);
    source.put(next(), 1, 2, 3);
  }
  return most;
}

test('events are taken once, in their order, however many wait', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const ring = makeRing();
  const source = new RingSource(ring, kMost);
  const { below } = createRandom(3);
  const found: number[] = [];
  let put = 0;
  for (let turn = 0; turn < 200; ++turn) {
    fill(ring, source, below(100), () => put++);
    now += below(10);
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
  /** How many may wait while the clock stands still, behind so many events in so many milliseconds. */
  const after = (ms: number, events: number) => {
    expect(fill(ring, source, events)).toBe(events);
    now += ms;
    source.take();
    const most = fill(ring, source);
    now += ms;
    source.take();
    return most;
  };
  const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024];
  const found = doubled.map(() => {
    const most = fill(ring, source);
    now += 1;
    source.take();
    return most;
  });
  expect(found).toEqual(doubled);
  expect(after(100, 600)).toBe(300); // 6 in a millisecond
  expect(after(100, 100)).toBe(50);
  expect(after(1000, 10)).toBe(1); // the least
});

test('what has waited for a twentieth of a second is taken at the next look, a 256th of a batch later', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const ring = makeRing();
  const source = new RingSource(ring, kMost);
  for (let turn = 0; turn < 12; ++turn) {
    fill(ring, source);
    now += 1;
    source.take();
  }
  fill(ring, source, 768);
  now += 50;
  source.take(); // so 768 are the next batch
  let waiting = 0;
  for (; spaceIn(ring) > 0 || !source.isToBeTaken(); ++waiting) {
    source.put(0, 0, 0, 0);
    now += 15; // at a 230th of the pace
  }
  expect(waiting).toBe(6); // looks are at 3 and 6 events, 45 and 90 milliseconds
  expect(source.take()?.records).toHaveLength(6 * 4);
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

test('what was not written is said behind what was, once, and alone where nothing was', () => {
  const lost = { value: 0 };
  const ring = { ...makeRing(), lost };
  const source = new RingSource(ring, kMost);
  source.put(7, 0, 0, 0);
  lost.value = 3;
  expect([...(source.take()?.records ?? [])]).toEqual([7, 0, 0, 0, headOf(EventKind.eventsLost, 0), 3, 0, 0]);
  expect(source.take()).toBeUndefined();
  lost.value = 2;
  expect([...(source.take()?.records ?? [])]).toEqual([headOf(EventKind.eventsLost, 0), 2, 0, 0]);
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
