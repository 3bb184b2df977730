// Sources that are asked for while another one is on its way, with a real store and real actions; a session that says what runs.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Seq, seq } from '../../../web/src/base/brand.ts';
import { type ActionsOptions, createActions } from '../../../web/src/moment/actions.ts';
import { createHandMade } from '../../../web/src/moment/hand_made.ts';
import type { LoadedSource, Session } from '../../../web/src/moment/session.ts';
import { createSources, type SourcesOptions } from '../../../web/src/moment/sources.ts';
import { createStore, kInitialState } from '../../../web/src/moment/state.ts';
import { writeHash } from '../../../web/src/moment/url.ts';
import { scenarioOf } from '../engine/harness.ts';

beforeAll(() => {
  globalThis.cancelAnimationFrame = () => {};
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'cancelAnimationFrame');
});

/** `head`: the events that can be read of what is opened. */
function makePage(head = 1, first: Promise<Seq | undefined> = Promise.resolve(seq(42))) {
  const store = createStore(kInitialState);
  const ran: string[] = [];
  const forgotten: string[] = [];
  const messages: string[] = [];
  let loaded: LoadedSource | undefined;
  const nameOf = (source: LoadedSource) => ('name' in source ? source.name : source.id);
  const session = {
    loaded: () => loaded,
    heed: () => false,
    progress: () => ({ head: seq(head), running: false }),
    firstMoment: () => first,
    async run(next: LoadedSource) {
      loaded = next;
      ran.push(nameOf(next));
    },
  } as unknown as Session;
  const notice = { show: (message: string) => messages.push(message), clear() {} };
  const handMade = createHandMade();
  const loop = { invalidate() {}, stood() {} } as unknown as ActionsOptions['loop'];
  const actions = createActions({ store, session, loop, notice, handMade, frame: () => undefined, chapters: () => [] });
  const options: SourcesOptions = {
    ...{ store, session, actions, notice, handMade },
    scenarios: () => [scenarioOf('sqlite', function* () {}).info],
    panels: [],
    first: undefined,
    keeps: true,
    invalidate() {},
  };
  const sources = createSources(options);
  sources.connect((source) => forgotten.push(nameOf(source)));
  return { store, ran, forgotten, messages, sources };
}

const kFile = new Blob(['heap']);
const kLink = 'data:application/octet-stream;base64,aGVhcA==';

test('of two files that are opened one behind the other the newer is shown, and the older not even begun', async () => {
  const { store, ran, forgotten, sources } = makePage();
  await Promise.all([sources.openOwn('first.hgtrace', kFile), sources.openOwn('second.hgtrace', kFile)]);
  expect([ran, forgotten]).toEqual([['second.hgtrace'], ['second.hgtrace']]);
  expect(store.get().source).toMatchObject({ kind: 'trace', name: 'second.hgtrace' });
});

test('a file that is still being kept does not replace what was chosen meanwhile', async () => {
  const { ran, sources } = makePage();
  const opening = sources.openOwn('own.hgtrace', kFile);
  sources.open({ kind: 'scenario', id: 'burst_list', seed: 1 });
  await opening;
  expect(ran).toEqual(['burst_list']);
});

test('a trace that a link names and that is found late is not opened behind a file of the visitor', async () => {
  const { store, ran, sources } = makePage();
  const going = sources.goTo({ source: { kind: 'trace', name: 'late.hgtrace', address: kLink }, cursor: seq(7) });
  await Promise.all([going, sources.openOwn('own.hgtrace', kFile)]);
  expect(ran).toEqual(['own.hgtrace']);
  await sources.goTo({ source: { kind: 'trace', name: 'late.hgtrace', address: kLink }, cursor: seq(7) });
  expect([ran.at(-1), store.get().cursor]).toEqual(['late.hgtrace', 7]);
});

test('an own file is shown at its end and asked what leaked, unless the visitor has asked already', async () => {
  const { store, sources } = makePage(8);
  await sources.openOwn('own.hgtrace', kFile);
  expect(store.get()).toMatchObject({
    asking: { question: { ask: 'leaked' }, at: 8 },
    playing: false,
    follow: true,
  });
  const opening = sources.openOwn('other.hgtrace', kFile);
  const asked = { question: { ask: 'grew' }, at: 3 } as const;
  const stop = store.subscribe(({ source }) => {
    if (source.kind !== 'trace' || source.name !== 'other.hgtrace') return;
    stop();
    store.set({ asking: asked });
  });
  await opening;
  expect(store.get().asking).toEqual(asked);
});

test('one of which nothing can be read is asked nothing', async () => {
  const { store, sources } = makePage(0);
  await sources.openOwn('own.hgtrace', kFile);
  expect(store.get().asking).toBeUndefined();
});

const kGrew = { question: { ask: 'grew' }, at: 42 };

test('an address without a moment is shown where the engine finds the first one, and that moment has no other address', async () => {
  const { store, ran, sources } = makePage();
  await sources.goTo({});
  expect(ran).toEqual(['sqlite']);
  expect(store.get()).toMatchObject({ cursor: 42, asking: kGrew, playing: false, follow: false });
  expect(writeHash(store.get(), [])).toBe('');
  store.set({ cursor: seq(43) });
  expect(writeHash(store.get(), [])).toBe('#scenario=sqlite&event=43&ask=grew&asked=42');
  await sources.goTo({ source: { kind: 'scenario', id: 'sqlite', seed: 1 }, cursor: seq(7) });
  expect(writeHash(store.get(), [])).toBe('#scenario=sqlite');
  await sources.goTo({ tab: 'sizes' });
  expect(store.get()).toMatchObject({ cursor: 42, asking: kGrew, tab: 'sizes' });
  expect(ran).toEqual(['sqlite']);
});

test('who goes elsewhere before the first moment is found stays there, and it has its address all the same', async () => {
  let find: (moment: Seq) => void = () => {};
  const { store, sources } = makePage(1, new Promise((found) => (find = found)));
  const going = sources.goTo({});
  store.set({ cursor: seq(3) });
  find(seq(42));
  await going;
  expect(store.get()).toMatchObject({ cursor: 3, asking: undefined });
  expect(store.get().first).toEqual({ cursor: 42, asking: kGrew });
});

test('a program that has no such moment is shown at its end', async () => {
  const { store, sources } = makePage(1, Promise.resolve(undefined));
  await sources.goTo({});
  expect(store.get()).toMatchObject({ follow: true, first: undefined });
});

test('a file that cannot be fetched is reported, and what is shown stays', async () => {
  const { ran, messages, sources } = makePage();
  await sources.goTo({ source: { kind: 'trace', name: 'gone', address: 'data:no comma' } });
  expect([ran, messages.length]).toEqual([[], 1]);
  expect(messages[0]).toContain('data:no comma cannot be fetched');
});
