// The list of planted faults fits the sources: a fault without a place would not be planted, and nothing would be said of the suite.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kAreas } from './areas.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const faults = Object.values(kAreas).flat();

test('there are a hundred planted faults or more, each with words of its own', () => {
  expect(faults.length).toBeGreaterThanOrEqual(100);
  expect(new Set(faults.map(({ what }) => what)).size).toBe(faults.length);
});

test('the text that a planted fault replaces stands in its file once', () => {
  const elsewhere = faults.filter(({ file, from }) => readFileSync(root + file, 'utf8').split(from).length !== 2);
  expect(elsewhere.map(({ file, what }) => `${file}: ${what}`)).toEqual([]);
});

test('the suites that should catch a fault exist', () => {
  const missing = faults
    .flatMap((fault) => ('tests' in fault ? fault.tests : []))
    .filter((path) => !existsSync(root + path));
  expect(missing).toEqual([]);
});
