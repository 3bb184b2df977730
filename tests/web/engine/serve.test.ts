// The worker's end of the wire with a real engine: what reads all events of a trace lets frames in between two slices (K4).

import { expect, test } from 'vitest';
import { bytes, seq } from '../../../web/src/base/brand.ts';
import { Engine } from '../../../web/src/engine/engine.ts';
import { type Scope, serve } from '../../../web/src/engine/serve.ts';
import { TraceEngine } from '../../../web/src/engine/trace_engine.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import type { FromEngine, Request } from '../../../web/src/protocol/messages.ts';
import { kNothing, makeEngine } from './harness.ts';

function open() {
  const got: FromEngine[] = [];
  const scope: Scope = { postMessage: (message) => got.push(message), onmessage: null };
  serve(scope, (note, pause) => new Engine({ note, pause }));
  let id = 0;
  return {
    send(request: Request): void {
      scope.onmessage?.(new MessageEvent('message', { data: { id: ++id, request } }));
    },
    replies: () => got.flatMap((message) => ('reply' in message ? [message.reply.type] : [])),
    answers: () => got.flatMap((message) => ('reply' in message ? [{ id: message.id, ...message.reply }] : [])),
  };
}

const kReadsAll = [
  ['temporaries', { type: 'temporaries', within: 1 }],
  ['rangeSites', { type: 'rangeSites', from: seq(0), to: seq(1e9), libraries: false }],
] as const;

test.each(kReadsAll)('%s: a newer question ends the older one, in words', async (type, request) => {
  const { engine, run } = makeEngine();
  await run('burst_list');
  const [older, newer] = await Promise.all([engine.handle(request), engine.handle(request)]);
  expect(older).toEqual({ type: 'failed', message: 'another question was asked meanwhile' });
  expect(newer.type).toBe(type);
});

test.each(kReadsAll)('%s: a frame that is asked for meanwhile comes first', async (type, request) => {
  const recorded = makeEngine();
  await recorded.run('mixed_load'); // more events than a slice has
  const { file } = await recorded.ask({ type: 'exportTrace' }, 'trace');
  const { send, replies } = open();
  send({ type: 'openTrace', name: 'mixed_load', file });
  await expect.poll(replies, { timeout: 20_000 }).toEqual(['opened']);
  send(request);
  send({ type: 'frame', frame: { ...kNothing, at: { to: 'seq', seq: seq(1000) } } });
  send({ type: 'standing', question: { ask: 'fits', bytes: bytes(64) }, at: seq(1000), heap: 0 });
  await expect.poll(replies, { timeout: 20_000 }).toEqual(['opened', 'frame', 'standing', type]);
});

test('of frames that wait the newest is made, and each request is answered', async () => {
  const { send, answers } = open();
  const frame = (at: number): Request => ({ type: 'frame', frame: { ...kNothing, at: { to: 'seq', seq: seq(at) } } });
  send({ type: 'runScenario', scenario: 'by_hand', seed: 1 });
  for (const at of [1, 2, 3]) send(frame(at));
  send({ type: 'scenarios' });
  send(frame(4));
  await expect.poll(() => answers().length, { timeout: 20_000 }).toBe(6);
  const older = { type: 'failed', message: 'a newer frame was asked for' };
  expect(answers().toSorted((one, two) => one.id - two.id)).toMatchObject([
    { type: 'started' },
    ...[older, older, older],
    { type: 'scenarios' },
    { type: 'frame' },
  ]);
});

test('a viewer at rest has nothing to do', () => {
  const viewer = new TraceEngine({ frame: makeFrame });
  expect(viewer.tick()).toBe(false);
});
