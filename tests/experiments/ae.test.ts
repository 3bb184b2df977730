// AE1 to AE5 with little work: what does not depend on the machine. Counts are those of one vector or one list.

import { beforeAll, describe, expect, test } from 'vitest';
import { boostVersions } from '../../tools/boost_headers.mjs';
import { expectSound, type Sample, sample } from './support/measured.ts';

const kSizes = [10, 100, 1000, 10_000] as const;

describe.skipIf(boostVersions().length === 0)('with Boost', () => {
  describe('AE1: a vector grows at its end', () => {
    let ae1: Sample;
    beforeAll(async () => {
      ae1 = await sample('AE1', 1000);
    });

    test('AE1 gives back all memory, finds no error and counts the same in every round', () => expectSound(ae1));

    test('at 10 elements V2 asks 4 times, as in the document, V1 and the standard allocator 7 times', () => {
      const calls = (way: string) => ae1.figure({ way, size: 10 }, 'calls');
      expect([calls('std'), calls('V1'), calls('V2 masked'), calls('V2')]).toEqual([7, 7, 4, 4]);
    });

    test('only V2 expands, and after one buffer it only expands', () => {
      for (const size of kSizes) {
        for (const way of ['std', 'V1', 'V2 masked']) {
          const { calls, allocations, expansions_fwd, expansions_bwd } = ae1.of({ way, size });
          expect([allocations, expansions_fwd, expansions_bwd], way).toEqual([calls, 0, 0]);
        }
        const { calls, allocations, expansions_fwd, expansions_bwd } = ae1.of({ way: 'V2', size });
        expect([allocations, expansions_fwd, expansions_bwd]).toEqual([1, (calls ?? 0) - 1, 0]);
      }
    });

    test.each([
      ['V1', [14, 142, 1484, 15_553]],
      ['V2 masked', [15, 105, 1109, 11_637]],
      ['V2', [15, 105, 1109, 11_637]],
    ])('capacities of %s are %j', (way, capacities) => {
      expect(kSizes.map((size) => ae1.figure({ way, size }, 'capacity'))).toEqual(capacities);
    });

    test('expansion never holds two buffers at once', () => {
      for (const size of kSizes) {
        const { capacity, peak_held_bytes } = ae1.of({ way: 'V2', size });
        expect(peak_held_bytes).toBe(4 * (capacity ?? 0));
        expect(peak_held_bytes).toBeLessThan(ae1.figure({ way: 'V1', size }, 'peak_held_bytes'));
      }
    });
  });

  describe('AE2: a vector grows towards its front', () => {
    let ae2: Sample;
    beforeAll(async () => {
      ae2 = await sample('AE2', 1000);
    });

    test('AE2 gives back all memory, finds no error and counts the same in every round', () => expectSound(ae2));

    test('V2 without forward expansion grows backwards at every size, and forwards never', () => {
      const backward = kSizes.map((size) => ae2.figure({ way: 'V2', size }, 'expansions_bwd'));
      expect(backward).toEqual([1, 3, 6, 8]);
      for (const size of kSizes) expect(ae2.figure({ way: 'V2', size }, 'expansions_fwd')).toBe(0);
    });

    test('each growth is a new buffer or a backward expansion', () => {
      for (const size of kSizes) {
        const { calls, allocations, expansions_bwd } = ae2.of({ way: 'V2', size });
        expect((allocations ?? 0) + (expansions_bwd ?? 0)).toBe(calls);
      }
    });
  });

  describe('AE3: a vector shrinks to fit', () => {
    let ae3: Sample;
    beforeAll(async () => {
      ae3 = await sample('AE3', 100);
    });

    test('AE3 gives back all memory, finds no error and counts the same in every round', () => expectSound(ae3));

    test.each([
      [10_000, 2000],
      [200, 40],
      [500, 100],
    ])('%i elements: V1 moves to a new buffer %i times, V2 never', (size, steps) => {
      expect(ae3.of({ way: 'V1', size })).toMatchObject({ allocations: steps, shrinks: 0 });
      expect(ae3.of({ way: 'V2', size })).toMatchObject({ allocations: 1, shrinks: steps - 1 });
    });
  });

  describe('AE4: ranges of a list', () => {
    test('AE4 gives back all memory, finds no error and counts the same in every round', async () => {
      expectSound(await sample('AE4', 100));
    });

    test('V2 makes one call for a range of any size, V1 and the standard allocator one a node', async () => {
      const ae4 = await sample('AE4', 100);
      for (const size of kSizes) {
        const calls = (way: string) => ae4.figure({ way, size }, 'calls');
        expect([calls('std'), calls('V1'), calls('V2')]).toEqual([size, size, 1]);
      }
    });
  });

  describe('AE5: eight allocators of list nodes', () => {
    const kPools = ['align-only V1', 'align-only V2', '2 % V1', '2 % V2'];
    let ae5: Sample;
    beforeAll(async () => {
      ae5 = await sample('AE5', 10);
    });

    test('AE5 gives back all memory, finds no error and counts the same in every round', () => expectSound(ae5));

    test('the plain heap takes a third more than the nodes, pools and segregated storage less than 2 %', () => {
      for (const size of kSizes) {
        const overhead = (way: string) => ae5.figure({ way, size }, 'overhead_percent');
        for (const way of ['plain V1', 'plain V2']) expect(overhead(way)).toBeCloseTo(33.33, 1);
        for (const way of [...kPools, 'segregated V1', 'segregated V2']) expect(overhead(way), way).toBeLessThan(2);
      }
    });

    test('of an empty list an adaptive pool keeps 2 blocks of 4096 bytes, the plain heap nothing', () => {
      for (const size of kSizes) {
        for (const way of kPools) expect(ae5.figure({ way, size }, 'in_use_after_erasure'), way).toBe(8192);
        for (const way of ['plain V1', 'plain V2']) expect(ae5.figure({ way, size }, 'in_use_after_erasure')).toBe(0);
      }
    });

    test('segregated storage keeps every node, and its heap returns no page that a node is in', () => {
      for (const size of kSizes) {
        for (const way of ['segregated V1', 'segregated V2']) {
          const { in_use_after_erasure, system_bytes_after } = ae5.of({ way, size });
          expect(in_use_after_erasure).toBeGreaterThanOrEqual(200_000 * 12);
          expect(system_bytes_after).toBeGreaterThanOrEqual(in_use_after_erasure ?? 0);
        }
      }
    });

    test('adaptive pools let the heap trim itself to one page, as the plain heap does', () => {
      for (const way of [...kPools, 'plain V1', 'plain V2']) {
        expect(ae5.figure({ way, size: 1000 }, 'system_bytes_after'), way).toBe(65_536);
      }
    });
  });
});
