// Programs with instrumented modules, and linked ones, that end at random moments: npm run check:kills runs more of them, and says how much was lost.

import { beforeAll, expect, test } from 'vitest';
import { kEvery } from '../every.ts';
import { type Killed, killAll } from './kills/kills.mjs';

let all: readonly Killed[];
beforeAll(async () => {
  all = await killAll({ runs: kEvery ? 8 : 4, seed: 27, longest: 300 }); // the first four are of instrumented modules
});

const endedBy = (...endings: readonly string[]): readonly Killed[] =>
  all.filter(({ ending }) => endings.includes(ending));

test('on exit and by a trap nothing is lost', () => {
  expect(endedBy('exit', 'trap').map(({ lost, notice }) => [lost, notice])).toEqual(
    Array(kEvery ? 4 : 2).fill([0, undefined]),
  );
});

test('a killed program leaves a trace that can be read, cut at its end', () => {
  for (const { events, notice } of endedBy('program', 'recorder')) {
    expect(events).toBeGreaterThan(0);
    expect(notice).toMatch(/^the file was cut/);
  }
});

test('traces of fewer than 65,536 events are packed too, but where the recorder was killed', () => {
  for (const { bytes, events } of endedBy('exit', 'trap', 'program')) expect(bytes / events).toBeLessThan(4);
  for (const { bytes, events } of endedBy('recorder')) expect(bytes / events).toBeGreaterThanOrEqual(16);
});
