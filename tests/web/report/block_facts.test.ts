import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { BlockFacts } from '../../../web/src/report/block_facts.ts';

const kWord = 4;
const usable = (request: number) => Math.max(12, Math.ceil((request + kWord) / 8) * 8 - kWord);

/** Calls by hand; each is an event. */
function calls(within = 1) {
  const facts = new BlockFacts(within);
  let event = 0;
  return {
    facts,
    got: (address: number, request: number) => facts.allocated(address, request, usable(request), ++event, kWord),
    free: (address: number) => facts.freed(address, ++event, true),
    resize: (from: number, to: number, request: number) =>
      facts.resized(from, to, request, usable(request), ++event, kWord),
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

test('between two marks is what was born behind the first, up to the second, and lives at the second or later', () => {
  const { facts, got, free } = calls();
  for (let at = 1; at <= 4; ++at) got(at * 16, at);
  facts.noteBetween(1, 3);
  free(48);
  const figures = facts.siteEntries(5).map(({ figures }) => figures);
  expect(figures).toMatchObject([
    { between_blocks: 2, between_bytes: 2 + 3, between_left_blocks: 1, between_left_bytes: 2 },
  ]);
});

test('of blocks that one call made, the oldest are in the order of their addresses', () => {
  const facts = new BlockFacts(1);
  for (const at of [48, 16, 64, 32]) facts.allocated(at, 8, 12, 7, kWord);
  expect(facts.leakFacts().oldest.map(({ address }) => address)).toEqual([16, 32, 48, 64]);
});

describe('which growth is one', () => {
  /** A block that becomes so many times as large four times, by new and free. */
  const grownBy = (ratio: number) => {
    const { facts, got, free } = calls();
    let size = 10_000;
    got(100_000, size);
    for (let at = 200_000; at <= 500_000; at += 100_000) {
      size *= ratio;
      got(at, size);
      free(at - 100_000);
    }
    return facts.grown.finish().blocks;
  };

  test('a step makes the block 1.4 to 2.6 times as large, both of them included', () => {
    expect([1.3, 1.4, 2, 2.6, 2.7].map(grownBy)).toEqual([0, 1, 1, 1, 0]);
  });

  test('reserves are for the ten that copied most, the most first; all are counted', () => {
    const { facts, got, resize } = calls();
    for (let nth = 1; nth <= 12; ++nth) {
      const at = nth * 1_000_000;
      got(at, 1000 * nth);
      for (let step = 1; step <= 3; ++step) resize(at + (step - 1) * 1000, at + step * 1000, 1000 * nth + step);
    }
    const { blocks, copied, best } = facts.grown.finish();
    expect(blocks).toBe(12);
    expect(copied).toBe(78 * 3000 + 12 * 3);
    expect(best.map(({ first_bytes }) => first_bytes)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => n * 1000));
  });

  test('of more than 4096 blocks that grow at once the one that waits longest is followed no further', () => {
    const stepsOfFirst = (others: number) => {
      const { facts, got, resize } = calls();
      got(16, 10_000);
      resize(16, 32, 11_000);
      resize(32, 16, 12_000);
      for (let nth = 1; nth <= others; ++nth) {
        got(nth * 1000, 10);
        resize(nth * 1000, nth * 1000 + 100, 20);
      }
      resize(16, 32, 13_000);
      return facts.grown.finish().blocks;
    };
    expect([stepsOfFirst(4095), stepsOfFirst(4096)]).toEqual([1, 0]);
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

  test('a block that begins where one lived replaces it, and is counted; what a snapshot finds there is not', () => {
    const { facts, got } = calls();
    got(16, 100);
    got(16, 30);
    expect(facts).toMatchObject({ liveBytes: 30, replaced: 1 });
    facts.found(16, 28, 5, kWord);
    expect(facts).toMatchObject({ liveBytes: 28, replaced: 1 });
  });

  test('after a loss it is what the snapshot found, which has no lifetime', () => {
    const { facts, got, free } = calls();
    got(16, 100);
    facts.lost(1000);
    facts.lost(7);
    facts.forgotten();
    expect(facts.lostEvents).toBe(1007);
    facts.found(64, 28, 5, kWord);
    free(64);
    free(16);
    expect(facts.totals).toMatchObject({ frees: 1, unknown_frees: 1 });
    expect(facts.lifetimeFacts().by_allocations).toEqual([]);
    expect(facts.liveBytes).toBe(0);
  });
});

/** Everything that happened, one entry a call; what is asked is counted anew over the whole list. */
interface Happened {
  readonly what: 'got' | 'freed' | 'resized';
  readonly block: number;
  readonly bytes: number;
  readonly moved: boolean;
}

test.each([1, 2, 3, 4])('random calls give the figures that the whole list of them gives (seed %i)', (seed) => {
  const random = createRandom(seed);
  const within = 1 + random.below(4);
  const { facts, got, free, resize } = calls(within);
  const list: Happened[] = [];
  const addresses = new Map<number, number>(); // by block, of those that live
  const failures = random.below(5);
  for (let nth = 0, next = 16; nth < 400; ++nth) {
    const live = [...addresses.keys()];
    const block = live[random.below(live.length)] ?? 0;
    const bytes = 8 * (1 + random.below(12));
    const kind = random.below(10);
    if (kind < 5 || live.length === 0) {
      list.push({ what: 'got', block: nth, bytes, moved: false });
      next += 1000;
      addresses.set(nth, next);
      got(next, bytes);
    } else if (kind < 8) {
      list.push({ what: 'freed', block, bytes: 0, moved: false });
      free(addresses.get(block) ?? 0);
      addresses.delete(block);
    } else {
      const moved = random.below(2) === 0;
      list.push({ what: 'resized', block, bytes, moved });
      const from = addresses.get(block) ?? 0;
      if (moved) next += 1000;
      if (moved) addresses.set(block, next);
      resize(from, addresses.get(block) ?? 0, bytes);
    }
  }
  for (let nth = 0; nth < failures; ++nth) facts.failed();
  free(8); // of no block

  const bytesOf = (block: number, end: number) =>
    list.slice(0, end).findLast((one) => one.block === block && one.what !== 'freed')?.bytes ?? 0;
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  const nths = (what: Happened['what']) => [...list.keys()].filter((nth) => list[nth]?.what === what);
  const liveAt = (end: number) =>
    nths('got').filter(
      (nth) => nth < end && !list.slice(0, end).some(({ what, block }) => what === 'freed' && block === nth),
    );
  const liveBytesAt = (end: number) => sum(liveAt(end).map((block) => bytesOf(block, end)));
  const resized = nths('resized').map((nth) => ({
    ...(list[nth] as Happened),
    before: bytesOf(list[nth]?.block ?? 0, nth),
  }));
  const moves = resized.filter(({ moved }) => moved);
  expect(facts.totals).toMatchObject({
    allocations: nths('got').length,
    allocated_bytes: sum(nths('got').map((nth) => list[nth]?.bytes ?? 0)),
    frees: nths('freed').length,
    freed_bytes: sum(nths('freed').map((nth) => bytesOf(list[nth]?.block ?? 0, nth))),
    reallocations: resized.length,
    resized_bytes: sum(resized.map(({ bytes, before }) => bytes - before)),
    moved_reallocations: moves.length,
    moved_bytes: sum(moves.map(({ bytes, before }) => Math.min(bytes, before))),
    failed_calls: failures,
    unknown_frees: 1,
  });
  const all = Array.from({ length: list.length + 1 }, (_, end) => liveBytesAt(end));
  const peak = Math.max(...all);
  const peakEnd = all.indexOf(peak);
  expect(facts).toMatchObject({
    liveBytes: all.at(-1),
    peakBytes: peak,
    peakEvent: peakEnd,
    peakBlocks: liveAt(peakEnd).length,
  });

  // A block's own resizes are not among what others did between its birth and its end.
  const lives = nths('freed').map((end) => {
    const block = list[end]?.block ?? 0;
    const between = list.slice(block + 1, end).filter((one) => one.what !== 'freed' && one.block !== block);
    const bytes = sum(
      list
        .slice(block + 1, end)
        .filter(({ what }) => what === 'got')
        .map((one) => one.bytes),
    );
    return { between: between.length, bytes, size: bytesOf(block, end) };
  });
  const temporary = lives.filter(({ between }) => between < within);
  expect(facts.temporaryFacts()).toMatchObject({
    within_allocations: within,
    allocations: temporary.length,
    bytes: sum(temporary.map(({ size }) => size)),
    share: temporary.length / nths('got').length,
  });
  const bySize = facts.temporaryFacts().by_size;
  for (const { request_bytes, allocations } of bySize)
    expect(allocations).toBe(temporary.filter(({ size }) => size === request_bytes).length);
  expect(sum(bySize.map(({ allocations }) => allocations))).toBe(temporary.length);
  const { by_allocations, by_bytes, never_freed } = facts.lifetimeFacts();
  const last = liveAt(list.length);
  expect(never_freed).toBe(last.length);
  for (const [rows, of] of [
    [by_allocations, (life: (typeof lives)[number]) => life.between],
    [by_bytes, (life: (typeof lives)[number]) => life.bytes],
  ] as const) {
    expect(sum(rows.map(({ allocations }) => allocations))).toBe(lives.length);
    for (const { from, to, allocations, bytes } of rows) {
      const those = lives.filter((life) => of(life) >= from && of(life) <= to);
      expect([allocations, bytes], `${from} to ${to}`).toEqual([those.length, sum(those.map(({ size }) => size))]);
    }
  }
  const leaks = facts.leakFacts();
  expect([leaks.blocks, leaks.bytes]).toEqual([last.length, all.at(-1)]);
  const sizes = last.map((block) => bytesOf(block, list.length));
  for (const { request_bytes, blocks, bytes } of leaks.by_size)
    expect([blocks, bytes]).toEqual([sizes.filter((size) => size === request_bytes).length, blocks * request_bytes]);
  expect(leaks.by_size.map(({ bytes }) => bytes)).toEqual(
    leaks.by_size.map(({ bytes }) => bytes).sort((x, y) => y - x),
  );
  leaks.oldest.forEach(({ address, request_bytes, event, age_allocations }, nth) => {
    const block = last[nth] ?? -1;
    expect([address, request_bytes, event]).toEqual([addresses.get(block), bytesOf(block, list.length), block + 1]);
    expect(age_allocations).toBe(
      list.slice(block + 1).filter((one) => one.what !== 'freed' && one.block !== block).length,
    );
  });
});
