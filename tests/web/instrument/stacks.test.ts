// Stacks against the engine's own: at every allocation of a program with every way into a function and out of it.

import { beforeAll, describe, expect, test } from 'vitest';
import { kOp, readModule } from '../../../web/src/symbols/index.ts';
import { build, compareStacks } from './stacked_program.ts';

/** npm run check:stacks: more of them. */
const kSeeds = Number(process.env['HG_STACK_SEEDS'] ?? 10);
const kExceptions = {
  'by JavaScript': ['-fexceptions', '-sSUPPORT_LONGJMP=emscripten'],
  'of wasm': ['-fwasm-exceptions', '-sSUPPORT_LONGJMP=wasm'],
};

describe.each(Object.entries(kExceptions))('exceptions %s', (name, flags) => {
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

/** The last call of each function keeps the context of the one before it: its global.set becomes a drop. */
function withoutLastContext(bytes: Uint8Array): Uint8Array {
  const module = readModule(bytes);
  const context = module.exports.find(({ name }) => name === 'heapglass_context')?.index ?? 0;
  const spoiled = bytes.slice();
  for (const { calls } of module.bodies) {
    const set = calls.filter(({ at }) => bytes[at - 2] === kOp.globalSet && bytes[at - 1] === context);
    const last = set[set.length - 1];
    if (last !== undefined) spoiled.set([0x1a, 0x01], last.at - 2); // drop, nop
  }
  return spoiled;
}
