// Sites of programs linked with heapglass: the same trace has the heap's structure, which proves itself, and the engine's own stack at
// every allocation.

import { beforeAll, describe, expect, test } from 'vitest';
import { prove, recorderFlags } from '../../record/recorded_program.ts';
import { build, compareLinkedStacks } from './stacked_program.ts';
import { kExceptions, withoutLastContext } from './stacks_cases.ts';

/** npm run check:stacks: more of them. */
const kSeeds = Number(process.env['HG_STACK_SEEDS'] ?? 10);

describe.each(kExceptions)('linked, exceptions %s', (name, flags) => {
  let path = '';
  beforeAll(async () => {
    path = await build(`linked_${name.replaceAll(' ', '_')}`, 'stacks.cpp', [...flags, ...recorderFlags('trace')]);
  }, 120_000);

  test('every allocation has the stack that the engine has, and the heap is what the model says', async () => {
    const { wrong, allocations, deepest, trace } = await compareLinkedStacks(path, kSeeds);
    expect(wrong).toEqual([]);
    expect(allocations).toBeGreaterThan(100 * kSeeds);
    expect(deepest).toBeGreaterThan(12);
    expect(prove(trace).problem).toBeUndefined();
  });

  test('contexts that are not set before some calls are noticed', async () => {
    const { wrong } = await compareLinkedStacks(path, 2, withoutLastContext);
    expect(wrong.length).toBeGreaterThan(0);
  });
});
