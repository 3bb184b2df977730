// Answers that come late: the loop with a real store, an engine that answers when the test says so, and timers as screen frames.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { createFrameLoop } from '../../../web/src/moment/frame_loop.ts';
import { createStore, kInitialState, type State } from '../../../web/src/moment/state.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';

const kHead = seq(1000);

beforeAll(() => {
  globalThis.requestAnimationFrame = (beat) => Number(setTimeout(() => beat(performance.now()), 1));
  globalThis.cancelAnimationFrame = (due) => clearTimeout(due);
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
  Reflect.deleteProperty(globalThis, 'cancelAnimationFrame');
});

/** A story that plays. `asked` has the answers that are awaited; `shown` the events of the frames shown. */
function play(given: Partial<State> = { playing: true }, source = { head: kHead, running: false }) {
  const store = createStore({ ...kInitialState, speed: 10_000, ...given });
  const asked: ((event: number) => void)[] = [];
  const shown: number[] = [];
  const loop = createFrameLoop({
    stirred() {},
    store,
    ask: () =>
      new Promise((resolve) => {
        asked.push((event) => resolve({ status: { seq: seq(event), head: source.head } } as Frame));
      }),
    ready: () => true,
    head: () => source.head,
    running: () => source.running,
  });
  loop.connect({
    request: () => ({ map: undefined, heap: 0, parts: {}, timeline: undefined }),
    show: (frame) => shown.push(frame.status.seq),
    failed: (error) => {
      throw error;
    },
  });
  loop.invalidate();
  return { store, loop, asked, shown };
}

it('an answer moves the cursor', async () => {
  const { store, loop, asked, shown } = play();
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.(7);
  await expect.poll(() => shown).toEqual([7]);
  expect(store.get().cursor).toBe(7);
  loop.dispose();
});

it('an answer on its way does not move a cursor that was put where it stood', async () => {
  const { store, loop, asked, shown } = play();
  await expect.poll(() => asked.length).toBe(1);
  store.set({ cursor: seq(0), playing: false }); // Home, at the first event
  loop.stood();
  asked[0]?.(7);
  await expect.poll(() => shown).toEqual([7]);
  expect(store.get().cursor).toBe(0);
  await expect.poll(() => asked.length).toBe(2); // what is shown is asked for anew
  loop.dispose();
});

it('an answer of the story before is not shown', async () => {
  const { store, loop, asked, shown } = play();
  await expect.poll(() => asked.length).toBe(1);
  loop.forget();
  loop.invalidate();
  asked[0]?.(7);
  await expect.poll(() => asked.length).toBe(2);
  expect([shown, store.get().cursor]).toEqual([[], 0]);
  asked[1]?.(3);
  await expect.poll(() => shown).toEqual([3]);
  loop.dispose();
});

it('a moment ahead of a source that runs is waited for: one frame shows that something comes, then only the moment', async () => {
  const source = { head: seq(10), running: true };
  const { store, loop, asked, shown } = play({ playing: false, cursor: seq(500) }, source);
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.(10);
  await expect.poll(() => shown).toEqual([10]);
  expect(store.get().cursor).toBe(500);
  for (const head of [100, 200, 499]) {
    source.head = seq(head);
    loop.invalidate(); // the source's progress
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  expect(asked).toHaveLength(1);
  source.head = seq(700);
  loop.invalidate();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.(500);
  await expect.poll(() => shown).toEqual([10, 500]);
  loop.dispose();
});

it('an answer that fails is said once, and not for the program before', async () => {
  const store = createStore({ ...kInitialState, playing: false });
  const asked: ((reason: Error) => void)[] = [];
  const said: unknown[] = [];
  const loop = createFrameLoop({
    stirred() {},
    store,
    ask: () => new Promise((_, reject) => asked.push(reject)),
    ready: () => true,
    head: () => kHead,
    running: () => false,
  });
  loop.connect({
    request: () => ({ map: undefined, heap: 0, parts: {}, timeline: undefined }),
    show() {},
    failed: (error) => said.push(error),
  });
  loop.invalidate();
  await expect.poll(() => asked.length).toBe(1);
  const failure = new Error('no frame');
  asked[0]?.(failure);
  await expect.poll(() => said).toEqual([failure]);
  loop.invalidate();
  await expect.poll(() => asked.length).toBe(2);
  loop.forget();
  loop.invalidate();
  asked[1]?.(new Error('of the program before'));
  await expect.poll(() => asked.length).toBe(3);
  expect(said).toEqual([failure]);
  loop.dispose();
});
