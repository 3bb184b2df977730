// Answers at the edges of what they say: nothing is held yet, and a site that has lived for exactly half of the trace.

import { expect, test } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo } from '../../../web/src/protocol/answers.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { Drive } from '../model/drive.ts';
import { SiteWriter } from '../model/sited_trace.ts';

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

test('a site keeps growing from the moment on at which it has lived for half of the trace', () => {
  const trace = new Trace();
  const add = (kind: EventKind, detail: number, a: number, b: number, c = 0) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  const writer = new SiteWriter(trace);
  add(EventKind.heapCreated, 0, 0, 8);
  add(EventKind.segmentAdded, 0, 0, 1 << 20);
  while (trace.count < 50) add(EventKind.mark, 0, 0, 0);
  for (let nth = 1; trace.count < 150; ++nth) {
    writer.enter(['main@a.c:1', 'leak@a.c:2']);
    add(EventKind.opBegun, Op.allocate, 0, 24);
    add(EventKind.blockAllocated, 0, 64 * nth, 24, 8);
    add(EventKind.opEnded, Op.allocate, 64 * nth, 24);
  }
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  const leaked = (event: number) => answer({ model, event, heap: 0 }, { ask: 'leaked' }) as AnswerTo<'leaked'>;
  const oldest = leaked(trace.count).evidence.sites[0]?.oldest_event ?? 0;
  expect(oldest).toBeGreaterThan(50);
  expect([2 * oldest - 1, 2 * oldest].map((event) => leaked(event).figures.growing_sites)).toEqual([0, 1]);
});

test('a site whose blocks each take the place of one that is freed does not keep growing; one that only adds does', () => {
  const trace = new Trace();
  const add = (kind: EventKind, detail: number, a: number, b: number, c = 0) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  const writer = new SiteWriter(trace);
  add(EventKind.heapCreated, 0, 0, 8);
  add(EventKind.segmentAdded, 0, 0, 1 << 20);
  const allocate = (site: string, at: number) => {
    writer.enter(['main@a.c:1', site]);
    add(EventKind.opBegun, Op.allocate, 0, 240);
    add(EventKind.blockAllocated, 0, at, 240, 8);
    add(EventKind.opEnded, Op.allocate, at, 240);
  };
  const kLines = 40;
  const { below } = createRandom(3);
  for (let nth = 0; nth < 4 * kLines; ++nth) {
    const line = 256 * (1 + (nth < kLines ? nth : below(kLines))); // the text of a line, and of any line anew: some are never edited
    if (nth >= kLines) {
      add(EventKind.opBegun, Op.deallocate, line, 0);
      add(EventKind.blockFreed, 0, line, 240, 8);
      add(EventKind.opEnded, Op.deallocate, line, 0);
    }
    allocate('replace@a.c:2', line);
    if (nth % 16 === 0) allocate('leak@a.c:3', (1 << 16) + 16 * nth);
  }
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  const { figures, evidence, sentence } = answer(
    { model, event: trace.count, heap: 0 },
    { ask: 'leaked' },
  ) as AnswerTo<'leaked'>;
  expect(evidence.sites.map((site) => [site.function, site.blocks])).toEqual([
    ['leak', 10],
    ['replace', kLines],
  ]);
  expect(figures.growing_sites).toBe(1);
  expect(sentence).toMatch(/^`leak` \(a\.c:3\) keeps growing: 10 blocks/);
  expect(
    evidence.blocks.every(
      ({ address }) => model.at(trace.count).state.sizeOf(model.at(trace.count).state.granuleAt(address)) > 0,
    ),
  ).toBe(true);
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
