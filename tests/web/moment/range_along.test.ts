import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { keepRangeAlong } from '../../../web/src/moment/range_along.ts';
import { createStore, kInitialState } from '../../../web/src/moment/state.ts';

const kHead = 267_957;

function opened() {
  const store = createStore({ ...kInitialState, cursor: seq(239_635), range: { from: 78_469, to: 177_045 } });
  return { store, end: keepRangeAlong(store, () => kHead) };
}

test('a moment outside of its stretch stays outside until it moves, and then the stretch holds it', () => {
  const { store } = opened();
  store.set({ bin: 3 });
  expect(store.get().range).toEqual({ from: 78_469, to: 177_045 });
  store.set({ cursor: seq(239_636) });
  expect(store.get().range).toEqual({ from: kHead - 98_576, to: kHead });
  store.set({ cursor: seq(5) });
  expect(store.get().range).toEqual({ from: 0, to: 98_576 });
  store.set({ cursor: seq(98_576) });
  expect(store.get().range).toEqual({ from: 0, to: 98_576 });
  store.set({ cursor: seq(98_577) });
  expect(store.get().range).toEqual({ from: 49_289, to: 147_865 });
});

test('a stretch that is chosen, alone or with a moment, stays as it is', () => {
  const { store, end } = opened();
  store.set({ range: { from: 10, to: 20 } });
  expect(store.get().range).toEqual({ from: 10, to: 20 });
  store.set({ range: { from: 30, to: 40 }, cursor: seq(7) });
  expect(store.get().range).toEqual({ from: 30, to: 40 });
  store.set({ range: undefined, cursor: seq(9) });
  expect(store.get().range).toBeUndefined();
  end();
  store.set({ range: { from: 30, to: 40 } });
  store.set({ cursor: seq(7) });
  expect(store.get().range).toEqual({ from: 30, to: 40 });
});
