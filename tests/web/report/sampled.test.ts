// Estimates of written samples: blocks of so many bytes, each recorded with a known probability, at known call sites.

import { expect, test } from 'vitest';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { estimate } from '../../../web/src/report/sampled.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { SiteWriter } from '../model/sited_trace.ts';

const kMean = 1000;
/** How many blocks of so many bytes one recorded block stands for. */
const standsFor = (size: number) => 1 / (1 - Math.exp(-size / kMean));

/** A sample of a heap that heapglass does not drive, written by hand. */
function sample() {
  const trace = new Trace();
  const sites = new SiteWriter(trace);
  const add = (kind: EventKind, detail: number, a: number, b = 0, c = 0) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  add(EventKind.heapCreated, 0, 0, 8);
  add(EventKind.segmentAdded, 0, 0, 1 << 20);
  return {
    got(site: readonly string[], address: number, size: number): void {
      sites.enter(site);
      add(EventKind.opBegun, Op.allocate, 0, size);
      add(EventKind.blockAllocated, 0, address, size, 8);
      add(EventKind.opEnded, Op.allocate, address, size);
    },
    freed(address: number): void {
      add(EventKind.opBegun, Op.deallocate, address);
      add(EventKind.blockFreed, 0, address);
      add(EventKind.opEnded, Op.deallocate, 0);
    },
    estimate: () => estimate({ trace, wordSize: 4, traceVersion: trace.version, notes: {}, notice: undefined }, kMean),
  };
}

test('of two moments with equally many bytes the peak is the first', () => {
  const { got, freed, estimate } = sample();
  got(['main', 'first'], 0x1000, 500);
  freed(0x1000);
  got(['main', 'second'], 0x2000, 500);
  const bytes = Math.round(500 * standsFor(500));
  const { totals, sites, notices } = estimate();
  expect(notices).toEqual([]);
  expect(totals).toMatchObject({ samples: 2, peak_bytes: bytes, live_bytes: bytes, peak_blocks: 3, live_blocks: 3 });
  expect(sites.map(({ peak_bytes, live_bytes }) => [peak_bytes, live_bytes])).toEqual([
    [bytes, 0],
    [0, bytes],
  ]);
});

test('sites come by their bytes at the peak, and of equal ones by all that they allocated', () => {
  const { got, freed, estimate } = sample();
  for (const [name, size] of [
    ['small', 100],
    ['passing', 3000],
    ['large', 2000],
    ['again', 300],
  ] as const)
    for (let nth = 0; nth < 3; ++nth) {
      got([name], 0x1000, size);
      freed(0x1000);
    }
  got(['small'], 0x1000, 200);
  got(['large'], 0x2000, 9000);
  const { sites, totals } = estimate();
  expect(sites.map(({ stack }) => stack)).toEqual([['large'], ['small'], ['passing'], ['again']]);
  expect(totals.peak_bytes).toBe(Math.round(200 * standsFor(200) + 9000 * standsFor(9000)));
});

test('the standard error is that of Horvitz and Thompson, and what was freed unseen changes nothing', () => {
  const { got, freed, estimate } = sample();
  const sizes = [10, 400, 2500];
  sizes.forEach((size, nth) => {
    got(['main'], 0x1000 * (nth + 1), size);
  });
  freed(0x9000);
  const variance = sizes.reduce((sum, size) => sum + size ** 2 * standsFor(size) * (standsFor(size) - 1), 0);
  const { totals } = estimate();
  expect(totals.standard_error).toBe(Math.round(Math.sqrt(variance)));
  expect(totals.live_bytes).toBe(totals.allocated_bytes);
});

test('a block behind a call with a site has none of it', () => {
  const { got, estimate } = sample();
  got(['main'], 0x1000, 400);
  got([], 0x2000, 800);
  expect(estimate().sites.map(({ stack, samples }) => [stack, samples])).toEqual([
    [[], 1],
    [['main'], 1],
  ]);
});
