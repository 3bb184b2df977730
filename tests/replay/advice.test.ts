// Advice is given where a program was made to need it, and nowhere else. Memory alone decides here: it is exact.

import { describe, expect, test } from 'vitest';
import { adviceCandidates, kMostTried } from '../../web/src/replay/advice_candidates.ts';
import { streamsFor } from '../../web/src/replay/advice_streams.ts';
import { livesOf } from '../../web/src/replay/block_lives.ts';
import { isGain, measuredAdvice } from '../../web/src/replay/measured_advice.ts';
import { idOfWord, kindOfWord, OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';
import { ReplayFailed } from '../../web/src/replay/player.ts';
import { countOperations } from '../../web/src/replay/program_facts.ts';
import type { AdviceFacts } from '../../web/src/replay/replay_types.ts';
import { randomOperations } from './random_operations.ts';

const kOptions = { rounds: 0, poolCodeBytes: 1000, stackOf: (site: number) => [`function_${site}@app.c:9`, 'main'] };

const adviceFor = (words: Uint32Array, sites = new Uint32Array(words.length / 2)): Promise<AdviceFacts> =>
  measuredAdvice({ words, sites, events: new Uint32Array(words.length / 2), notices: [] }, [], 'dlmalloc', kOptions);

/** 30,000 nodes of 20 bytes live at once: a header and rounding each. */
function manyNodes(): Uint32Array {
  const list = new OperationList();
  for (let id = 0; id < 30_000; ++id) list.add(OperationKind.malloc, id, 20);
  for (let id = 0; id < 30_000; ++id) list.add(OperationKind.free, id, 0);
  return list.words();
}

/** A vector of 16 MiB that grows by a new block each time, as std::vector does. */
function vectorByCopies(): Uint32Array {
  const list = new OperationList();
  list.add(OperationKind.malloc, 0, 64);
  let id = 0;
  for (let size = 128; size <= 16 << 20; size *= 2) {
    list.add(OperationKind.malloc, 1 - id, size);
    list.add(OperationKind.free, id, 0);
    id = 1 - id;
  }
  list.add(OperationKind.free, id, 0);
  return list.words();
}

/** Eleven blocks that grow in turns by realloc to 1 MiB, one to 2 MiB: each leaves holes that the others do not fill. */
function growInTurns(): Uint32Array {
  const list = new OperationList();
  for (let id = 0; id < 11; ++id) list.add(OperationKind.malloc, id, 1000);
  for (let size = 2000; size < 1 << 20; size = Math.ceil(size * 1.3)) {
    for (let id = 0; id < 11; ++id) list.add(OperationKind.realloc, id, size);
  }
  list.add(OperationKind.realloc, 5, 2 << 20);
  for (let id = 0; id < 11; ++id) list.add(OperationKind.free, id, 0);
  return list.words();
}

describe('advice', () => {
  test('names a pool where many equal blocks live at once, with the peaks of both replays', async () => {
    const { list } = await adviceFor(manyNodes());
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      kind: 'pool',
      request_bytes: 20,
      blocks: 30_000,
      code_difference_bytes: 1000,
      time: null,
    });
    expect(list[0]?.peak_after_bytes).toBeLessThan((list[0]?.peak_before_bytes ?? 0) * 0.95);
    expect(list[0]?.sentence).toMatch(
      /^take the 30,000 blocks of 20\u202fB from a pool: a peak of .* instead of .*more code$/,
    );
  });

  test('names the site where there is one: only its blocks go to the pool', async () => {
    const words = manyNodes();
    const sites = new Uint32Array(words.length / 2);
    for (let nth = 0; nth < 30_000; nth += 3) sites[nth] = 7;
    const { list } = await adviceFor(words, sites);
    expect(list.map(({ site, blocks }) => [site[0] ?? '', blocks])).toContainEqual(['', 20_000]);
    expect(
      list
        .filter(({ site }) => site.length > 0)
        .every(({ sentence }) => sentence.includes('from function_7 (app.c:9)')),
    ).toBe(true);
  });

  test('names growth in place where a vector moves by new blocks', async () => {
    const { list } = await adviceFor(vectorByCopies());
    expect(list.map(({ kind }) => kind)).toEqual(['in_place']);
    expect(list[0]?.peak_after_bytes).toBeLessThan((list[0]?.peak_before_bytes ?? 0) * 0.8);
  });

  test('names a reserve where blocks grow by realloc', async () => {
    const { list } = await adviceFor(growInTurns());
    expect(list.map(({ kind }) => kind)).toEqual(['reserve']);
    expect(list[0]).toMatchObject({ request_bytes: 1000, blocks: 11 });
  });

  test('is not given to a program that gains nothing, which is said', async () => {
    const list = new OperationList();
    for (let round = 0; round < 50; ++round) {
      for (let id = 0; id < 120; ++id) list.add(OperationKind.malloc, id, 36); // with its header a chunk of 40 bytes, none to save
      for (let id = 0; id < 120; ++id) list.add(OperationKind.free, id, 0);
    }
    expect(await adviceFor(list.words())).toEqual({ list: [], without_gain: 1 });
  });

  test("is not given where a replay fails; any other error is the caller's", async () => {
    const words = manyNodes();
    const withClock = (clock: () => number) =>
      measuredAdvice(
        { words, sites: new Uint32Array(words.length / 2), events: new Uint32Array(words.length / 2), notices: [] },
        [],
        'dlmalloc',
        { ...kOptions, rounds: 1, clock },
      );
    const thrown = (error: Error) => () => {
      throw error;
    };
    expect(await withClock(thrown(new ReplayFailed('no memory')))).toEqual({ list: [], without_gain: 1 });
    await expect(withClock(thrown(new Error('no clock')))).rejects.toThrow('no clock');
  });
});

test.each([
  ['pool', manyNodes()],
  ['in_place', vectorByCopies()],
  ['reserve', growInTurns()],
] as const)('what is tried for a %s asks for the same blocks as the program', (kind, special) => {
  const words = new Uint32Array([special, randomOperations(11, 5000)].flatMap((part) => [...part]));
  const lives = livesOf(words);
  const before = countOperations(words).program;
  const candidates = adviceCandidates({ words, sites: new Uint32Array(words.length / 2) }, lives);
  const tried = candidates.find((candidate) => candidate.kind === kind);
  if (tried === undefined) throw new Error('nothing is tried');
  const { after } = streamsFor(tried, words, lives);
  expect(isLegal(words) && isLegal(after)).toBe(true);
  const { program } = countOperations(after);
  expect(program.end_live_bytes).toBe(before.end_live_bytes);
  if (kind === 'pool') expect(program).toEqual(before);
  if (kind === 'in_place') expect(program.mallocs).toBeLessThan(before.mallocs);
  if (kind === 'reserve') {
    expect(program.reallocs).toBeLessThan(before.reallocs);
    expect(program.peak_live_bytes).toBeGreaterThanOrEqual(before.peak_live_bytes);
  }
});

test('what grows in place has an id that no other block has', () => {
  const list = new OperationList();
  for (let id = 2; id < 60; ++id) list.add(OperationKind.malloc, id, 16); // they live all the time
  const words = new Uint32Array([...list.words(), ...vectorByCopies()]);
  const lives = livesOf(words);
  const candidates = adviceCandidates({ words, sites: new Uint32Array(words.length / 2) }, lives);
  const tried = candidates.find(({ kind }) => kind === 'in_place');
  if (tried === undefined) throw new Error('nothing is tried');
  const first = idOfWord(streamsFor(tried, words, lives).after[list.count * 2] as number);
  expect(first).toBe(60);
});

test('of many candidates of a kind those are tried that touch most, the first before the others', () => {
  const list = new OperationList();
  const counts = [130, 400, 110, 300, 200, 500];
  let id = 0;
  for (const [nth, count] of counts.entries())
    for (let n = 0; n < count; ++n) list.add(OperationKind.malloc, id++, 24 + 16 * nth);
  for (let n = 0; n < id; ++n) list.add(OperationKind.free, n, 0);
  const words = list.words();
  const tried = adviceCandidates({ words, sites: new Uint32Array(words.length / 2) }, livesOf(words));
  const pools = tried.filter(({ kind }) => kind === 'pool');
  expect(pools.map(({ blocks }) => blocks)).toEqual(counts.toSorted((x, y) => y - x).slice(0, kMostTried));
});

/** What is tried for a program, of which kinds. */
function kindsFor(program: (list: OperationList) => void): readonly string[] {
  const list = new OperationList();
  program(list);
  const words = list.words();
  return adviceCandidates({ words, sites: new Uint32Array(words.length / 2) }, livesOf(words)).map(({ kind }) => kind);
}

test('a pool is tried for a hundred blocks that live at once, of at most 1024 bytes', () => {
  const atOnce = (count: number, size: number) =>
    kindsFor((list) => {
      for (let id = 0; id < count; ++id) list.add(OperationKind.malloc, id, size);
    });
  expect([atOnce(99, 24), atOnce(100, 24), atOnce(100, 1024), atOnce(100, 1025), atOnce(100, 0)]).toEqual([
    [],
    ['pool'],
    ['pool'],
    [],
    [],
  ]);
});

test('growth in place is tried for a block that moved three times, and by which 16 KiB were copied', () => {
  const movedBy = (...sizes: number[]) =>
    kindsFor((list) => {
      for (const [nth, size] of sizes.entries()) {
        list.add(OperationKind.malloc, nth % 2, size);
        if (nth > 0) list.add(OperationKind.free, 1 - (nth % 2), 0);
      }
    });
  expect(movedBy(10_000, 20_000, 40_000)).toEqual([]);
  expect(movedBy(10_000, 20_000, 40_000, 80_000)).toEqual(['in_place']);
  expect(movedBy(2340, 4680, 9360, 18_720)).toEqual([]); // 16,380 bytes
  expect(movedBy(2344, 4680, 9360, 18_720)).toEqual(['in_place']); // 16,384
});

test('a reserve is tried for a block that grew three times, and by which 16 KiB were copied', () => {
  const grownBy = (...sizes: number[]) =>
    kindsFor((list) => {
      for (const [nth, size] of sizes.entries())
        list.add(nth === 0 ? OperationKind.malloc : OperationKind.realloc, 0, size);
    });
  expect(grownBy(10_000, 20_000, 40_000)).toEqual([]);
  expect(grownBy(10_000, 20_000, 40_000, 80_000)).toEqual(['reserve']);
  expect(grownBy(2340, 4680, 9360, 18_720)).toEqual([]);
  expect(grownBy(2344, 4680, 9360, 18_720)).toEqual(['reserve']);
});

/** Births of ids that are free, all else of ids that live. */
function isLegal(words: Uint32Array): boolean {
  const live = new Set<number>();
  for (let at = 0; at < words.length; at += 2) {
    const kind = kindOfWord(words[at] as number);
    const id = idOfWord(words[at] as number);
    const ends = kind === OperationKind.free || kind === OperationKind.nodeFree;
    if (live.has(id) !== (ends || kind === OperationKind.realloc)) return false;
    if (ends) live.delete(id);
    else live.add(id);
  }
  return true;
}

test.each([
  [{ ratios: [0.9, 0.91, 0.9], noise: [1.01, 0.99, 1], before: 1 << 20, after: 1 << 20 }, true],
  [{ ratios: [0.9, 0.91, 0.9], noise: [1.2, 0.99, 1], before: 1 << 20, after: 1 << 20 }, false], // the machine is not quiet
  [{ ratios: [0.9, 0.91, 0.9], noise: [1, 1, 1], before: 1 << 20, after: 2 << 20 }, false], // it costs memory
  [{ ratios: [1, 1, 1], noise: [1, 1, 1], before: 4 << 20, after: 3 << 20 }, true],
  [{ ratios: [1.2, 1.2, 1.2], noise: [1, 1, 1], before: 4 << 20, after: 3 << 20 }, false], // it costs time
  [{ ratios: [], noise: [], before: 400 << 20, after: (400 << 20) - 65_536 }, false], // a page of 400 MiB
])('%j is a gain: %s', (figures, gain) => {
  expect(isGain(figures)).toBe(gain);
});
