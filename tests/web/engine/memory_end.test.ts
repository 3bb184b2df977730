// Where memory ends, as the map says it: no heap lies beyond, at any moment. A program whose break does not end on a page (sbrk) is
// the hard case: memory then reaches to the end of the page in which the break lies.

import { describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { kWholeMap, makeEngine } from './harness.ts';

const kPage = 65_536;
const isSegment = (kind: number): boolean => kind === EventKind.segmentAdded || kind === EventKind.segmentExtended;
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

  test.skipIf(typeof missing[scenario] === 'string')('memory_grown says what the heap then takes of it', async () => {
    const { ask, run, frame } = makeEngine();
    await run(scenario);
    const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const memoryAt = async (event: number) =>
      (await frame({ at: { to: 'seq', seq: seq(event) }, map: kWholeMap })).map?.memoryBytes;
    const grown = Array.from({ length: trace.count }, (_, event) => event).filter(
      (event) => trace.kind(event) === EventKind.memoryGrown,
    );
    if (scenario !== 'memory_pools') expect(grown.length).toBeGreaterThan(0);
    for (const event of grown.slice(0, 40)) {
      const takes = [1, 2].find((by) => isSegment(trace.kind(event + by))); // a heap that begins is made in between
      if (takes === undefined) throw new Error(`event ${event}: no heap takes the memory`);
      const taken = event + takes + 1;
      const [before, then, behind] = [await memoryAt(event), await memoryAt(event + 1), await memoryAt(taken)];
      expect([before, then], `event ${event}`).toEqual([trace.a(event) * kPage, trace.b(event) * kPage]);
      expect(behind, `event ${taken}`).toBe(then);
    }
  });
});
