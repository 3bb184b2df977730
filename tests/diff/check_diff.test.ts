// Must show: of 20 pairs of builds with a planted regression at least 19 are named with their site, none in 20 equal pairs.
// The lines of the second build are moved, and no two runs have the same input.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildForTests, type CommandLine } from '../cli/command_line.ts';
import { build, compare, kPlanted } from './planted.ts';

const kSeed = 14_000; // looked at by nobody before the rule was fixed
const kPairs = 20;

let cli: CommandLine;
let before = '';
beforeAll(async () => {
  cli = await buildForTests();
  before = build(cli, 0, 0);
});
afterAll(() => cli?.dispose());

test('regressions are named with their site', () => {
  let named = 0;
  let others = 0;
  for (const [number, where] of Object.entries(kPlanted)) {
    const diff = compare(cli, before, build(cli, Number(number), 7), kSeed + 100 * Number(number));
    const up = diff.sites.filter(({ kind }) => kind === 'grew' || kind === 'new');
    const found = up.some((site) => site.function === where);
    if (found) named += 1;
    others += up.filter((site) => site.function !== where).length;
    const said = up.map((site) => `${site.function} ${site.kind}`).join(', ');
    console.log(`${found ? 'named ' : 'MISSED'} ${number.padStart(2)} ${where.padEnd(16)} ${said}`);
  }
  console.log(
    `${named} of ${Object.keys(kPlanted).length} regressions named; ${others} other sites said to have grown`,
  );
  expect(named).toBeGreaterThanOrEqual(19);
});

test('equal builds have no changes', () => {
  const after = build(cli, 0, 7);
  let changed = 0;
  for (let pair = 0; pair < kPairs; ++pair) {
    const diff = compare(cli, before, after, kSeed + 10_000 + 100 * pair);
    if (diff.sites.length + diff.totals.length === 0) continue;
    changed += 1;
    console.log(JSON.stringify(diff.sites.map((site) => [site.function, site.changes])));
  }
  console.log(`${changed} of ${kPairs} equal pairs said to have changed`);
  expect(changed).toBe(0);
});
