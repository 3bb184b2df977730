import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { makeReport } from '../../../web/src/report/report.ts';
import { playCounted } from './counted_heap.ts';

const schema: unknown = JSON.parse(
  readFileSync(new URL('../../../web/src/report/report_schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv().compile(schema as object);

describe('a report of random calls', () => {
  for (const seed of [1, 2, 3]) {
    test(`says what the caller counted itself (seed ${seed})`, async () => {
      const { file, counted } = await playCounted(seed, 5000);
      const report = makeReport(file, { name: 'random' });
      expect(report.notices).toEqual([]);
      expect(report.totals).toMatchObject({
        allocations: counted.allocations,
        allocated_bytes: counted.allocatedBytes,
        frees: counted.frees,
        freed_bytes: counted.freedBytes,
        reallocations: counted.resizes,
        unknown_frees: 0,
      });
      expect(report.peak.live.bytes).toBe(counted.peakBytes);
      expect(report.leaks).toMatchObject({ blocks: counted.live.size, bytes: counted.liveBytes });
      expect(report.trace.proof).toMatchObject({ equal: true });
      expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    });
  }
});
