// Which source runs, how far it is and what of it is heard: with a real engine, whose notes the test passes on.

import { expect, test } from 'vitest';
import type { EngineClient } from '../../../web/src/client/engine_client.ts';
import type { RemoteRecorder } from '../../../web/src/live/live_recorder.ts';
import type { LoadedSource } from '../../../web/src/moment/session.ts';
import { createSourceRun } from '../../../web/src/moment/source_run.ts';
import type { Request } from '../../../web/src/protocol/messages.ts';
import { makeEngine } from '../engine/harness.ts';

function open() {
  const engine = makeEngine();
  const requests: Request[] = [];
  const heard: string[] = [];
  const client = {
    async request(request: Request) {
      requests.push(request);
      const reply = await engine.engine.handle(request);
      if (reply.type === 'failed') throw new Error(reply.message);
      return reply;
    },
  } as unknown as EngineClient;
  const run = createSourceRun(
    () => client,
    () => ({
      scenarios() {},
      progress: ({ head, running }) => heard.push(`${head} ${running}`),
      finished: (_, message) => heard.push(`finished ${message}`),
      opening: (opening) => heard.push(`opening ${opening?.name}`),
      died: (message) => heard.push(`died ${message}`),
      notice: (message) => heard.push(message),
    }),
  );
  /** Runs to the end; the notes that came. */
  const toEnd = () => {
    while (engine.engine.tick());
    const notes = engine.notes.splice(0);
    for (const note of notes) run.onNote(note);
    return notes;
  };
  return { engine, run, requests, heard, toEnd };
}

const scenario = (id: string): LoadedSource => ({ kind: 'scenario', id, seed: 1 });

/** A program that runs elsewhere and says nothing. */
function live(name: string) {
  const events: string[] = [];
  const recorder: RemoteRecorder = {
    onend: undefined,
    drain: () => events.push('drain'),
    checkpoint() {},
    subscribe: () => () => events.push('stop'),
    close: () => events.push('close'),
  };
  return { source: { kind: 'live', name, id: name, recorder } as const, recorder, events };
}

test('a source runs until it has finished, which is heard once', async () => {
  const { run, heard, toEnd } = open();
  expect(run.isReady()).toBe(false);
  const asked = run.run(scenario('mixed_load'));
  expect([run.isReady(), run.progress()]).toMatchObject([false, { head: 0, running: true }]);
  await asked;
  expect(run.isReady()).toBe(true);
  const notes = toEnd();
  const last = notes.findLast(({ type }) => type === 'progress');
  expect(run.progress()).toMatchObject({ running: false, head: last?.type === 'progress' ? last.head : -1 });
  expect(heard.filter((line) => line.startsWith('finished'))).toEqual(['finished undefined']);
  for (const note of notes.slice(-1)) run.onNote(note);
  expect(heard.filter((line) => line.startsWith('finished'))).toHaveLength(1);
});

test('notes of the source before are not heard from the question on to its reply', async () => {
  const { run, heard, engine } = open();
  await run.run(scenario('mixed_load'));
  while (engine.engine.tick());
  const late = engine.notes.splice(0);
  const asked = run.run(scenario('burst_list'));
  for (const note of late) run.onNote(note);
  expect([run.progress(), heard]).toMatchObject([{ head: 0, running: true }, []]);
  await asked;
  expect(run.loaded()).toMatchObject({ id: 'burst_list' });
});

test('what the engine refuses to begin is thrown, and nothing runs then', async () => {
  const { run } = open();
  const file = new Blob(['no trace']);
  await expect(run.run({ kind: 'trace', name: 'a', file })).rejects.toThrow(/trace|file/);
  expect(run.progress()).toMatchObject({ running: false, head: 0 });
  expect(run.isReady()).toBe(true);
});

test('a trace is open as far as it goes, and while it opens frames can be asked for', async () => {
  const made = open();
  await made.run.run(scenario('burst_list'));
  made.toEnd();
  const { file } = await made.engine.ask({ type: 'exportTrace' }, 'trace');
  const events = made.run.progress().head;

  const { run, heard } = open();
  const asked = run.run({ kind: 'trace', name: 'a', file: new Blob([file]) });
  expect(run.isReady()).toBe(false);
  const note = { type: 'opening', name: 'a', read: 1, size: 2, events: 0 } as unknown as Parameters<
    typeof run.onNote
  >[0];
  run.onNote({ ...note, name: 'another' } as typeof note);
  expect(run.isReady()).toBe(false);
  run.onNote(note);
  expect(run.isReady()).toBe(true);
  await asked;
  expect(run.progress()).toEqual({ head: events, running: false, chapter: undefined, done: 1 });
  expect(heard).toEqual(['opening a', `${events} false`, 'opening undefined']);
  run.onNote(note); // too late
  expect(heard).toHaveLength(3);
});

test('a program that is followed is let go when another source begins, and not when it begins again', async () => {
  const { run, heard } = open();
  const { source, recorder, events } = live('far');
  await run.run(source);
  expect(run.following.heed()).toBe(true);
  await run.again();
  expect(events).not.toContain('close');
  expect(run.progress().running).toBe(true);
  recorder.onend?.('it was closed');
  expect(heard.slice(-2)).toEqual(['0 false', 'far is not followed any more: it was closed']);
  expect(run.following.heed()).toBe(false);
  await run.run(scenario('burst_list'));
  expect(events.filter((event) => event === 'close')).toHaveLength(1);
  recorder.onend?.('late');
  expect(heard.at(-1)).not.toContain('late');
});

test('the page that ends lets its program go', async () => {
  const { run } = open();
  const { source, events } = live('far');
  await run.run(source);
  run.dispose();
  expect(events).toContain('stop');
  expect(events.at(-1)).toBe('close');
});

test('a dead engine runs nothing any more, and the same source begins anew', async () => {
  const { run, heard, requests } = open();
  await run.again();
  expect(requests).toEqual([]); // nothing was asked for
  await run.run(scenario('burst_list'));
  run.onNote({ type: 'died', message: 'memory', lastLines: [] });
  expect([run.progress().running, heard.at(-1)]).toEqual([false, 'died memory']);
  await run.again();
  expect(requests.map(({ type }) => type)).toEqual(['runScenario', 'runScenario']);
  expect(run.progress()).toMatchObject({ head: 0, running: true });
});
