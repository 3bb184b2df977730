// A real module with probes as a source of events by its exports: what its ring says, what it can do, and what it exports nothing for.

import { expect, test } from 'vitest';
import { makeExportsSource } from '../../web/src/record/exports_source.ts';
import { makePackets } from '../../web/src/record/packets.ts';
import { startProgram } from '../web/live/live_program.ts';

test('what the module exports nothing for says so', async () => {
  const { exports } = await startProgram('lossless');
  const source = makeExportsSource(exports, makePackets());
  expect(() => source.mark('here')).toThrow('heapglass: the module exports nothing for mark');
  expect(() => source.pause()).toThrow('heapglass: the module exports nothing for pause');
  expect(() => source.resume()).toThrow('heapglass: the module exports nothing for resume');
});

test.each(['lossless', 'drop'] as const)('of a ring in mode %s it says what it has', async (mode) => {
  const { exports, work } = await startProgram(mode);
  const source = makeExportsSource(exports, makePackets());
  const before = source.count;
  work(100);
  expect(source.count - before).toBeGreaterThan(300);
  expect([source.mode, source.paused, source.file]).toEqual([mode, false, { version: source.version, wordSize: 4 }]);
});

test('a listener inside malloc may not ask for what calls the module; elsewhere it may', async () => {
  const { recorder, work } = await startProgram('lossless');
  const answers: string[] = [];
  let isAsking = false; // a checkpoint is an event too, of which the listener hears
  recorder.subscribe(() => {
    if (isAsking) return;
    isAsking = true;
    try {
      recorder.checkpoint();
      answers.push('done');
    } catch (error) {
      answers.push((error as Error).message);
    }
    isAsking = false;
  });
  answers.length = 0;
  work(40_000); // the ring fills inside a call
  expect(new Set(answers)).toEqual(
    new Set(['heapglass: a listener runs inside malloc, where checkpoint is not possible']),
  );
  answers.length = 0;
  recorder.drain();
  expect(answers).toEqual(['done']);
});
