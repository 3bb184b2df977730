// The closing line of npm test counts what the suites wrote; what broke outside a case counts as a failure.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countGoogleTests, countPlaywright, countVitest } from '../../tools/count_results.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-count-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('cases of GoogleTest programs are counted, a crashed program is one failure more', () => {
  const junit = file(
    'ctest.xml',
    '<testcase name="good" classname="good" time="1" status="run"/>\n<testcase name="crashed" classname="c" time="1" status="fail"/>',
  );
  mkdirSync(join(folder, 'gtest'));
  const cases = [
    { result: 'COMPLETED' },
    { result: 'COMPLETED', failures: [{}] },
    { result: 'SKIPPED' },
    { result: 'COMPLETED' },
  ];
  file('gtest/good.json', { testsuites: [{ testsuite: cases }] });
  expect(countGoogleTests(junit, join(folder, 'gtest'))).toEqual({ passed: 2, failed: 2, skipped: 1 });
});

test('a run without test programs is not a pass', () => {
  const junit = file('ctest.xml', '<testsuite tests="0"/>');
  expect(() => countGoogleTests(junit, folder)).toThrow('no test programs');
});

test('a test file that could not be imported is a failure', () => {
  const path = file('vitest.json', {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
      { status: 'failed', assertionResults: [] },
    ],
  });
  expect(countVitest(path)).toEqual({ passed: 3, failed: 2, skipped: 1, unsteady: [] });
});

test('a test that passed only at the second try is counted as passed, and named', () => {
  const tries = [
    { status: 'passed', fullName: 'steady', failureMessages: [] },
    { status: 'passed', fullName: 'unsteady', failureMessages: ['expected 1 to be 2'] },
  ];
  const vitest = file('vitest.json', {
    numPassedTests: 2,
    numFailedTests: 0,
    numPendingTests: 0,
    testResults: [{ status: 'passed', assertionResults: tries }],
  });
  expect(countVitest(vitest)).toEqual({ passed: 2, failed: 0, skipped: 0, unsteady: ['unsteady'] });

  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const playwright = file('playwright.json', {
    stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{}],
    suites: [{ specs: [spec('good', 'expected')], suites: [{ specs: [spec('late', 'flaky')] }] }],
  });
  expect(countPlaywright(playwright)).toEqual({ passed: 6, failed: 2, skipped: 2, unsteady: ['late'] });
});
