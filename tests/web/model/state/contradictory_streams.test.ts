// A small share of npm run fuzz:traces, the same cases by the same seeds.

import { expect, test } from 'vitest';
import { encodeTraceFile } from '../../../../web/src/trace/trace_file.ts';
import { contradictoryStream } from '../../../fuzz/contradictory_stream.ts';
import { openCase } from '../../../fuzz/open_case.ts';

const kCases = 30;

test(`${kCases} streams of events that contradict each other leave no state half changed`, async () => {
  let refused = 0;
  let said = 0;
  for (let seed = 1; seed <= kCases; ++seed) {
    const stream = contradictoryStream(seed);
    expect([seed, stream.problem]).toEqual([seed, undefined]);
    refused += stream.refused;
    said += (await openCase(new Uint8Array(encodeTraceFile(stream.trace, 4, {})))) === undefined ? 0 : 1;
  }
  expect(refused).toBeGreaterThan(kCases * 10);
  expect(said).toBeGreaterThan(kCases / 3);
});
