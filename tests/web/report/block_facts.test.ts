import { describe, expect, test } from 'vitest';
import { BlockFacts } from '../../../web/src/report/block_facts.ts';

const kWord = 4;
const usable = (request: number) => Math.max(12, Math.ceil((request + kWord) / 8) * 8 - kWord);

/** Calls by hand; each is an event. */
function calls(within = 1) {
  const facts = new BlockFacts(kWord, within);
  let event = 0;
  return {
    facts,
    got: (address: number, request: number) => facts.allocated(address, request, usable(request), ++event),
    free: (address: number) => facts.freed(address, ++event, true),
    resize: (from: number, to: number, request: number) => facts.resized(from, to, request, usable(request), ++event),
  };
}

describe('temporaries', () => {
  test('a block is one when it is freed before the next allocation, and not after it', () => {
    const { facts, got, free } = calls();
    got(16, 10);
    free(16);
    got(32, 10);
    got(48, 20);
    free(32); // one allocation between
    expect(facts.temporaryFacts()).toMatchObject({ allocations: 1, bytes: 10, share: 1 / 3 });
  });

  test('a block that was resized and freed with nothing of others between is one', () => {
    const { facts, got, free, resize } = calls();
    got(16, 10);
    resize(16, 5000, 40);
    resize(5000, 16, 80);
    free(16);
    expect(facts.temporaryFacts()).toMatchObject({ allocations: 1, bytes: 80 });
  });

  test('within n further allocations, a resize of another block counting as one', () => {
    const { facts, got, free, resize } = calls(3);
    got(16, 10);
    got(32, 10);
    resize(32, 32, 12);
    free(16); // two between
    got(48, 10);
    free(32); // one between
    expect(facts.temporaryFacts().allocations).toBe(2);
  });
});

describe('lifetimes', () => {
  test('count the allocations and the bytes between birth and end', () => {
    const { facts, got, free } = calls();
    got(16, 10);
    for (let i = 1; i <= 5; ++i) got(16 + i * 16, 100);
    free(16);
    const { by_allocations, by_bytes, never_freed } = facts.lifetimeFacts();
    expect(by_allocations).toEqual([{ from: 4, to: 7, allocations: 1, bytes: 10 }]);
    expect(by_bytes).toEqual([{ from: 256, to: 511, allocations: 1, bytes: 10 }]);
    expect(never_freed).toBe(5);
  });
});

describe('blocks that grew by copies', () => {
  test('by realloc: a block that moved again and again, with what was copied', () => {
    const { facts, got, resize, free } = calls();
    got(16, 1000);
    resize(16, 5000, 2000);
    resize(5000, 5000, 2500); // in place: no copy
    resize(5000, 9000, 5000);
    resize(9000, 20_000, 10_000);
    free(20_000);
    expect(facts.grown.finish()).toMatchObject({
      blocks: 1,
      copied: 1000 + 2500 + 5000,
      best: [{ first_bytes: 1000, last_bytes: 10_000, steps: 3, how: 'reallocate' }],
    });
  });

  test('by new, copy, free; a block twice as large that is freed first is none', () => {
    const { facts, got, free } = calls();
    let at = 16;
    got(at, 500);
    for (let size = 1000; size <= 8000; size *= 2) {
      got(at + 100_000, size);
      free(at);
      at += 100_000;
    }
    for (let i = 0; i < 10; ++i) {
      got(16, 4000);
      got(64, 1000);
      free(16);
      free(64);
    }
    expect(facts.grown.finish().best).toEqual([
      {
        first_bytes: 500,
        last_bytes: 8000,
        steps: 4,
        copied_bytes: 7500,
        event: expect.any(Number),
        how: 'allocate_and_free',
      },
    ]);
  });
});

describe('what is live', () => {
  test('adds up, and the peak is where it was', () => {
    const { facts, got, free, resize } = calls();
    got(16, 100);
    got(200, 50);
    resize(200, 400, 80); // event 3: 180
    free(16);
    got(16, 30);
    expect(facts).toMatchObject({ liveBytes: 110, peakBytes: 180, peakEvent: 3, peakBlocks: 2 });
    const { allocated_bytes, resized_bytes, freed_bytes } = facts.totals;
    expect(allocated_bytes + resized_bytes - freed_bytes).toBe(110);
    expect(facts.leakFacts().oldest.map(({ address }) => address)).toEqual([400, 16]);
  });

  test('after a loss it is what the snapshot found, which has no lifetime', () => {
    const { facts, got, free } = calls();
    got(16, 100);
    facts.lost(1000);
    facts.forgotten();
    facts.found(64, 28, 5);
    free(64);
    free(16);
    expect(facts.totals).toMatchObject({ frees: 1, unknown_frees: 1 });
    expect(facts.lifetimeFacts().by_allocations).toEqual([]);
    expect(facts.liveBytes).toBe(0);
  });
});
