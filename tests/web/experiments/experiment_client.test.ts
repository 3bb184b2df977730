// The page's end: a worker starts with the first request, and its end is told once. The worker here is a port's other end.

import { expect, test } from 'vitest';
import { createExperimentClient, type ExperimentPort } from '../../../web/src/client/experiment_client.ts';
import type { ExperimentNote, ExperimentRequest } from '../../../web/src/protocol/experiments.ts';

/** Workers that the client starts, as far as it sees them. */
function workers() {
  const started: { readonly target: EventTarget; readonly heard: ExperimentRequest[]; ended: boolean }[] = [];
  const start = (): ExperimentPort => {
    const one = { target: new EventTarget(), heard: [] as ExperimentRequest[], ended: false };
    started.push(one);
    return {
      postMessage: (message) => one.heard.push(message),
      addEventListener: (type, listener) => one.target.addEventListener(type, listener),
      terminate: () => {
        one.ended = true;
      },
    };
  };
  return { started, start };
}

const kRequest = { id: 'AE1', rounds: 3, divisor: 10 } as const;
const failed: ExperimentNote = { type: 'failed', id: 'AE1', message: 'out of memory' };

test('the worker starts with the first run and serves the ones after', () => {
  const { started, start } = workers();
  const client = createExperimentClient(() => {}, start);
  client.stop();
  expect(started).toHaveLength(0);
  client.run(kRequest);
  client.run({ ...kRequest, id: 'CE1' });
  client.stop();
  expect(started.map((one) => one.heard)).toEqual([
    [{ type: 'run', ...kRequest }, { type: 'run', ...kRequest, id: 'CE1' }, { type: 'stop' }],
  ]);
});

test('notes arrive until the client is disposed', () => {
  const { started, start } = workers();
  const notes: ExperimentNote[] = [];
  const client = createExperimentClient((note) => notes.push(note), start);
  client.run(kRequest);
  started[0]?.target.dispatchEvent(new MessageEvent('message', { data: failed }));
  client.dispose();
  started[0]?.target.dispatchEvent(new MessageEvent('message', { data: failed }));
  expect(notes).toEqual([failed]);
  expect(started[0]?.ended).toBe(true);
});

test('a worker whose script cannot be loaded fails the experiment, and the next run starts another', () => {
  const { started, start } = workers();
  const notes: ExperimentNote[] = [];
  const client = createExperimentClient((note) => notes.push(note), start);
  client.run(kRequest);
  started[0]?.target.dispatchEvent(new Event('error'));
  expect(notes).toEqual([
    { type: 'failed', id: 'AE1', message: 'the experiments stopped: its script could not be loaded' },
  ]);
  client.run(kRequest);
  expect(started).toHaveLength(2);
});
