import { expect, test } from 'vitest';
import { createStore, kInitialState } from '../../../web/src/moment/state.ts';

test('a patch that changes nothing tells nobody', () => {
  const store = createStore(kInitialState);
  let told = 0;
  store.subscribe(() => told++);
  store.set({ bin: undefined, speed: kInitialState.speed });
  expect(told).toBe(0);
  store.set({ bin: 4 });
  expect(told).toBe(1);
});

test('a listener sees the state before and after', () => {
  const store = createStore(kInitialState);
  const seen: (number | undefined)[] = [];
  store.subscribe((state, before) => seen.push(before.bin, state.bin, store.get().bin));
  store.set({ bin: 4 });
  expect(seen).toEqual([undefined, 4, 4]);
});

test('who has unsubscribed hears nothing', () => {
  const store = createStore(kInitialState);
  let told = 0;
  const stop = store.subscribe(() => told++);
  stop();
  store.set({ bin: 4 });
  expect(told).toBe(0);
});
