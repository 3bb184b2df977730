// "Will N bytes fit", and what fits at most, where there is no top: beside the real heap, call by call.

import { expect, it } from 'vitest';
import { type Addr, addr } from '../../../web/src/base/brand.ts';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { someOf } from '../../every.ts';
import { TightHeap } from './tight_heap.ts';

/** More holes of nearly one size than a search looks at; their size. */
function makeHoles(heap: TightHeap, { below }: Random): number {
  const about = 200 + below(1 << (6 + below(7)));
  heap.comb(Array.from({ length: 4 + below(8) }, () => about + below(1 + (about >> 3))));
  return about;
}

it.each(someOf([1, 2, 3, 4, 5, 6], 3))('a heap without a top serves or grows as said, seed %i', async (seed) => {
  const heap = await TightHeap.start(seed);
  const random = createRandom(seed);
  const counts = { yes: 0, no: 0, perhaps: 0 };
  for (let round = 0; round < 20; ++round) {
    const about = makeHoles(heap, random);
    for (let call = 0; call < 12; ++call) {
      const { figures, sentence } = heap.ask(about + random.below(1 + (about >> 3)));
      const { mem, grew, from } = heap.allocate(figures.request_bytes);
      counts[figures.fits] += 1;
      expect(grew, sentence).toBe(figures.fits === 'no');
      if (!grew) expect([from, mem], sentence).toEqual([figures.from, figures.block_address]);
      if (mem !== undefined && random.below(3) === 0) heap.deallocate(mem);
      heap.fillTop();
    }
  }
  expect(counts.yes).toBeGreaterThan(100);
  expect(counts.no).toBeGreaterThan(20);
  expect(counts.perhaps).toBe(0);
});

it.each(someOf([1, 2, 3, 4, 5, 6], 3))('and so does malloc, from where it is said, seed %i', async (seed) => {
  const heap = await TightHeap.start(seed);
  heap.showMalloc();
  const random = createRandom(seed);
  const { below } = random;
  const counts = { yes: 0, no: 0, perhaps: 0 };
  const places = { slab: 0, cache: 0, bin: 0, victim: 0, top: 0, none: 0 };
  for (let round = 0; round < 30; ++round) {
    const about = makeHoles(heap, random);
    const blocks: Addr[] = [];
    for (let call = 0; call < 40; ++call) {
      const size = Math.max(0, [below(129), 16, about - 40 + below(80), below(4096)][below(4)] ?? 0);
      const { figures, sentence } = heap.ask(size);
      const { fits, from, block_address } = figures;
      const took = heap.malloc(size);
      counts[fits] += 1;
      if (fits === 'yes') places[from] += 1;
      if (fits !== 'perhaps') expect(took.grew, sentence).toBe(fits === 'no');
      if (fits === 'yes' && from !== 'none') expect(took.from, sentence).toBe(from);
      if (block_address !== 0) expect(took.mem, sentence).toBe(block_address);
      if (took.grew) heap.fillTop();
      if (took.mem === undefined) continue;
      if (below(4) === 0) heap.free(took.mem);
      else blocks.push(took.mem);
    }
    for (const mem of blocks) if (below(3) !== 0) heap.free(mem);
    if (below(2) === 0) heap.flush();
    heap.fillTop();
  }
  expect(heap.compare()).toBeUndefined();
  for (const count of [counts.yes, counts.no, counts.perhaps, places.slab, places.cache, places.bin])
    expect(count).toBeGreaterThan(20);
});

it.each(someOf([1, 2, 3, 4, 5, 6], 2))('what fits at most is taken until nothing fits, seed %i', async (seed) => {
  const heap = await TightHeap.start(seed);
  heap.showMalloc();
  const random = createRandom(seed);
  const sizes = [0, 8, 16, 40, 48, 100, 128, 129, 200, 300, 500, 1000, 2000, 4000];
  const from = new Set<string>();
  for (let round = 0; round < 3; ++round) {
    const blocks = Array.from(
      { length: 120 },
      () => heap.malloc(random.below(8) === 0 ? random.below(4096) : random.below(129)).mem,
    );
    for (const mem of blocks) if (mem !== undefined && random.below(3) === 0) heap.free(mem);
    makeHoles(heap, random);
    for (let more = 3; more > 0; --more) heap.free(heap.allocate(300 + random.below(3000)).mem ?? addr(0)); // of no class
    heap.fillTop();
    for (let most = heap.ask(); most.figures.fits === 'yes'; most = heap.ask()) {
      const { request_bytes } = most.figures;
      expect(Number.isInteger(request_bytes), most.sentence).toBe(true);
      const larger = sizes.filter((size) => size > request_bytes);
      for (const size of random.below(6) === 0 ? [request_bytes + 1, ...larger] : larger.slice(0, 1))
        expect(heap.ask(size).figures.fits, `${most.sentence} ${size}?`).not.toBe('yes');
      expect(heap.malloc(request_bytes).grew, most.sentence).toBe(false);
      from.add(most.figures.from);
    }
    for (const size of sizes) expect(heap.ask(size).figures.fits, `${size}`).not.toBe('yes');
  }
  for (const place of ['cache', 'slab', 'bin']) expect(from).toContain(place);
});

it.each([1, 2])('a slab behind the end of the map fits where both find a place, seed %i', async (seed) => {
  const heap = await TightHeap.start(seed);
  heap.showMalloc();
  const { below } = createRandom(seed);
  for (let block = 0; block < 300; ++block) heap.malloc(16);
  heap.allocate(1_000_000);
  const counts = { yes: 0, no: 0, perhaps: 0 };
  for (let round = 0; round < 20; ++round) {
    while (['slab', 'cache', 'none'].includes(heap.ask(16).figures.from)) heap.malloc(16);
    heap.allocate(150_000); // more than the map reaches
    heap.fillTop();
    while (heap.ask(16).figures.largest_free_bytes > 1000) heap.allocate(1000);
    heap.comb(Array.from({ length: 1 + below(2) }, () => 1100 + below(1500)));
    const { figures, sentence } = heap.ask(16);
    counts[figures.fits] += 1;
    const { grew } = heap.malloc(16);
    if (figures.fits !== 'perhaps') expect(grew, sentence).toBe(figures.fits === 'no');
    heap.fillTop();
  }
  expect(counts.yes).toBeGreaterThan(8);
  expect(counts.perhaps, 'both of one hole').toBeGreaterThan(4);
});
