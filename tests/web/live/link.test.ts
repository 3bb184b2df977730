import { expect, test, vi } from 'vitest';
import { answerGlasses, callProgram } from '../../../web/src/live/connect.ts';
import { startFeed } from '../../../web/src/live/feed.ts';
import { remoteRecorder, serveRecorder } from '../../../web/src/live/link.ts';
import type { LiveRecorder } from '../../../web/src/live/live_recorder.ts';
import { type Call, channelOf, isGreeting } from '../../../web/src/live/protocol.ts';
import { portWire } from '../../../web/src/live/wire.ts';
import { accounted, append, openStream, startProgram, told } from './live_program.ts';

const wait = { timeout: 30_000, interval: 5 };
const unexpected = (error: unknown) => {
  throw error;
};

test('a program is found by its name and followed over a channel; when it ends, the glass is told why', async () => {
  const program = await startProgram('lossless');
  const end = answerGlasses('a name', 'a title', program.recorder);
  const { name, recorder } = await callProgram('a name');
  expect(name).toBe('a title');
  const engine = await openStream();
  const feed = startFeed({ recorder, send: (records) => append(engine, records), failed: unexpected });
  program.work(10_000);
  await vi.waitFor(() => {
    feed.heed();
    expect(told(engine).verifiedAt ?? 0).toBeGreaterThan(50_000);
    expect(told(engine).verifiedAt).toBe(told(engine).head);
  }, wait);
  expect(told(engine)).toMatchObject({ mismatch: undefined, lost: 0 });

  const reasons: string[] = [];
  recorder.onend = (reason) => reasons.push(reason);
  end('the program is detached');
  await vi.waitFor(() => expect(reasons).toEqual(['the program is detached']), wait);
  feed.stop();
  recorder.close();
});

test('two glasses follow one program, each at its own pace, and one that leaves does not end the other', async () => {
  const program = await startProgram('lossless');
  const end = answerGlasses('shared', 'a title', program.recorder);
  const [one, other] = await Promise.all([callProgram('shared'), callProgram('shared')]);
  const engines = [await openStream(), await openStream()] as const;
  const follow = (at: 0 | 1, { recorder }: typeof one) =>
    startFeed({ recorder, send: (records) => append(engines[at], records), failed: unexpected });
  const feeds = [follow(0, one), follow(1, other)] as const;
  program.work(1000);
  await vi.waitFor(() => {
    feeds[0].heed();
    feeds[1].heed();
    for (const engine of engines) {
      expect(accounted(engine)).toBeGreaterThan(3000); // whoever is heard later begins with a snapshot
      expect(told(engine)).toMatchObject({ verifiedAt: told(engine).head, mismatch: undefined });
    }
  }, wait);
  feeds[0].stop();
  one.recorder.close();
  const before = told(engines[1]).head;
  program.work(1000);
  await vi.waitFor(() => {
    feeds[1].heed();
    expect(told(engines[1]).head).toBeGreaterThan(before + 3000);
  }, wait);
  feeds[1].stop();
  other.recorder.close();
  end('over');
});

test('glasses that call at once get a wire each', async () => {
  const opened = new Map<string, number>();
  const Channel = globalThis.BroadcastChannel;
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name);
        opened.set(name, (opened.get(name) ?? 0) + 1);
      }
    },
  );
  const program = await startProgram('lossless');
  const end = answerGlasses('many', 'a title', program.recorder);
  const glasses = await Promise.all(Array.from({ length: 8 }, () => callProgram('many')));
  const wires = [...opened].filter(([name]) => name.startsWith('heapglass-many-'));
  expect(wires.map(([, ends]) => ends)).toEqual(glasses.map(() => 2)); // the program's and one glass's
  for (const { recorder } of glasses) recorder.close();
  end('over');
  vi.unstubAllGlobals();
});

test('a program that nobody offers is not waited for forever', async () => {
  vi.useFakeTimers();
  const called = expect(callProgram('nobody')).rejects.toThrow('no program answers to “nobody”');
  await vi.advanceTimersByTimeAsync(11_000);
  await called;
  vi.useRealTimers();
});

test('a glass that calls again before it has the answer gets the same wire, and is one', async () => {
  const program = await startProgram('lossless');
  let joined = 0;
  const end = answerGlasses('asked twice', 'a title', program.recorder, { joined: () => ++joined });
  const channel = new BroadcastChannel(channelOf('asked twice'));
  const wires: unknown[] = [];
  channel.onmessage = ({ data }) => {
    if (isGreeting(data, 'asked twice')) wires.push(data.channel);
  };
  const call: Call = { heapglass: 'glass', id: 'asked twice', caller: 'me' };
  channel.postMessage(call);
  channel.postMessage(call);
  await vi.waitFor(() => expect(wires).toHaveLength(2), wait);
  expect(wires[0]).toBe(wires[1]);
  channel.postMessage({ ...call, caller: 'another' });
  await vi.waitFor(() => expect(wires).toHaveLength(3), wait);
  expect(wires[2]).not.toBe(wires[0]);
  expect(joined).toBe(2);
  channel.close();
  end('over');
});

test('who leaves a program costs it nothing more, and who comes again is heard again', async () => {
  const { port1, port2 } = new MessageChannel();
  const left: string[] = [];
  const subscribed: boolean[] = [];
  const served: LiveRecorder = {
    drain() {},
    checkpoint: () => left.push('asked'),
    subscribe(_, options) {
      subscribed.push(options?.past === true);
      return () => left.push('left');
    },
  };
  const end = serveRecorder(portWire(port1), served, () => left.push('gone'));
  const remote = remoteRecorder(portWire(port2));
  const stop = remote.subscribe(() => {}, { past: true });
  stop();
  stop();
  remote.checkpoint();
  await vi.waitFor(() => expect(left).toEqual(['left', 'asked']), wait);
  remote.subscribe(() => {});
  remote.close();
  await vi.waitFor(() => expect(left).toEqual(['left', 'asked', 'left', 'gone']), wait);
  expect(subscribed).toEqual([true, false]);
  end('over');
});
