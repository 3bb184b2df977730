// Programs with instrumented modules, and linked ones, that end at random moments: npm run check:kills runs more of them, and says how much was lost.

import { beforeAll, expect, test } from 'vitest';
import { kEvery } from '../every.ts';
import { type Killed, killAll } from './kills/kills.mjs';

let all: readonly Killed[];
beforeAll(async () => {
  all = await killAll({ runs: kEvery ? 11 : 5, seed: 29, longest: 300 }); // the first five are of instrumented modules
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

test('a tab whose process is killed leaves what it had recorded, at least half of it', () => {
  expect(endedBy('tab')).toHaveLength(kEvery ? 2 : 1);
  for (const { calls, lost } of endedBy('tab')) expect(lost).toBeLessThanOrEqual(calls / 2 + 64);
});

test.runIf(kEvery)('of a page that hangs when a test closes it nothing is lost', () => {
  expect(endedBy('closed').map(({ lost }) => lost)).toEqual([0]);
});

test('traces of fewer than 65,536 events are packed too, whoever was killed', () => {
  for (const { bytes, events } of all) expect(bytes / events).toBeLessThan(4);
});
