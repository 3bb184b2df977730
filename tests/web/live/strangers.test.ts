// What a window, a channel or a port brings that is not the other end's: it is dropped, and nothing throws.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerGlasses, callProgram } from '../../../web/src/live/connect.ts';
import { remoteRecorder, serveRecorder } from '../../../web/src/live/link.ts';
import type { LiveRecorder } from '../../../web/src/live/live_recorder.ts';
import type { Wire } from '../../../web/src/live/wire.ts';

const kOrigin = 'https://mine.example';
const kWrong: readonly unknown[] = [
  undefined,
  null,
  0,
  'subscribe',
  [],
  {},
  { ask: 'subscribe' },
  { ask: 'subscribe', number: -1, past: true },
  { ask: 'subscribe', number: 1, past: 'yes' },
  { ask: 'stop', number: {} },
  { ask: 'constructor', number: 1 },
  { packet: null, number: 1 },
  { packet: { from: 0, records: [1, 2, 3, 4] }, number: 1 },
  { packet: { from: 0, records: new Uint32Array(3) }, number: 1 },
  { packet: { from: Number.NaN, records: new Uint32Array(4) }, number: 1 },
  { packet: { from: 0, records: new Uint32Array(4), repeated: -1 }, number: 1 },
  { packet: { from: 0, records: new Uint32Array(4) }, number: '1' },
  { ended: { toString: null } },
];

/** A window whose listeners get what a test says that came. */
class FakeWindow extends EventTarget {
  readonly opener = { postMessage: (data: unknown) => this.calls.push(data) };
  readonly calls: unknown[] = [];
  receive(fields: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { origin: kOrigin, ports: [], ...fields }));
  }
}
let page: FakeWindow;
beforeEach(() => {
  page = new FakeWindow();
  vi.stubGlobal('window', page);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const idle: LiveRecorder = { subscribe: () => () => {}, drain: () => {}, checkpoint: () => {} };
const caller = () =>
  ({ postMessage: vi.fn() }) as unknown as MessageEventSource & { postMessage: ReturnType<typeof vi.fn> };

test('a program answers the window that it opened, at the origin that it opened, and no other', () => {
  const mine = caller();
  const stranger = caller();
  const isGlass = (source: MessageEventSource, origin: string) => source === mine && origin === kOrigin;
  const end = answerGlasses('known', 'a title', idle, { isGlass });
  const call = { heapglass: 'glass', id: 'known', caller: 'c' };
  page.receive({ data: call, source: stranger });
  page.receive({ data: call, source: mine, origin: 'https://gone.elsewhere.example' });
  page.receive({ data: { ...call, id: 'other' }, source: mine });
  page.receive({ data: { ...call, caller: {} }, source: mine });
  for (const data of kWrong) page.receive({ data, source: mine });
  expect(stranger.postMessage).not.toHaveBeenCalled();
  expect(mine.postMessage).not.toHaveBeenCalled();
  page.receive({ data: call, source: mine });
  expect(mine.postMessage).toHaveBeenCalledTimes(1);
  end('over');
});

test('a program that opened no window answers none', () => {
  const any = caller();
  const end = answerGlasses('known', 'a title', idle);
  page.receive({ data: { heapglass: 'glass', id: 'known', caller: 'c' }, source: any });
  expect(any.postMessage).not.toHaveBeenCalled();
  end('over');
});

test('a glass takes the greeting of its opener to its own call, and no other', async () => {
  const joined = vi.fn();
  const connection = callProgram('known').then(joined);
  const greet = (source: unknown, fields: object = {}) => {
    const { port1 } = new MessageChannel();
    (port1 as unknown as { unref(): void }).unref(); // of Node
    const [call] = page.calls as { caller: string }[];
    const data = { heapglass: 'program', id: 'known', caller: call?.caller, name: 'a title', ...fields };
    page.receive({ data, source, ports: [port1] });
  };
  greet(caller());
  greet(null);
  greet(page.opener, { caller: 'another' });
  greet(page.opener, { id: 'another' });
  greet(page.opener, { name: { toString: null } });
  for (const data of kWrong) page.receive({ data, source: page.opener });
  await new Promise((done) => setTimeout(done, 20));
  expect(joined).not.toHaveBeenCalled();
  greet(page.opener);
  await connection;
  expect(joined).toHaveBeenCalledTimes(1);
});

test.each(kWrong.map((message, nth) => [nth, message] as const))(
  'message %i on a wire is dropped by both ends',
  (_, message) => {
    let toProgram: (message: unknown) => void = () => {};
    let toGlass: (message: unknown) => void = () => {};
    const wire = (listen: (listener: (message: unknown) => void) => void): Wire => ({ post() {}, listen, close() {} });
    const recorder = { subscribe: vi.fn(() => () => {}), drain: vi.fn(), checkpoint: vi.fn() };
    const gone = vi.fn();
    serveRecorder(
      wire((listener) => {
        toProgram = listener;
      }),
      recorder,
      gone,
    );
    const remote = remoteRecorder(
      wire((listener) => {
        toGlass = listener;
      }),
    );
    const packets = vi.fn();
    remote.subscribe(packets);
    remote.onend = packets;
    toProgram(message);
    toGlass(message);
    for (const called of [recorder.subscribe, recorder.drain, recorder.checkpoint, gone, packets])
      expect(called).not.toHaveBeenCalled();
  },
);

test('a program serves sixteen subscriptions of a glass at a time, and ends each', () => {
  let ask: (message: unknown) => void = () => {};
  let open = 0;
  const listen = (listener: (message: unknown) => void) => {
    ask = listener;
  };
  const subscribe = () => {
    open += 1;
    return () => {
      open -= 1;
    };
  };
  const end = serveRecorder({ post() {}, listen, close() {} }, { ...idle, subscribe }, () => {});
  for (let number = 0; number < 1000; ++number) ask({ ask: 'subscribe', number, past: true });
  expect(open).toBe(16);
  ask({ ask: 'subscribe', number: 3, past: true });
  ask({ ask: 'stop', number: 4 });
  expect(open).toBe(15);
  end('over');
  expect(open).toBe(0);
});

test('ids of calls and of wires are 128 bits each, and never the same', () => {
  const ids = new Set<string>();
  for (let i = 0; i < 50; ++i) {
    const over = new AbortController();
    callProgram('known', over.signal).catch(() => {});
    over.abort();
  }
  for (const call of page.calls as { caller: string }[]) ids.add(call.caller);
  expect(ids.size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
