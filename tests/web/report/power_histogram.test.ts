// Each value lies in the bucket that says so, however large it is.

import { expect, test } from 'vitest';
import { PowerHistogram } from '../../../web/src/report/power_histogram.ts';

test.each([0, 1, 2, 3, 4, 255, 256, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 49 - 1, 2 ** 53 - 1])(
  'the value %i lies in its bucket',
  (value) => {
    const histogram = new PowerHistogram();
    histogram.add(value, 7);
    histogram.add(value, 5);
    const buckets = histogram.buckets();
    expect(buckets).toMatchObject([{ allocations: 2, bytes: 12 }]);
    expect([(buckets[0]?.from ?? -1) <= value, (buckets[0]?.to ?? -1) >= value]).toEqual([true, true]);
  },
);
