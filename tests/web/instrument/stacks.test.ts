// Stacks against the engine's own: at every allocation of a program with every way into a function and out of it.

import { beforeAll, describe, expect, test } from 'vitest';
import { build, compareStacks } from './stacked_program.ts';
import { kExceptions, withoutLastContext } from './stacks_cases.ts';

/** npm run check:stacks: more of them. */
const kSeeds = Number(process.env['HG_STACK_SEEDS'] ?? 10);
describe.each(kExceptions)('exceptions %s', (name, flags) => {
  let path = '';
  beforeAll(async () => {
    path = await build(`stacks_${name.replaceAll(' ', '_')}`, 'stacks.cpp', flags);
  }, 120_000);

  test('every allocation has the stack that the engine has', async () => {
    const { wrong, allocations, looks, deepest } = await compareStacks(path, kSeeds);
    expect(wrong).toEqual([]);
    expect(allocations).toBeGreaterThan(100 * kSeeds);
    expect(deepest).toBeGreaterThan(12);
    expect(looks).toBeLessThan(allocations / 2); // a known stack is not asked for again
  });

  test('contexts that are not set before some calls are noticed', async () => {
    const { wrong } = await compareStacks(path, 2, withoutLastContext);
    expect(wrong.length).toBeGreaterThan(0);
  });
});
