// Inlined calls around every edge of drawn debug information, by the tree that was drawn.

import { expect, test } from 'vitest';
import { type InlinedCall, readFunctions } from '../../../web/src/symbols/dwarf_functions.ts';
import { someOf } from '../../every.ts';
import { type DrawnCall, drawDebug, filesOf } from './drawn_debug.ts';

const isIn =
  (address: number) =>
  ({ from, end }: { from: number; end: number }) =>
    from <= address && address < end;

function callsAround(address: number, calls: readonly DrawnCall[]): InlinedCall[] {
  const found = calls.find(({ ranges }) => ranges.some(isIn(address)));
  if (found === undefined) return [];
  const { name, file, line, inside } = found;
  return [{ name, file, line }, ...callsAround(address, inside)];
}

const edgesOf = (calls: readonly DrawnCall[]): number[] =>
  calls.flatMap(({ ranges, inside }) => [...ranges.flatMap(({ from, end }) => [from, end]), ...edgesOf(inside)]);

test.each(
  someOf(
    Array.from({ length: 60 }, (_, seed) => seed),
    12,
  ),
)('the calls around an address are those that were drawn around it, seed %i', (seed) => {
  const { dwarf, functions } = drawDebug(seed, 4);
  const table = readFunctions(dwarf, { files: filesOf, find: () => undefined });
  const edges = functions.flatMap(({ from, end, calls }) => [from, end, ...edgesOf(calls)]);
  expect(edges.length).toBeGreaterThan(20);
  for (const address of edges.flatMap((edge) => [edge - 1, edge])) {
    const around = functions.find(isIn(address));
    expect(table.inlinedAt(address), `at ${address}`).toEqual(callsAround(address, around?.calls ?? []));
  }
});
