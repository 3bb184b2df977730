// The question that is open, with a real store, real travel and a real engine, whose answers come when the test lets them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { createAsking } from '../../../web/src/moment/asking.ts';
import { createStore, kInitialState } from '../../../web/src/moment/state.ts';
import { createTravel } from '../../../web/src/moment/travel.ts';
import type { Question, ShownAnswer } from '../../../web/src/protocol/answers.ts';
import { makeEngine } from '../engine/harness.ts';

const frames: ((now: number) => void)[] = [];
const mixed = makeEngine();

beforeAll(async () => {
  await mixed.run('mixed_load');
  globalThis.requestAnimationFrame = (beat) => frames.push(beat);
  globalThis.cancelAnimationFrame = () => {
    frames.length = 0;
  };
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
  Reflect.deleteProperty(globalThis, 'cancelAnimationFrame');
});

async function answerOf(engine: typeof mixed, question: Question, at: number, heap: number): Promise<ShownAnswer> {
  return (await engine.ask({ type: 'answer', question, at: seq(at), heap }, 'answered')).answer;
}

function open({ still = true, head = Number.POSITIVE_INFINITY } = {}) {
  const store = createStore({ ...kInitialState, playing: false, cursor: seq(60_000) });
  const page = { event: 60_000 as number | undefined, head, engine: mixed };
  const asked: (readonly [string, number])[] = [];
  const due: { readonly come: () => void; readonly known: Promise<ShownAnswer> }[] = []; // answers on their way
  const failures: unknown[] = [];
  const performed: ShownAnswer[] = [];
  let changes = 0;
  const travel = createTravel({ store, shown: () => page.event, moved() {}, still: () => still });
  const asking = createAsking({
    store,
    ask(question: Question, at, heap) {
      asked.push([question.ask, at]);
      let come = () => {};
      const comes = new Promise<void>((resolve) => {
        come = resolve;
      });
      const known = comes.then(() => answerOf(page.engine, question, at, heap));
      due.push({ come, known });
      return known;
    },
    shown: () => page.event,
    reaches: (event) => event <= page.head,
    travel,
    failed: (error) => failures.push(error),
  });
  asking.connect(
    () => ++changes,
    (answer) => performed.push(answer),
  );
  /** The nth answer comes, or fails. */
  async function come(nth: number): Promise<void> {
    due[nth]?.come();
    await due[nth]?.known.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { store, page, asked, failures, performed, travel, asking, come, changes: () => changes };
}

test('what the visitor asks is answered at the moment that is shown, and the page goes to its cause', async () => {
  const { store, asking, asked, come, performed } = open();
  store.set({ playing: true, follow: true });
  asking.ask({ ask: 'grew' });
  expect(store.get()).toMatchObject({
    playing: false,
    follow: false,
    asking: { question: { ask: 'grew' }, at: 60_000 },
  });
  await come(0);
  expect(asked).toEqual([['grew', 60_000]]);
  expect(asking.answer()?.ask).toBe('grew');
  expect(performed).toEqual([asking.answer()]);
  expect(store.get().cursor).toBe(asking.answer()?.evidence.event);
  expect(store.get().cursor).toBeLessThan(60_000);
  asking.dispose();
});

test('the answer of an older question is dropped, also where it comes last, and where the question was closed', async () => {
  const { asking, come, performed } = open();
  asking.ask({ ask: 'holds' });
  asking.ask({ ask: 'pins' });
  await come(1);
  expect(asking.answer()?.ask).toBe('pins');
  await come(0);
  expect(asking.answer()?.ask).toBe('pins');
  expect(performed.map(({ ask }) => ask)).toEqual(['pins']);
  asking.ask({ ask: 'leaked' });
  asking.close();
  await come(2);
  expect(asking.answer()).toBeUndefined();
  asking.dispose();
});

test('at rest at another moment the question is asked again, and no cause is gone to; a growth keeps its moment', async () => {
  const { store, page, asking, asked, come, performed } = open();
  asking.ask({ ask: 'holds' });
  await come(0);
  page.event = 2000;
  asking.shown();
  expect(asking.isBusy()).toBe(true);
  await expect.poll(() => asked.length).toBe(2);
  expect(asking.isBusy()).toBe(false);
  await come(1);
  expect(asked[1]).toEqual(['holds', 2000]);
  expect(asking.answer()?.event).toBe(2000);
  expect(performed).toHaveLength(1);
  expect(store.get().cursor).not.toBe(2000); // only the visitor moves it
  asking.ask({ ask: 'grew' });
  await come(2);
  page.event = 60_000;
  asking.shown();
  await expect.poll(() => asking.isBusy()).toBe(false);
  expect(asked).toHaveLength(3);
  asking.dispose();
});

test('while it plays nothing is asked again', async () => {
  const { store, page, asking, asked, come } = open();
  asking.ask({ ask: 'holds' });
  await come(0);
  store.set({ playing: true });
  page.event = 3000;
  asking.shown();
  await expect.poll(() => asking.isBusy()).toBe(false);
  expect(asked).toHaveLength(1);
  asking.dispose();
});

test("a link's question waits until the trace has come to its moment", () => {
  const { store, page, asking, asked } = open({ head: 10_000 });
  store.set({ asking: { question: { ask: 'holds' }, at: 60_000 } });
  asking.shown();
  expect(asked).toEqual([]);
  page.head = 60_000;
  asking.shown();
  expect(asked).toEqual([['holds', 60_000]]);
  asking.dispose();
});

test('what was answered while more was read is asked once more when all is, and the page goes nowhere for it', async () => {
  const { store, page, asking, asked, performed, come } = open({ head: 60_000 });
  store.set({ asking: { question: { ask: 'grew' }, at: 60_000 } });
  await come(0);
  asking.shown();
  expect(asked).toHaveLength(1);
  page.head = Number.POSITIVE_INFINITY;
  asking.shown();
  await come(1);
  asking.shown();
  expect(asked).toEqual([
    ['grew', 60_000],
    ['grew', 60_000],
  ]);
  expect(performed).toEqual([]);
  asking.dispose();
});

test('a question that fails has no answer, and says why; with nothing shown nothing is asked', async () => {
  const { page, asking, asked, failures, come } = open();
  asking.ask({ ask: 'holds' });
  await come(0);
  page.engine = makeEngine(); // nothing is open there
  asking.ask({ ask: 'pins' });
  await come(1);
  expect(failures).toHaveLength(1);
  expect(asking.answer()).toBeUndefined();
  page.event = undefined;
  asking.ask({ ask: 'leaked' });
  expect(asked).toHaveLength(2);
  asking.dispose();
});

test('behind the end, and for another source, nothing of an answer is left', async () => {
  const { asking, come, changes } = open();
  asking.ask({ ask: 'holds' });
  await come(0);
  asking.forget();
  expect(asking.answer()).toBeUndefined();
  asking.ask({ ask: 'pins' });
  const before = changes();
  asking.dispose();
  await come(1);
  expect([asking.answer(), changes()]).toEqual([undefined, before]);
});

test('travel comes to its event in some steps, slower at the end, and ends where the visitor goes elsewhere', () => {
  const { store, travel } = open({ still: false });
  const begun = performance.now();
  const beat = (ms: number) => {
    for (const step of frames.splice(0)) step(begun + ms);
  };
  travel.to(1060_000);
  const stood: number[] = [];
  for (const ms of [300, 600, 900]) {
    beat(ms);
    stood.push(store.get().cursor);
  }
  expect(travel.isUnderWay()).toBe(true);
  const steps = stood.map((at, nth) => at - (stood[nth - 1] ?? 60_000));
  expect(steps[0]).toBeGreaterThan(steps[1] ?? 0);
  expect(steps[1]).toBeGreaterThan(steps[2] ?? 0);
  expect(steps[2]).toBeGreaterThan(0);
  beat(5000);
  expect([store.get().cursor, travel.isUnderWay(), frames.length]).toEqual([1060_000, false, 0]);
  travel.to(60_000, 1060_000);
  beat(100);
  store.set({ cursor: seq(7) });
  beat(200);
  expect([store.get().cursor, travel.isUnderWay()]).toEqual([7, false]);
  travel.to(60_000); // it is shown
  expect(travel.isUnderWay()).toBe(false);
});
