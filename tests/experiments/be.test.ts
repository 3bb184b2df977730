// BE1 with a tenth of the work: what does not depend on the machine.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, type Sample, sample } from './support/measured.ts';

describe('BE1: five lists of strings', () => {
  let be1: Sample;
  beforeAll(async () => {
    be1 = await sample('BE1', 10);
  });

  test('BE1 gives back all memory, finds no error and counts the same in every round', () => expectSound(be1));

  test.each([20_000, 40_000, 150_000])(
    'a list in a pool of its own reads half the lines, and fewer pages, %i operations',
    (size) => {
      const heap = be1.of({ way: 'one heap', size });
      const pools = be1.of({ way: 'a pool a list', size });
      expect(pools['pages_64k']).toBeLessThan((heap['pages_64k'] ?? 0) / 1.5);
      expect(pools['lines_64']).toBeLessThan((heap['lines_64'] ?? 0) / 1.9);
    },
  );

  test('five lists in one heap lie on five times the pages, as in the document', () => {
    expect(be1.figure({ way: 'one heap', size: 150_000 }, 'pages_64k')).toBe(40);
    expect(be1.figure({ way: 'a pool a list', size: 150_000 }, 'pages_64k')).toBe(8);
  });
});
