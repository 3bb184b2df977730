// Reads what the test suites write for machines and counts cases: { passed, failed, skipped }.
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
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** Playwright's JSON reporter. A test that passed only on a retry counts as failed. */
export function countPlaywright(path) {
  const { stats, errors } = JSON.parse(readFileSync(path, 'utf8'));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

function add(counts, more) {
  for (const key of Object.keys(counts)) counts[key] += more[key];
}
