// The tools that plant mutants: what that of the web half draws and writes, and which tests each of the two runs.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Order } from '../../tools/mutate/core_order.mjs';
import { kEquivalent } from '../../tools/mutate/web_equivalent.mjs';
import { drawMutants, inOneLine, isAt, mutantsOf, withMutant } from '../../tools/mutate/web_mutants.mjs';
import { nearestTests } from '../../tools/mutate/web_nearest.mjs';
import { TestRunner } from '../../tools/mutate/web_runner.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const kSource = `export function least(one: number, other?: number): number {
  const all = [one, other ?? one + 1];
  return all.length > 0 && one < 5 ? Math.min(...all) : 0; // "text"
}
export const word = 'text';
`;
const mutants = await mutantsOf('trace', 'web/src/trace/least.ts', kSource);

describe('mutants', () => {
  test('replace what stands at their place, once and for one value, and no text', () => {
    for (const mutant of mutants) {
      const lines = kSource.split('\n');
      expect(lines[mutant.line - 1]?.slice(mutant.column - 1)).toContain(mutant.original.split('\n')[0]);
      const text = withMutant(kSource, mutant);
      expect(text.slice(0, mutant.from)).toBe(kSource.slice(0, mutant.from));
      expect(text.endsWith(kSource.slice(mutant.to))).toBe(true);
      expect(text).not.toBe(kSource);
    }
    const changes = mutants.map(({ original, replacement }) => `${inOneLine(original)} → ${replacement}`);
    expect(changes).toContain('one < 5 → (one <= 5)');
    expect(changes).toContain('other ?? one + 1 → (other && one + 1)');
    expect(changes).toContain('one + 1 → (one - 1)');
    expect(changes.some((change) => change.includes("'text'"))).toBe(false);
  });

  test('are drawn alike from the same seed, otherwise from another, and each once', () => {
    const drawn = (seed: number) => drawMutants(mutants, 5, seed);
    expect(drawn(1)).toEqual(drawn(1));
    const draws = new Set([1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(drawn(seed))));
    expect(draws.size).toBeGreaterThan(3);
    const all = drawMutants(mutants, 1000, 7);
    expect(all).toHaveLength(mutants.length);
    expect(new Set(all).size).toBe(mutants.length);
  });
});

test('every mutant that is listed as equivalent is one, at one place, with a reason', async () => {
  for (const known of kEquivalent) {
    const file = `web/src/${known.file}`;
    const found = await mutantsOf('', file, readFileSync(root + file, 'utf8'));
    expect(found.filter((mutant) => isAt(known, mutant)).length, `${known.file}: ${known.from}`).toBe(1);
    expect(known.why.length).toBeGreaterThan(20);
  }
});

test('the test of the same path comes first, then those that import the file, and one that cannot reach it never', () => {
  const nearest = nearestTests(root);
  expect(nearest.of('web/src/trace/find_event.ts', 3)[0]).toBe('tests/web/trace/find_event.test.ts');
  expect(nearest.of('web/src/model/time/time_series.ts', 1)).toContain('tests/web/model/time/time_series.test.ts');
  const ofWalk = nearest.of('web/src/model/state/walk_compare.ts', 4);
  expect(ofWalk[0]).toBe('tests/web/model/state/walk_compare.test.ts');
  expect(ofWalk.length).toBeGreaterThanOrEqual(4);
  expect(ofWalk).not.toContain('tests/web/trace/find_event.test.ts');
  expect(nearest.of('web/src/heap/heap_checkpoint.ts', 1)).toContain('tests/web/heap/checkpoint.test.ts');
  expect(nearest.of('web/src/no_file.ts', 4)).toEqual([]);
});

test('where mutants are judged, tests pass that pass here', async () => {
  const runner = new TestRunner(root);
  for (const test of ['random', 'format'])
    expect(await runner.proves(`tests/web/base/${test}.test.ts`), test).toBe(true);
  runner.stop();
});

test('what becomes part of linked programs is judged by the tests that link them, and nothing else is', () => {
  const nearest = nearestTests(root);
  for (const source of ['linked/take.ts', 'linked/session.ts', 'packets.ts'])
    expect(nearest.of(`web/src/record/${source}`, 12), source).toContain('tests/record/recorder.test.ts');
  expect(nearest.of('web/src/shrink/linked/program.ts', 12)).toContain('tests/link/shrink.test.ts');
  const others = ['web/src/trace/decode.ts', 'web/src/report/report.ts'].flatMap((file) => nearest.of(file, 100));
  expect(others).not.toContain('tests/record/recorder.test.ts');
  expect(others).not.toContain('tests/link/discard.test.ts');
});

test('further off are tests that link programs or open browsers, none that installs the package, and none that is near', () => {
  const nearest = nearestTests(root);
  const source = 'web/src/instrument/left_blocks.ts';
  const [first, ...others] = nearest.far(source, 4);
  expect(first).toBe('tests/instrument/kept.test.ts');
  expect(others).toHaveLength(3);
  const all = nearest.far(source, 1000);
  expect(all.slice(0, 4)).toEqual([first, ...others]);
  expect(all.filter((test) => nearest.of(source, 1000).includes(test))).toEqual([]);
  expect(all).not.toContain('tests/instrument/instrument.test.ts'); // which runs the command
  expect(nearest.far('web/src/no_file.ts', 4)).toEqual([]);
});

test('of the core the programs come first whose tests are of the file, of its folder, or of what uses that', () => {
  const files = ['heap/command.cpp', 'heap/hardened_heap.cpp', 'heap/walk.cpp', 'slab/dissolve.cpp'];
  const programs = ['command/shrink', 'hardened/slab', 'heap/walk', 'index/bins', 'malloc/slabs'].map((test) => {
    const [name = ''] = test.split('/');
    return { name, variant: '', files: [`tests/core/${test}_test.cpp`] };
  });
  const core = files.map((file) => `core/src/${file}`);
  const order = new Order(root, programs, core);
  const nearOf = (file: string) => {
    const all: readonly { name: string; near: number }[] = order.of(`core/src/${file}`);
    return all.filter(({ near }) => near > 0).map(({ name, near }) => `${name} ${near}`);
  };
  expect(files.map(nearOf)).toEqual([
    ['command 3', 'heap 2'],
    ['hardened 3', 'command 2', 'heap 2'],
    ['heap 3', 'command 2'],
    ['malloc 1'],
  ]);
});
