// Answers at the edges of what they say: nothing is held yet, and a site that has lived for exactly half of the trace.

import { expect, test } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo } from '../../../web/src/protocol/answers.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { someOf } from '../../every.ts';
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

interface Held {
  readonly site: number;
  readonly born: number; // so many events lie before its birth was over
}

/** leak.L2 and leak.L3, by the blocks that are held at a moment, at half and at three quarters of it. */
function keepGrowing(heldAt: (moment: number) => readonly Held[], event: number, sites: number): number[] {
  const countAt = (moment: number, site: number) => heldAt(moment).filter((block) => block.site === site).length;
  return Array.from({ length: sites }, (_, site) => site).filter((site) => {
    const births = heldAt(event).flatMap((block) => (block.site === site ? [block.born] : []));
    const oldest = Math.min(...births);
    const time = event - oldest;
    const quarters = new Set(births.map((born) => Math.min(3, Math.floor((4 * (born - oldest)) / time))));
    const [half, later] = [countAt(Math.floor(event / 2), site), countAt(Math.floor((3 * event) / 4), site)];
    const isRising = half < later && later < births.length && 16 * (births.length - half) >= births.length;
    return births.length >= 4 && time >= event / 2 && quarters.size === 4 && isRising;
  });
}

test.each(someOf([2, 1, 3]))(
  'which sites keep growing is what the births of their blocks say, at any moment, seed %i',
  (seed) => {
    const { below } = createRandom(seed);
    const trace = new Trace();
    const add = (kind: EventKind, detail: number, a: number, b: number, c = 0) =>
      trace.appendEvent(headOf(kind, 1, detail), a, b, c);
    const writer = new SiteWriter(trace);
    add(EventKind.heapCreated, 0, 0, 8);
    add(EventKind.segmentAdded, 0, 0, 1 << 20);
    const kSites = 12;
    const live = new Map<number, Held>();
    const moments: { readonly event: number; readonly held: readonly Held[] }[] = [];
    const heldAt = (moment: number) => moments.findLast(({ event }) => event <= moment)?.held ?? [];
    const chances = () => Array.from({ length: kSites }, () => [below(4) * below(4), below(8)] as const);
    for (let nth = 1, chance = chances(); nth < 900; ++nth) {
      if (nth % 150 === 0) chance = chances();
      const site = below(kSites);
      const [takes = 0, gives = 0] = chance[site] ?? [];
      const [at] = [...live].find((block) => block[1].site === site) ?? [];
      if (at !== undefined && below(30) < gives) {
        add(EventKind.opBegun, Op.deallocate, at, 0);
        add(EventKind.blockFreed, 0, at, 240, 8);
        live.delete(at);
        moments.push({ event: trace.count, held: [...live.values()] });
        add(EventKind.opEnded, Op.deallocate, at, 0);
      } else if (below(9) < takes) {
        writer.enter(['main@a.c:1', `site_${site}@a.c:${10 + site}`]);
        add(EventKind.opBegun, Op.allocate, 0, 240);
        add(EventKind.blockAllocated, 0, 256 * nth, 240, 8);
        live.set(256 * nth, { site, born: trace.count });
        moments.push({ event: trace.count, held: [...live.values()] });
        add(EventKind.opEnded, Op.allocate, 256 * nth, 240);
      }
    }
    const model = new Model(trace);
    model.history.fold();
    expect(model.history.broken).toBeUndefined();
    let found = 0;
    for (let ask = 0; ask < 60; ++ask) {
      const event = trace.count - below(trace.count - 100);
      const { figures, evidence } = answer({ model, event, heap: 0 }, { ask: 'leaked' }) as AnswerTo<'leaked'>;
      const growing = keepGrowing(heldAt, event, kSites).map((site) => `site_${site}`);
      const said = evidence.sites.slice(0, figures.growing_sites);
      expect(new Set(said.map((site) => site.function)), `event ${event}`).toEqual(new Set(growing));
      expect(figures.growing_blocks).toBe(said.reduce((sum, { blocks }) => sum + blocks, 0));
      expect(figures.blocks).toBe(heldAt(event).length);
      found += growing.length;
    }
    expect(found).toBeGreaterThan(10);
  },
);

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
