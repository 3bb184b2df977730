// Boost's real containers on the allocators, in wasm under Node: the cases that run natively under GoogleTest, exceptions
// included.

import { beforeAll, describe, expect, test } from 'vitest';
import { type BoostCase, boostCases, boostVersions, buildBoostModule } from './boost_module.ts';

const kMinutes = 60_000;

describe.skipIf(boostVersions().length === 0).each(boostVersions())("A7: Boost %s's containers in wasm", (version) => {
  let cases: BoostCase[] = [];
  beforeAll(async () => {
    cases = await boostCases(buildBoostModule(version));
  }, 30 * kMinutes);

  test('every case holds, and leaves nothing behind', { timeout: 5 * kMinutes }, () => {
    expect(cases.length).toBeGreaterThan(50);
    const broken = cases.flatMap((one) => {
      const problem = one.run();
      return problem === undefined ? [] : [`${one.suite}.${one.name}: ${problem}`];
    });
    expect(broken).toEqual([]);
  });
});
