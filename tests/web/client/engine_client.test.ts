// The client over a real MessageChannel; the test itself is the partner at the other end and decides when to answer.

import { afterEach, describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { createEngineClient, EngineError, type EnginePort } from '../../../web/src/client/engine_client.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';
import type { FrameRequest, Note, Reply, RequestMessage } from '../../../web/src/protocol/messages.ts';
import { kNothing } from '../engine/no_frame_parts.ts';

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

function connect(patienceMs?: number) {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const asked: RequestMessage[] = [];
  const notes: Note[] = [];
  const gone: string[] = [];
  const waiting: (() => void)[] = [];
  port2.addEventListener('message', (event) => {
    asked.push(event.data as RequestMessage);
    for (const wake of waiting.splice(0)) wake();
  });
  port1.start();
  port2.start();
  const client = createEngineClient(
    port1 as unknown as EnginePort,
    { note: (note) => notes.push(note), gone: (message) => gone.push(message) },
    patienceMs === undefined ? {} : { patienceMs },
  );
  return {
    client,
    asked,
    notes,
    gone,
    port1,
    send: (message: unknown) => port2.postMessage(message),
    answer: (id: number, reply: Reply) => port2.postMessage({ id, reply }),
    /** The n-th message the engine got. */
    async request(index: number): Promise<RequestMessage> {
      while (asked[index] === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
      return asked[index];
    },
  };
}

const frameAt = (cursor: number): FrameRequest => ({ ...kNothing, at: { to: 'seq', seq: seq(cursor) } });
const seqOf = (message: RequestMessage): number | undefined =>
  message.request.type === 'frame' && message.request.frame.at.to === 'seq' ? message.request.frame.at.seq : undefined;
const aFrame = (cursor: number): Reply => ({
  type: 'frame',
  frame: { status: { seq: seq(cursor) } } as unknown as Frame,
});

describe('requests', () => {
  test('each gets its own reply, whatever the order of the answers', async () => {
    const wire = connect();
    const first = wire.client.request({ type: 'scenarios' });
    const second = wire.client.request({ type: 'verify' });
    const [one, two] = [await wire.request(0), await wire.request(1)];
    wire.answer(two.id, { type: 'verified', at: seq(5), mismatch: undefined });
    wire.answer(one.id, { type: 'scenarios', scenarios: [] });
    expect((await second).at).toBe(5);
    expect((await first).scenarios).toEqual([]);
  });

  test("a failed one rejects with the engine's words, and the engine is not gone", async () => {
    const wire = connect();
    const asked = wire.client.request({ type: 'verify' });
    wire.answer((await wire.request(0)).id, { type: 'failed', message: 'no module is attached' });
    const error = await asked.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ message: 'no module is attached', gone: false });
  });

  test('a buffer that is transferred is given away', async () => {
    const wire = connect();
    const text = new ArrayBuffer(8);
    const asked = wire.client.request({ type: 'runWordIndex', text }, [text]);
    expect(text.byteLength).toBe(0);
    wire.answer((await wire.request(0)).id, { type: 'started' });
    await asked;
  });
});

describe('frames', () => {
  test('one is under way, the newest waits, the ones between are not sent', async () => {
    const wire = connect();
    const frames = [1, 2, 3, 4].map((cursor) => wire.client.frame(frameAt(cursor)));
    const first = await wire.request(0);
    expect(wire.asked).toHaveLength(1);
    expect(seqOf(first)).toBe(1);
    wire.answer(first.id, aFrame(1));
    const second = await wire.request(1);
    expect(seqOf(second)).toBe(4);
    wire.answer(second.id, aFrame(4));
    expect((await Promise.all(frames)).map((frame) => frame?.status.seq)).toEqual([1, undefined, undefined, 4]);
  });

  test('other requests do not wait for a frame', async () => {
    const wire = connect();
    const frame = wire.client.frame(frameAt(1));
    const verify = wire.client.request({ type: 'verify' });
    wire.answer((await wire.request(1)).id, { type: 'verified', at: undefined, mismatch: undefined });
    expect((await verify).at).toBeUndefined();
    wire.answer((await wire.request(0)).id, aFrame(1));
    await frame;
  });

  test('a frame that fails lets the waiting one through', async () => {
    const wire = connect();
    const first = wire.client.frame(frameAt(1));
    const second = wire.client.frame(frameAt(2));
    wire.answer((await wire.request(0)).id, { type: 'failed', message: 'no' });
    await expect(first).rejects.toThrow('no');
    wire.answer((await wire.request(1)).id, aFrame(2));
    expect((await second)?.status.seq).toBe(2);
  });
});

describe('the end', () => {
  test('when the worker breaks, everything under way rejects, and so does everything after', async () => {
    const wire = connect();
    const pending = [
      wire.client.request({ type: 'scenarios' }),
      wire.client.frame(frameAt(1)),
      wire.client.frame(frameAt(2)),
    ].map((promise) => promise.catch((reason: unknown) => reason));
    wire.port1.dispatchEvent(new Event('error'));
    for (const reason of await Promise.all(pending)) expect(reason).toMatchObject({ name: 'EngineError', gone: true });
    expect(wire.gone).toHaveLength(1);
    await expect(wire.client.request({ type: 'verify' })).rejects.toThrow('the engine stopped');
  });

  test('disposing rejects what is under way and tells nobody', async () => {
    const wire = connect();
    const pending = wire.client.request({ type: 'scenarios' }).catch((reason: unknown) => reason);
    wire.client.dispose();
    expect(await pending).toMatchObject({ gone: true });
    expect(wire.gone).toEqual([]);
  });
});

test('notes reach the listener as they come', async () => {
  const wire = connect();
  const note: Note = { type: 'died', message: 'trap', lastLines: ['unreachable'] };
  wire.send({ note });
  const asked = wire.client.request({ type: 'verify' });
  wire.answer((await wire.request(0)).id, { type: 'verified', at: undefined, mismatch: undefined });
  await asked;
  expect(wire.notes).toEqual([note]);
});

describe('a worker that does not answer', () => {
  test('is ended when all it has to make is a frame, and every promise says why', async () => {
    const wire = connect(20);
    const [frame, next] = [wire.client.frame(frameAt(1)), wire.client.frame(frameAt(2))];
    await expect(frame).rejects.toThrow(/took too long over a picture/);
    await expect(next).rejects.toThrow(/took too long over a picture/);
    expect(wire.gone.length).toBe(1);
  });

  test('is waited for while another request is under way, and once it has answered', async () => {
    const wire = connect(20);
    const verify = wire.client.request({ type: 'verify' });
    const frame = wire.client.frame(frameAt(1));
    const [first, second] = [await wire.request(0), await wire.request(1)];
    await new Promise((resolve) => setTimeout(resolve, 60)); // three times its patience; nothing must happen
    expect(wire.gone).toEqual([]);
    wire.answer(second.id, aFrame(1));
    expect((await frame)?.status.seq).toBe(1);
    wire.answer(first.id, { type: 'verified', at: seq(5), mismatch: undefined });
    await verify;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(wire.gone).toEqual([]);
  });
});
