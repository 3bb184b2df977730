// Two builds of a real program: the regression between them is named with its site, and where there is none nothing is said.
// npm run check:diff has the twenty pairs of each kind.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildReal, compareReal, hasRust, judge, type RealKind } from '../diff/real.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

const kRuns = 2;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
}, 120_000);
afterAll(() => cli?.dispose());

const expectNamed = (kind: RealKind, number: number, where: string, seed: number) => {
  const before = buildReal(cli, kind, 0, false);
  const diff = compareReal(cli, before, buildReal(cli, kind, number, true), seed, kRuns);
  const { found, said } = judge(diff, where);
  expect(found, said).toBe(true);
  return before;
};

describe('builds with --stacks', () => {
  test.skipIf(!hasRust)(
    'of Rust: what is allocated twice is named; moved lines and functions are no change',
    () => {
      const before = expectNamed('rust', 2, 'index_names', 100);
      const equal = compareReal(cli, before, buildReal(cli, 'rust', 0, true), 200, kRuns);
      expect(equal.sites).toEqual([]);
    },
    300_000,
  );

  test('of C++, linked with heapglass: a leak is named with the caller of an inlined function, not with that', () => {
    expectNamed('cpp, linked', 4, 'parse_attributes', 300);
  }, 300_000);
});
