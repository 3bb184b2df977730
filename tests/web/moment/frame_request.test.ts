// What a frame is asked to hold, by a real store, and frames of a real engine as the last ones: what changes seldom is asked for once.

import { expect, test } from 'vitest';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { createFrameRequest, wantsAnother } from '../../../web/src/moment/frame_request.ts';
import { createLastFrames } from '../../../web/src/moment/last_frames.ts';
import type { Session } from '../../../web/src/moment/session.ts';
import { createStore, kInitialState, type State } from '../../../web/src/moment/state.ts';
import { makeEngine, wanting } from '../engine/harness.ts';

function asking(given: Partial<State> = {}) {
  const store = createStore({ ...kInitialState, ...given });
  const frames = createLastFrames();
  const now = { head: seq(500), columns: 300 };
  const session = { progress: () => ({ head: now.head }) } as unknown as Session;
  const read: boolean[] = [];
  const { request, forget, forgetTimeline } = createFrameRequest({
    store,
    session,
    frames,
    map: () => ({ map: undefined }),
    parts(_, readable) {
      read.push(readable);
      return {};
    },
    columns: () => now.columns,
  });
  return { store, frames, now, read, request, forget, forgetTimeline };
}

test('the time line is asked for once, and again when its range, its width, the end or the proof is another', async () => {
  const { store, frames, now, request, forget, forgetTimeline } = asking();
  const whole = { from: 0, to: 'head', columns: 300 };
  const asked = () => request().timeline;
  expect([asked(), asked()]).toEqual([whole, undefined]);
  now.columns = 200;
  expect([asked(), asked()]).toEqual([{ ...whole, columns: 200 }, undefined]);
  now.head = seq(501);
  expect([asked(), asked()]).toEqual([{ ...whole, columns: 200 }, undefined]);
  store.set({ range: { from: 100, to: 400 } });
  expect([asked(), asked()]).toEqual([{ from: 100, to: 400, columns: 200 }, undefined]);
  store.set({ range: { from: 100, to: 300 } });
  expect(asked()).toEqual({ from: 100, to: 300, columns: 200 });
  const engine = makeEngine();
  await engine.run('burst_list');
  await engine.ask({ type: 'verify' }, 'verified');
  const frame = await engine.frame();
  expect(frame.status.verifiedAt).toBeGreaterThan(0);
  frames.take(frame);
  expect([asked(), asked()]).toEqual([{ from: 100, to: 300, columns: 200 }, undefined]);
  forgetTimeline();
  expect([asked(), asked()]).toEqual([{ from: 100, to: 300, columns: 200 }, undefined]);
  forget();
  expect(asked()).toBeDefined();
});

test('what is read while time stands still or is slow; faster, not in every frame', () => {
  const readable = (given: Partial<State>) => {
    const { request, read } = asking(given);
    request();
    request();
    return read;
  };
  expect(readable({ playing: false, speed: 1000 })).toEqual([true, true]);
  expect(readable({ playing: true, speed: 10 })).toEqual([true, true]);
  expect(readable({ playing: true, speed: 11 }).at(-1)).toBe(false);
});

test('another source is explained at once', () => {
  const { request, read, forget } = asking({ playing: true, speed: 1000 });
  request();
  request();
  forget();
  request();
  expect(read.slice(1)).toEqual([false, true]);
});

test('the heap and the colour are those of the state', () => {
  expect(asking({ heap: 7, colour: 'site' }).request()).toMatchObject({ heap: 7, colour: 'site' });
});

test('what is shown is asked for again when one of its choices changes, and not when another does', () => {
  const store = createStore({ ...kInitialState, playing: false });
  const asked: boolean[] = [];
  store.subscribe((state, before) => asked.push(wantsAnother(state, before)));
  const shown: readonly Partial<State>[] = [
    { heap: 3 },
    { bin: 2 },
    { pool: 4 },
    { selected: addr(64) },
    { place: { origin: addr(0), bytesPerRow: bytes(64) } },
    { colour: 'site' },
    { libraries: true },
    { range: { from: 1, to: 9 } },
    { since: 4 },
    { playing: true },
    { follow: true },
    { tab: 'sizes' },
  ];
  for (const patch of shown) store.set(patch);
  expect(asked).toEqual(shown.map(() => true));
  asked.length = 0;
  for (const patch of [{ theme: 'light' }, { shortcuts: false }, { bookmarks: [5] }] as const) store.set(patch);
  expect(asked).toEqual([false, false, false]);
});

test('of a frame without a part or a time line the last one stays; an empty part takes its place; of another source none is left', async () => {
  const engine = makeEngine();
  await engine.run('burst_list');
  const frames = createLastFrames();
  const whole = await engine.frame({
    ...wanting({ lists: {}, explain: true }),
    timeline: { from: seq(0), to: 'head', columns: 50 },
  });
  frames.take(whole);
  const bare = await engine.frame({});
  frames.take(bare);
  expect([frames.frame(), frames.timeline()]).toEqual([bare, whole.timeline]);
  expect(frames.parts()).toEqual(whole.parts);
  const [first = '', ...others] = Object.keys(whole.parts);
  expect(others.length).toBeGreaterThan(0);
  frames.take({ ...bare, parts: { [first]: undefined } });
  expect(frames.parts()).toEqual({ ...whole.parts, [first]: undefined });
  frames.forget();
  expect(frames.parts()).toEqual({});
});
