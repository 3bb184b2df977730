// EE1 to EE5 with little work: what managers take for their nodes is the same everywhere.

import { describe, expect, test } from 'vitest';
import { expectSound, sample } from './support/measured.ts';

const taken = (arenas: number, capacity: number, bytes_held: number) => ({ arenas, capacity, bytes_held });

describe('fixed-block managers against malloc', () => {
  test("EE1: a thousand objects fit the document's arena of 4004 bytes, a heap takes 16 bytes for each", async () => {
    const ee1 = await sample('EE1', 100);
    expectSound(ee1);
    expect(ee1.of({ way: 'manager', size: 1000 })).toMatchObject(taken(1, 1001, 4004));
    expect(ee1.of({ way: 'manager, growing', size: 1000 })).toMatchObject(taken(3, 1777, 7168));
    expect(ee1.of({ way: 'heap', size: 1000 })).toMatchObject({ bytes_held: 16_000 });
    expect(ee1.of({ way: 'manager, growing', size: 1_000_000 })).toMatchObject({ arenas: 67, objects: 1_000_000 });
  });

  test('EE2: replacing a hundred objects never needs a second arena', async () => {
    const ee2 = await sample('EE2', 100);
    expectSound(ee2);
    expect(ee2.of({ way: 'manager' })).toMatchObject(taken(1, 1001, 4004));
    expect(ee2.of({ way: 'manager, growing' })).toMatchObject(taken(1, 251, 1024));
  });

  test('EE3: a list of 1000 numbers from one arena', async () => {
    const ee3 = await sample('EE3', 100);
    expectSound(ee3);
    expect(ee3.of({ way: 'manager' })).toMatchObject({ ...taken(1, 2000, 24_000), node_bytes: 12 });
    expect(ee3.of({ way: 'manager, growing' })).toMatchObject({ arenas: 4, node_bytes: 12 });
    expect(ee3.of({ way: 'heap' })).toMatchObject({ bytes_held: 16_000 });
  });

  test('EE4: a map of 1000 numbers from one arena', async () => {
    const ee4 = await sample('EE4', 100);
    expectSound(ee4);
    expect(ee4.of({ way: 'manager' })).toMatchObject({ ...taken(1, 1166, 28_000), node_bytes: 24 });
    expect(ee4.of({ way: 'fast fit' })).toMatchObject({ arenas: 1 });
    expect(ee4.of({ way: 'heap' })).toMatchObject({ bytes_held: 32_000 });
  });

  test('EE5: strings of one block each', async () => {
    const ee5 = await sample('EE5', 100);
    expectSound(ee5);
    expect(ee5.of({ way: 'fixed string' })).toMatchObject({ characters: 450, arenas: 1, node_bytes: 512 });
    expect(ee5.figure({ way: 'std::string' }, 'characters')).toBe(450);
  });
});
