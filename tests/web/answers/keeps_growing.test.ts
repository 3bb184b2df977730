// Which call sites keep growing, and what is said where a long beginning hides it.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { someOf } from '../../every.ts';
import { SitedHeap } from './sited_heap.ts';

test('a site keeps growing from the moment on at which it has lived for half of the trace', () => {
  const heap = new SitedHeap();
  heap.idle(48);
  while (heap.trace.count < 150) heap.allocate('leak@a.c:2', 24);
  const oldest = heap.leaked().evidence.sites[0]?.oldest_event ?? 0;
  expect(oldest).toBeGreaterThan(50);
  expect([2 * oldest - 1, 2 * oldest].map((event) => heap.leaked(event).figures.growing_sites)).toEqual([0, 1]);
});

test('a site whose blocks each take the place of one that is freed does not keep growing; one that only adds does', () => {
  const heap = new SitedHeap();
  const kLines = 40;
  const { below } = createRandom(3);
  const lines: number[] = [];
  for (let nth = 0; nth < 4 * kLines; ++nth) {
    const line = nth < kLines ? nth : below(kLines); // the text of a line, and of any line anew: some are never edited
    const before = lines[line];
    if (before !== undefined) heap.free(before);
    lines[line] = heap.allocate('replace@a.c:2');
    if (nth % 16 === 0) heap.allocate('leak@a.c:3');
  }
  const { figures, evidence, sentence } = heap.leaked();
  expect(evidence.sites.map((site) => [site.function, site.blocks])).toEqual([
    ['leak', 10],
    ['replace', kLines],
  ]);
  expect(figures.growing_sites).toBe(1);
  expect(sentence).toMatch(/^`leak` \(a\.c:3\) keeps growing: 10 blocks/);
  const { state } = heap.model.at(heap.trace.count);
  for (const { address } of evidence.blocks) expect(state.sizeOf(state.granuleAt(address))).toBeGreaterThan(0);
});

/** Phases that each keep what they build: none of them grows in half of all that was recorded. */
function withStart(heap: SitedHeap, events: number): void {
  const phases = ['read', 'parse', 'link', 'layout', 'paint'];
  phases.forEach((phase, nth) => {
    while (heap.trace.count < (events * (nth + 1)) / phases.length) {
      heap.allocate(`${phase}@start.c:${nth + 1}`, 1024);
      heap.free(heap.allocate('churn@a.c:9'));
    }
  });
}

test.each([0.4, 0.2, 0.06, 0.02])('a leak that fills the last %f of a trace behind a long start is named', (part) => {
  const heap = new SitedHeap();
  const kEvents = 30_000;
  withStart(heap, kEvents * (1 - part));
  while (heap.trace.count < kEvents) {
    heap.allocate('leak@a.c:3');
    heap.churnTo(heap.trace.count + 12);
  }
  const { figures, evidence, sentence } = heap.leaked();
  expect(evidence.sites[0]?.function).toBe('leak');
  expect(sentence).toMatch(/^In the last [\d.]+\s% of the time, `leak` \(a\.c:3\) keeps growing: \d+ blocks of it/);
  expect(figures.growing_sites).toBe(1);
  expect(figures.growing_until_event).toBe(heap.trace.count);
  const since = figures.growing_since_event / kEvents;
  expect(since).toBeGreaterThan(1 - 4 * part);
  expect(since).toBeLessThan(1 - part / 8);
  // Halfway through the start there is no leak yet.
  expect(heap.leaked(kEvents / 2 - 1).sentence).not.toContain('leak');
});

test('a site that held blocks since the start, and leaks at its end, is named', () => {
  const heap = new SitedHeap();
  for (let nth = 0; nth < 100; ++nth) heap.allocate('leak@a.c:3');
  withStart(heap, 30_000);
  for (let nth = 0; nth < 400; ++nth) {
    heap.allocate('leak@a.c:3');
    heap.churnTo(heap.trace.count + 12);
  }
  expect(heap.leaked().sentence).toMatch(
    /^In the last [\d.]+\s% of the time, `leak` \(a\.c:3\) keeps growing: 500 blocks/,
  );
});

test.each(['young', 'few', 'replaced', 'stopped'])(
  'behind a long start, what is %s at the end is not said to grow',
  (what) => {
    const heap = new SitedHeap();
    withStart(heap, 30_000);
    if (what === 'young') {
      heap.churnTo(33_000);
      while (heap.trace.count < 33_100) heap.allocate('young@a.c:4'); // too short a time
    } else if (what === 'few') {
      for (let nth = 0; nth < 15; ++nth) {
        heap.allocate('few@a.c:4', 4096);
        heap.churnTo(heap.trace.count + 400);
      }
    } else if (what === 'replaced') {
      const blocks = Array.from({ length: 40 }, () => heap.allocate('replaced@a.c:4', 4096));
      for (let nth = 0; nth < 1000; ++nth) {
        heap.free(blocks[nth % 40] ?? 0);
        blocks[nth % 40] = heap.allocate('replaced@a.c:4', 4096);
      }
    } else {
      for (let nth = 0; nth < 200; ++nth) heap.allocate('stopped@a.c:4');
      heap.churnTo(36_000);
    }
    const { figures, sentence } = heap.leaked();
    expect(figures.growing_sites).toBe(0);
    expect(figures.growing_since_event).toBe(0);
    expect(sentence).toMatch(/^No call site keeps growing/);
  },
);

/** A start of one site that grows all along, and then a loop of another one. */
function startAndLoop(bytes: number, rest: number, blocks = 200): SitedHeap {
  const heap = new SitedHeap();
  while (heap.trace.count < 30_000) {
    heap.allocate('start@a.c:2', 64);
    heap.free(heap.allocate('churn@a.c:9'));
  }
  for (let nth = 0; nth < blocks; ++nth) {
    heap.allocate('loop@a.c:3', bytes);
    heap.free(heap.allocate('churn@a.c:9'));
  }
  heap.churnTo(heap.trace.count + rest);
  return heap;
}

test('where what grew has stopped, what grew behind it and holds more is named first', () => {
  const stopped = startAndLoop(4096, 3000).leaked();
  expect(stopped.sentence).toMatch(/^`loop` \(a\.c:3\) grew, and not since: 200 blocks of it/);
  expect(stopped.evidence.sites.slice(0, 2).map((site) => site.function)).toEqual(['loop', 'start']);
  expect(stopped.figures.growing_sites).toBe(2);
  expect(stopped.figures.growing_until_event).toBe(stopped.evidence.sites[0]?.newest_event);
  const going = startAndLoop(4096, 0).leaked();
  expect(going.sentence).toMatch(
    /^In the last [\d.]+\s% of the time, `loop` \(a\.c:3\) keeps growing: 200 blocks of it/,
  );
  expect(going.figures.growing_until_event).toBe(going.event);
});

test.each([
  ['holds less', startAndLoop(80, 3000)],
  ['has few blocks', startAndLoop(40_000, 3000, 15)],
  ['follows one that has not stopped', startAndLoop(4096, 0, 20)],
])('what grew behind it is not named first if it %s', (_, heap) => {
  const { sentence, figures } = heap.leaked();
  expect(sentence).toMatch(/^`start` \(a\.c:2\) keeps growing/);
  expect(figures).toMatchObject({ growing_sites: 1, growing_since_event: 0, growing_until_event: heap.trace.count });
});

interface Held {
  readonly site: number;
  readonly born: number; // so many events lie before its birth was over
}

/** keeps.K1 and keeps.K2 for all that was recorded, by the blocks that are held at a moment, at half and at three quarters of it. */
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
    const heap = new SitedHeap();
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
        heap.free(at);
        live.delete(at);
      } else if (below(9) < takes) {
        const block = heap.allocate(`site_${site}@a.c:${10 + site}`);
        live.set(block, { site, born: heap.trace.count - 1 });
      } else continue;
      moments.push({ event: heap.trace.count - 1, held: [...live.values()] }); // before the operation's end
    }
    let found = 0;
    for (let ask = 0; ask < 60; ++ask) {
      const event = heap.trace.count - below(heap.trace.count - 100);
      const { figures, evidence } = heap.leaked(event);
      const growing = keepGrowing(heldAt, event, kSites).map((site) => `site_${site}`);
      const said = evidence.sites.slice(0, figures.growing_sites);
      if (figures.growing_since_event === 0)
        expect(new Set(said.map((site) => site.function)), `event ${event}`).toEqual(new Set(growing));
      else expect(growing).toEqual([]);
      expect(figures.growing_blocks).toBe(said.reduce((sum, { blocks }) => sum + blocks, 0));
      expect(figures.blocks).toBe(heldAt(event).length);
      found += growing.length;
    }
    expect(found).toBeGreaterThan(10);
  },
);
