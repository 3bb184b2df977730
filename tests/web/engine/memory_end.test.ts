// Where memory ends, as the map says it: no heap lies beyond, at any moment. A program whose break does not end on a page (sbrk) is
// the hard case, as its events count whole pages below the break.

import { describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { kWholeMap, makeEngine } from './harness.ts';

const kPage = 65_536;
const missing: Readonly<Record<string, string | null>> = await readAvailability();

describe.each(['sqlite', 'lua', 'quickjs', 'malloc', 'mixed_load', 'memory_pools'])('%s', (scenario) => {
  test.skipIf(typeof missing[scenario] === 'string')('every segment lies within memory', async () => {
    const { run, frame } = makeEngine();
    await run(scenario);
    const { head } = (await frame()).status;
    for (let at = 1; at <= head; at += Math.ceil(head / 60)) {
      const { map } = await frame({ at: { to: 'seq', seq: seq(at) }, map: kWholeMap });
      const ends = map?.segments.map(({ base, size }) => base + size) ?? [];
      expect(map?.memoryBytes, `event ${at}`).toBeGreaterThanOrEqual(Math.max(0, ...ends));
      expect((map?.memoryBytes ?? 0) % kPage).toBe(0);
    }
  });
});
