// CE1 and DE1 with little work, on workers with one memory: what does not depend on the machine.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Threads } from '../../web/src/experiments/threads.ts';
import { expectSound, type Sample, sample } from './support/measured.ts';
import { nodeThreads } from './support/node.ts';

let threads: Threads;
beforeAll(async () => {
  threads = await nodeThreads();
});
afterAll(() => threads.dispose());

describe('CE1: writers and readers through an array of pools', () => {
  let ce1: Sample;
  beforeAll(async () => {
    ce1 = await sample('CE1', 200, threads);
  });

  test('CE1 finds no wrong CRC and loses no buffer, whatever the pools and threads', () => expectSound(ce1));

  test('every thread did its part: a reader four times a writer', () => {
    for (const { row, figures } of ce1.results) {
      expect(figures['exchanges'], row.way).toBe((row.threads / 2) * row.iterations * 5);
    }
  });

  test('per thread there are rows of 1, 2, 4 and 8 pools with 8, 16 and 32 threads', () => {
    const rows = ce1.results.filter(({ row }) => row.way.startsWith('per thread') && !row.way.endsWith('soak'));
    const pairs = rows.map(({ row }) => `${row.size} ${row.threads}`);
    expect(pairs).toEqual([1, 2, 4, 8].flatMap((pools) => [8, 16, 32].map((count) => `${pools} ${count}`)));
  });
});

describe('DE1: pairs of allocate and free', () => {
  let de1: Sample;
  beforeAll(async () => {
    de1 = await sample('DE1', 100, threads);
  });

  test('DE1 gives back all memory and finds no error, with caches and with locks', () => expectSound(de1));

  test('each way runs with 1, 2, 4 and 8 threads, each thread the same number of pairs', () => {
    const ways = [...new Set(de1.results.map(({ row }) => row.way))];
    expect(ways).toEqual(['small (thread caches)', 'small, inlined', 'locked heap', 'locked pool', 'malloc']);
    for (const way of ways) {
      for (const count of [1, 2, 4, 8]) {
        expect(de1.figure({ way, threads: count }, 'pairs_per_thread')).toBe(10_000);
      }
    }
  });
});
