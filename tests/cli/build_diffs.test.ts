// Two builds of a real program: the regression between them is named with its site. npm run check:diff has twenty such pairs, of C++ and
// Rust, and twenty equal ones.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildReal, compareReal, judge } from '../diff/real.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
}, 120_000);
afterAll(() => cli?.dispose());

test('a leak in C++, linked with heapglass, is named with the caller of an inlined function, not with that', () => {
  const [before, after] = [buildReal(cli, 'cpp, linked', 0, false), buildReal(cli, 'cpp, linked', 4, true)];
  const { found, said } = judge(compareReal(cli, before, after, 300, 2), 'parse_attributes');
  expect(found, said).toBe(true);
}, 300_000);
