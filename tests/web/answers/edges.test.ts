// Answers at the edges of what they say: nothing is held yet, and blocks that the trace does not have.

import { expect, test } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { Drive } from '../model/drive.ts';

test('where nothing is held and there is no hole, no call stacks are missing', async () => {
  const drive = await Drive.start(4);
  drive.run(300, 70);
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const missing = (event: number) =>
    (['holds', 'leaked', 'pins'] as const).map((ask) => answer({ model, event, heap: 0 }, { ask }).missing);
  let first = 0;
  while (model.at(first).state.heaps.length === 0) first += 1;
  for (const event of [0, first]) expect(missing(event)).toEqual(['', '', '']);
  for (const text of missing(drive.trace.count)) expect(text).toContain('--stacks');
});

test('where blocks are freed that the trace does not have, it does not say that nothing is held', () => {
  const answersOf = (freed: number) => {
    const trace = new Trace();
    const add = (kind: EventKind, detail: number, a: number, b: number, c = 0) =>
      trace.appendEvent(headOf(kind, 1, detail), a, b, c);
    add(EventKind.heapCreated, 0, 0, 8);
    add(EventKind.segmentAdded, 0, 0, 1 << 20);
    add(EventKind.blockAllocated, 0, 256, 24, 8);
    add(EventKind.blockFreed, 0, freed, 24, 8);
    if (freed !== 256) add(EventKind.blockFreed, 0, 256, 24, 8);
    const model = new Model(trace);
    model.history.fold();
    return (['holds', 'leaked'] as const).map((ask) => {
      const { sentence, answered, missing } = answer({ model, event: trace.count, heap: 0 }, { ask });
      return { sentence, answered, missing };
    });
  };
  expect(answersOf(256)).toEqual([
    { sentence: 'Nobody holds memory: no block is in use.', answered: true, missing: '' },
    { sentence: 'Nothing leaked: at the end no block is held.', answered: true, missing: '' },
  ]);
  const [holds, leaked] = answersOf(512);
  expect(holds).toMatchObject({ sentence: 'Of the blocks that this trace has, none is in use.', answered: false });
  expect(leaked).toMatchObject({
    sentence: 'Of the blocks that this trace has, none is held at the end.',
    answered: false,
  });
  for (const one of [holds, leaked])
    expect(one?.missing).toMatch(
      /^1 free is of a block whose allocation is not in this trace .* by a function that was not found/,
    );
});
