// The numbers on the questions, with a real store and a real engine: asked for once nothing moves, dropped when another moment is shown.

import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { createStanding } from '../../../web/src/moment/standing.ts';
import { createStore, kInitialState } from '../../../web/src/moment/state.ts';
import type { Question } from '../../../web/src/protocol/answers.ts';
import { makeEngine } from '../engine/harness.ts';

async function open(event: number) {
  const engine = makeEngine();
  await engine.run('mixed_load');
  const store = createStore({ ...kInitialState, playing: false });
  const asked: (readonly [Question, number])[] = [];
  const page = { event, moves: false, onAsk: () => {} };
  const standing = createStanding({
    store,
    async number(question, at, heap) {
      asked.push([question, at]);
      page.onAsk();
      return (await engine.ask({ type: 'standing', question, at: seq(at), heap }, 'standing')).number;
    },
    shown: () => page.event,
    isMoving: () => page.moves || store.get().playing,
  });
  const show = (at: number) => {
    page.event = at;
    standing.shown();
  };
  const answered = () => expect.poll(() => !standing.isBusy() && standing.now().isNow).toBe(true);
  return { engine, store, standing, asked, page, show, answered };
}

test('a moment that stands gets its five numbers, once', async () => {
  const { standing, asked, show, answered } = await open(60_000);
  expect(standing.now()).toMatchObject({ numbers: {}, isNow: false });
  show(60_000);
  await answered();
  expect(asked.map(([{ ask }, at]) => [ask, at])).toEqual(
    ['holds', 'leaked', 'grew', 'fits', 'pins'].map((ask) => [ask, 60_000]),
  );
  expect(Object.values(standing.now().numbers).every((number) => /\d|nothing|no hole|by size/.test(number))).toBe(true);
  show(60_000); // another frame of the same moment
  expect(standing.isBusy()).toBe(false);
  standing.dispose();
});

test('another moment shows the numbers of before as such, and what was on its way is dropped', async () => {
  const { standing, asked, page, show, answered } = await open(60_000);
  show(60_000);
  await answered();
  const before = standing.now().numbers;
  page.onAsk = () => {
    if (asked.length === 7) show(2000); // while the second of five is answered
  };
  show(200_000);
  expect(standing.now()).toMatchObject({ numbers: before, isNow: false });
  await expect.poll(() => asked.length).toBe(12);
  await answered();
  expect(asked.filter(([, at]) => at === 200_000)).toHaveLength(2);
  expect(asked.filter(([, at]) => at === 2000)).toHaveLength(5);
  expect(standing.now().numbers).not.toEqual(before);
  standing.dispose();
});

test('while the page plays nothing is asked, and when it stands again all is', async () => {
  const { store, standing, asked, show, answered } = await open(60_000);
  store.set({ playing: true });
  show(60_000);
  await expect.poll(() => standing.isBusy()).toBe(false); // it looked, and left it
  expect(asked).toEqual([]);
  store.set({ playing: false });
  await answered();
  expect(asked).toHaveLength(5);
  standing.dispose();
});

test('the size that was asked about last is the one that the button asks about', async () => {
  const { store, standing, asked, show, answered } = await open(60_000);
  show(60_000);
  await answered();
  expect(standing.now().numbers.fits).toMatch(/^≤ /);
  store.set({ asking: { question: { ask: 'fits', bytes: 65_536 }, at: 60_000 } });
  await answered();
  expect(standing.now().questions).toContainEqual({ ask: 'fits', bytes: 65_536 });
  expect(standing.now().numbers.fits).toMatch(/^(yes|no|perhaps)$/);
  store.set({ asking: undefined });
  show(70_000);
  await answered();
  expect(asked.at(-2)).toEqual([{ ask: 'fits', bytes: 65_536 }, 70_000]);
  standing.dispose();
});

test('a trace that is replaced takes its numbers along', async () => {
  const { standing, show, answered } = await open(60_000);
  show(60_000);
  await answered();
  standing.forget();
  expect(standing.now()).toMatchObject({ numbers: {}, isNow: false });
  show(60_000);
  await answered();
  standing.dispose();
});
