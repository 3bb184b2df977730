// Reads what the test suites write for machines and counts cases: { passed, failed, skipped }. Vitest and Playwright give a test that
// fails a second try; the names of those that passed only then are in `unsteady`.
//
// A suite that broke outside its cases (a program that crashed, a file that could not be imported) is one failure more,
// so that nothing that went wrong can look like nothing at all.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** ctest's JUnit file tells which programs ran; each GoogleTest program's own JSON tells its cases. */
export function countGoogleTests(junitPath, jsonFolder) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const programs = [...readFileSync(junitPath, 'utf8').matchAll(/<testcase name="([^"]+)"[^>]*status="(\w+)"/g)];
  if (programs.length === 0) throw new Error(`no test programs in ${junitPath}`);
  for (const [, name, status] of programs) {
    const path = join(jsonFolder, `${name}.json`);
    const cases = existsSync(path)
      ? googleTestCases(JSON.parse(readFileSync(path, 'utf8')))
      : { passed: 0, failed: 0, skipped: 0 };
    if (status !== 'run' && cases.failed === 0) cases.failed = 1; // crashed, timed out, or could not start
    if (status === 'run' && cases.passed + cases.failed === 0) cases.failed = 1; // a program without cases proves nothing
    add(counts, cases);
  }
  return counts;
}

function googleTestCases(report) {
  const cases = report.testsuites.flatMap((suite) => suite.testsuite);
  const failed = cases.filter((one) => (one.failures ?? []).length > 0).length;
  const skipped = cases.filter((one) => one.result === 'SKIPPED' || one.status === 'NOTRUN').length;
  return { passed: cases.length - failed - skipped, failed, skipped };
}

/** Vitest's JSON reporter. */
export function countVitest(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((one) => one.status !== 'failed'),
  );
  const failedFirst = ({ status, failureMessages }) => status === 'passed' && (failureMessages ?? []).length > 0;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    unsteady: report.testResults.flatMap((file) =>
      file.assertionResults.filter(failedFirst).map((one) => one.fullName),
    ),
  };
}

/** Playwright's JSON reporter. */
export function countPlaywright(path) {
  const { stats, errors, suites = [] } = JSON.parse(readFileSync(path, 'utf8'));
  const titles = ({ specs = [], suites = [] }) => [
    ...specs.filter((spec) => spec.tests.some((one) => one.status === 'flaky')).map((spec) => spec.title),
    ...suites.flatMap(titles),
  ];
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    unsteady: suites.flatMap(titles),
  };
}

function add(counts, more) {
  for (const key of Object.keys(counts)) counts[key] += more[key];
}
