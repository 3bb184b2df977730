// A traced heap of JavaScript as a recorder: a real heap, followed by engines of viewers.

import { expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { type FeedOptions, startFeed } from '../../../web/src/live/feed.ts';
import { heapRecorder } from '../../../web/src/live/heap_recorder.ts';
import type { LiveRecorder } from '../../../web/src/live/live_recorder.ts';
import { append, openStream, told } from './live_program.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

async function makeHeap() {
  const heap = await createHeap({ trace: true });
  const blocks: number[] = [];
  return {
    heap,
    work(calls: number) {
      for (let call = 0; call < calls; ++call) {
        heap.deallocate(blocks[call % 7] ?? 0);
        blocks[call % 7] = heap.allocate(10 + (call % 50) * 20);
      }
    },
  };
}

/** An engine that follows the recorder. `hold`: what comes from now on is applied only by the function that it gives. */
async function follow(recorder: LiveRecorder, options: Partial<FeedOptions> = {}) {
  const engine = await openStream();
  let applied: Promise<void> | undefined;
  let renewals = 0;
  const feed = startFeed({
    recorder,
    async send(records) {
      await applied;
      await append(engine, records);
    },
    failed(error) {
      throw error;
    },
    ...options,
    ...(options.bound === undefined
      ? {}
      : {
          bound: {
            ...options.bound,
            async renew() {
              ++renewals;
              await engine.handle({ type: 'openStream', name: 'live' });
            },
          },
        }),
  });
  return {
    engine,
    feed,
    renewals: () => renewals,
    hold() {
      let release = () => {};
      applied = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

const isWhole = ({ heap }: Awaited<ReturnType<typeof makeHeap>>) => ({
  head: heap.eventCount,
  verifiedAt: heap.eventCount,
  mismatch: undefined,
  lost: 0,
});

test('behind the bound of events a feed begins anew with all of them, for the heap makes no snapshot', async () => {
  const made = await makeHeap();
  const followed = await follow(heapRecorder(made.heap), { bound: { mostEvents: 500, renew: turn } });
  for (let round = 0; round < 20; ++round) {
    made.work(100);
    followed.feed.refresh();
    await turn();
  }
  made.heap.prove();
  followed.feed.refresh();
  await expect.poll(() => told(followed.engine)).toMatchObject(isWhole(made));
  expect(followed.renewals()).toBeGreaterThan(1);
  followed.feed.stop();
});

test('two feeds that let go at different events each go on where they stood', async () => {
  const made = await makeHeap();
  const recorder = heapRecorder(made.heap);
  const one = await follow(recorder, { mostUnanswered: 1 });
  const other = await follow(recorder, { mostUnanswered: 1 });
  await expect.poll(() => told(other.engine).head).toBe(made.heap.eventCount);
  const releaseOther = other.hold();
  made.work(100);
  other.feed.refresh(); // both have it, and the other lets go
  await expect.poll(() => told(one.engine).head).toBe(made.heap.eventCount);
  const releaseOne = one.hold();
  made.work(100);
  one.feed.refresh();
  releaseOther();
  await expect.poll(() => told(other.engine).head).toBe(made.heap.eventCount);
  made.heap.prove();
  releaseOne();
  for (const { feed, engine } of [one, other]) {
    feed.refresh();
    await expect.poll(() => told(engine)).toMatchObject(isWhole(made));
    feed.stop();
  }
});

test('nothing follows a past that alone is beyond the bound until the engine has it', async () => {
  const made = await makeHeap();
  made.work(100);
  const sent: number[] = [];
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { feed } = await follow(heapRecorder(made.heap), {
    mostUnanswered: 1000,
    async send(records) {
      sent.push(records.byteLength / 16);
      await slow;
    },
  });
  const past = made.heap.eventCount;
  made.work(100);
  feed.refresh();
  expect(sent).toEqual([past]);
  answer();
  await expect.poll(() => sent).toEqual([past, made.heap.eventCount - past]);
  feed.stop();
});

test('a listener gets the events from the one that it names, each once, and none behind its end', async () => {
  const made = await makeHeap();
  const recorder = heapRecorder(made.heap);
  made.work(10);
  const from = made.heap.eventCount - 3;
  const got: (readonly [number, number])[] = [];
  const stop = recorder.subscribe((packet) => got.push([packet.from, packet.records.length / 4]), { from });
  recorder.drain();
  made.work(1);
  const { eventCount } = made.heap;
  recorder.drain();
  stop();
  made.work(1);
  recorder.drain();
  expect(got).toEqual([
    [from, 3],
    [from + 3, eventCount - from - 3],
  ]);
});

test('a proof takes nothing from the program: its own checkpoint is the one that it goes back to, and at rest nothing is written', async () => {
  const { heap } = await makeHeap();
  const block = heap.allocate(100);
  heap.u8[block] = 1;
  heap.checkpoint();
  heap.u8[block] = 2;
  const { engine, feed } = await follow(heapRecorder(heap));
  const heeded = async () => {
    feed.heed();
    await new Promise((resolve) => setTimeout(resolve, 60)); // feed.4
    return heap.eventCount;
  };
  await expect.poll(async () => (await heeded()) === told(engine).verifiedAt).toBe(true);
  const proven = heap.eventCount;
  for (let beat = 0; beat < 3; ++beat) expect(await heeded()).toBe(proven);
  heap.reset();
  expect(heap.u8[block]).toBe(1);
  feed.stop();
});
