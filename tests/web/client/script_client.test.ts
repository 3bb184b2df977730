// The page's end of a script's worker, whose other end may be anything: a note that is none ends the run and throws nothing.

import { expect, test, vi } from 'vitest';
import { type ScriptPort, startScript } from '../../../web/src/client/script_client.ts';
import { readNote } from '../../../web/src/protocol/script_notes.ts';
import { kMostNotes, kMostScriptCalls } from '../../../web/src/protocol/scripts.ts';

function started() {
  const port: ScriptPort = { onmessage: undefined, onerror: undefined, terminate: vi.fn() };
  const print = vi.fn();
  const client = startScript('', { print, start: () => port });
  return { port, print, client, send: (note: unknown) => port.onmessage?.(JSON.stringify(note)) };
}
const step = { operation: { op: 'allocate', size: 8 }, gave: 16 };

test('calls, lines and the end come through', async () => {
  const { client, print, send, port } = started();
  send({ type: 'begun' });
  send({ type: 'steps', steps: [step, { chapter: 'One' }] });
  send({ type: 'printed', line: 'x' });
  send({ type: 'ended' });
  expect(await client.finished).toEqual({ steps: [step, { chapter: 'One' }], error: undefined });
  expect(print).toHaveBeenCalledWith('x');
  expect(port.terminate).toHaveBeenCalledTimes(1);
});

test.each([
  [undefined],
  [null],
  [7],
  ['text'],
  [[]],
  [{}],
  [{ type: 'constructor' }],
  [{ type: 'steps' }],
  [{ type: 'steps', steps: {} }],
  [{ type: 'steps', steps: [null] }],
  [{ type: 'steps', steps: [{}] }],
  [{ type: 'steps', steps: [{ chapter: 5 }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'write', at: 0, word: 1 } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'toString' } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'allocate' } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'allocate', size: -1 } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'allocate', size: 2 ** 32 } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'allocate', size: '8' } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'burstDeallocate', mems: { length: 1e9 } } }] }],
  [{ type: 'steps', steps: [{ operation: { op: 'allocate', size: 8 }, gave: 'x' }] }],
  [{ type: 'printed' }],
  [{ type: 'printed', line: { toString: 1 } }],
  [{ type: 'printed', line: 'x'.repeat(20_000) }],
  [{ type: 'ended', error: 'x' }],
  [{ type: 'ended', error: { message: 5 } }],
])('%j is no note, and ends the run with a sentence', async (note) => {
  expect(readNote(JSON.stringify(note))).toBeUndefined();
  expect(readNote(note)).toBeUndefined();
  const { client, print, send } = started();
  send({ type: 'begun' });
  send({ type: 'steps', steps: [step] });
  send(note);
  send({ type: 'printed', line: 'late' });
  const { steps, error } = await client.finished;
  expect(steps).toEqual([step]);
  expect(error?.message).toContain('what is no call and no line');
  expect(print).not.toHaveBeenCalled(); // behind the end
});

test('more notes than a run has end it', async () => {
  const { client, send, port } = started();
  for (let nth = 0; nth < kMostNotes + 5; ++nth) send({ type: 'printed', line: '' });
  expect((await client.finished).error?.message).toContain('more than a page can take');
  expect(port.terminate).toHaveBeenCalledTimes(1);
});

test.each([
  ['at once', [130_001]],
  ['one behind the other', [kMostScriptCalls, 1]],
])('more calls than a page takes end it, and the first ones are kept: %s', async (_, lengths) => {
  const { client, send } = started();
  send({ type: 'begun' });
  for (const length of lengths) send({ type: 'steps', steps: Array.from({ length }, () => ({ chapter: '' })) });
  const { steps, error } = await client.finished;
  expect(steps.length).toBe(kMostScriptCalls);
  expect(error?.message).toContain('more than a page can take');
});

test('a second begin does not put off the limit', async () => {
  vi.useFakeTimers();
  const { client, send } = started();
  for (let nth = 0; nth < 6; ++nth) {
    send({ type: 'begun' });
    vi.advanceTimersByTime(1000);
  }
  vi.useRealTimers();
  expect((await client.finished).error?.message).toContain('did not end within 5 s');
});

test('a worker that never begins is given up', async () => {
  vi.useFakeTimers();
  const { client } = started();
  vi.advanceTimersByTime(31_000);
  vi.useRealTimers();
  expect((await client.finished).error?.message).toContain('could not be loaded');
});
