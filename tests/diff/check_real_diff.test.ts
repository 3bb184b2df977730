// Must show, on real builds of C++ and Rust: instrumented with --stacks, or linked with heapglass besides, recorded and symbolized. Of 20
// builds with a planted regression at least 19 are named with their site, none in 20 equal pairs.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildForTests, type CommandLine } from '../cli/command_line.ts';
import { buildReal, compareReal, hasRust, judge, kRealRegressions, type RealKind } from './real.ts';

const kSeed = 12_000; // looked at by nobody before the rule was fixed

let cli: CommandLine;
const before = new Map<RealKind, ReturnType<typeof buildReal>>();
beforeAll(async () => {
  if (!hasRust) throw new Error(`rustc with its target wasm32-unknown-unknown is needed`);
  cli = await buildForTests();
  for (const kind of ['cpp', 'cpp, linked', 'rust'] as const) before.set(kind, buildReal(cli, kind, 0, false));
});
afterAll(() => cli?.dispose());

const buildBefore = (kind: RealKind) => before.get(kind) ?? buildReal(cli, kind, 0, false);

test('regressions of real builds are named with their site', () => {
  let named = 0;
  kRealRegressions.forEach(({ kind, number, where }, index) => {
    const after = buildReal(cli, kind, number, true);
    const { found, said } = judge(compareReal(cli, buildBefore(kind), after, kSeed + 100 * index), where);
    if (found) named += 1;
    console.log(`${found ? 'named ' : 'MISSED'} ${kind} ${number} ${where}: ${said}`);
  });
  console.log(`${named} of ${kRealRegressions.length} regressions of real builds named`);
  expect(kRealRegressions.length).toBe(20);
  expect(named).toBeGreaterThanOrEqual(19);
});

test('equal real builds have no changes', () => {
  const afters = new Map<RealKind, ReturnType<typeof buildReal>>();
  let changed = 0;
  kRealRegressions.forEach(({ kind }, index) => {
    const after = afters.get(kind) ?? buildReal(cli, kind, 0, true);
    afters.set(kind, after);
    const diff = compareReal(cli, buildBefore(kind), after, kSeed + 10_000 + 100 * index);
    if (diff.sites.length + diff.totals.length === 0) return;
    changed += 1;
    console.log(kind, JSON.stringify(diff.sites.map((site) => [site.function, site.kind, site.changes])));
  });
  console.log(`${changed} of ${kRealRegressions.length} equal pairs of real builds said to have changed`);
  expect(changed).toBe(0);
});
