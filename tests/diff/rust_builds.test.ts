// Two builds of a real program, of Rust: the regression between them is named with its site, and where there is none nothing is said.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildForTests, type CommandLine } from '../cli/command_line.ts';
import { buildReal, compareReal, hasRust, judge } from './real.ts';

const kRuns = 2;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
}, 120_000);
afterAll(() => cli?.dispose());

describe('builds with --stacks', () => {
  test.skipIf(!hasRust)(
    'of Rust: what is allocated twice is named; moved lines and functions are no change',
    () => {
      const before = buildReal(cli, 'rust', 0, false);
      const diff = compareReal(cli, before, buildReal(cli, 'rust', 2, true), 100, kRuns);
      const { found, said } = judge(diff, 'index_names');
      expect(found, said).toBe(true);
      const equal = compareReal(cli, before, buildReal(cli, 'rust', 0, true), 200, kRuns);
      expect(equal.sites).toEqual([]);
    },
    300_000,
  );
});
