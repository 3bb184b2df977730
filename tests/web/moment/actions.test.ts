// Play, the end and the places of a trace, by a real store: what each press does to the moment that is shown.

import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { type ActionsOptions, createActions } from '../../../web/src/moment/actions.ts';
import { createStore, kInitialState } from '../../../web/src/moment/state.ts';

/** A trace of 1,000 events, as far as the presses ask for it. */
function opened(cursor: number, running = false) {
  const store = createStore({ ...kInitialState, cursor: seq(cursor), playing: false, follow: false });
  const asked: string[] = [];
  const options: Pick<ActionsOptions, 'store' | 'chapters'> & Record<'session' | 'loop', object> = {
    store,
    session: { progress: () => ({ head: 1000, running }) },
    loop: { invalidate: () => asked.push('frame'), stood: () => asked.push('stood'), step: () => asked.push('step') },
    chapters: () => [0, 400, 800],
  };
  return { store, asked, actions: createActions(options as unknown as ActionsOptions) };
}
const momentOf = ({ store }: ReturnType<typeof opened>) => {
  const { cursor, playing, follow } = store.get();
  return { cursor, playing, follow };
};

test.each([
  [0, false, 0],
  [999, false, 999],
  [1000, false, 0], // there is nothing left
  [1000, true, 1000], // more will come
])('play at event %i, while the program runs: %s, goes on from %i', (cursor, running, from) => {
  const trace = opened(cursor, running);
  trace.actions.togglePlay();
  expect(momentOf(trace)).toEqual({ cursor: from, playing: true, follow: false });
  expect(trace.asked).toEqual(['frame']);
  trace.actions.togglePlay();
  expect(momentOf(trace)).toEqual({ cursor: from, playing: false, follow: false });
});

test('the end follows what comes, and any other place stands still', () => {
  const trace = opened(10);
  trace.actions.last();
  expect(momentOf(trace)).toEqual({ cursor: 10, playing: false, follow: true });
  trace.actions.first();
  expect(momentOf(trace)).toEqual({ cursor: 0, playing: false, follow: false });
  trace.actions.seek(12.6);
  expect(momentOf(trace)).toEqual({ cursor: 13, playing: false, follow: false });
  trace.actions.seek(-5);
  expect(momentOf(trace).cursor).toBe(0);
  trace.store.set({ playing: true, follow: true });
  trace.actions.step(1, 'event');
  expect(momentOf(trace)).toEqual({ cursor: 0, playing: false, follow: false });
  expect(trace.asked).toEqual(['frame', 'stood', 'stood', 'stood', 'step']);
});

test('bookmarks and chapters are places in one order', () => {
  const trace = opened(500);
  trace.actions.bookmark();
  trace.store.set({ cursor: seq(0) });
  const places = ([1, 1, 1, 1, -1, -1, -1] as const).map((by) => {
    trace.actions.toBookmark(by);
    return trace.store.get().cursor;
  });
  expect(places).toEqual([400, 500, 800, 800, 500, 400, 0]);
  trace.store.set({ cursor: seq(500) });
  trace.actions.bookmark();
  expect(trace.store.get().bookmarks).toEqual([]);
});
