// Operations on a module of programs/replay: the part of a list that is carried out, and the frees that end it.

import { expect, test } from 'vitest';
import { bitsOfWord, idOfWord, kindOfWord, OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';
import { endingOf, ReplayFailed, ReplayModule } from '../../web/src/replay/player.ts';
import { replayModuleUrl } from '../../web/src/wasm/replay_artefacts.ts';
import { randomOperations } from './random_operations.ts';

const module = await ReplayModule.load(replayModuleUrl('fast'));

type Line = readonly [kind: OperationKind, id: number, size: number, bits?: number];
function listOf(lines: readonly Line[]): Uint32Array {
  const list = new OperationList();
  for (const [kind, id, size, bits = 0] of lines) list.addBits(kind, id, size, bits);
  return list.words();
}
const linesOf = (words: Uint32Array) =>
  Array.from({ length: words.length / 2 }, (_, nth) => {
    const what = words[nth * 2] ?? 0;
    return [kindOfWord(what), idOfWord(what), words[nth * 2 + 1], bitsOfWord(what)];
  });
const { malloc, calloc, aligned, realloc, free, node, nodeFree, copy } = OperationKind;

test('a list ends with a free of each block that lives, and of nodes in their pools', () => {
  const lines: readonly Line[] = [
    [malloc, 0, 8],
    [calloc, 1, 8],
    [aligned, 2, 8, 6],
    [node, 3, 16, 5],
    [node, 4, 16, 7],
    [realloc, 1, 80],
    [copy, 2, 8],
    [free, 0, 0],
    [nodeFree, 3, 0, 5],
  ];
  expect(linesOf(endingOf(listOf(lines)))).toEqual([
    [free, 1, 0, 0],
    [free, 2, 0, 0],
    [nodeFree, 4, 0, 7],
  ]);
  expect(endingOf(listOf([])), 'of nothing it is nothing').toHaveLength(0);
  expect(endingOf(listOf(lines.slice(0, 1).concat([[free, 0, 0]])))).toHaveLength(0);
  const again: readonly Line[] = [
    [free, 0, 0],
    [malloc, 0, 24],
  ];
  expect(linesOf(endingOf(listOf([...lines.slice(0, 1), ...again])))).toEqual([[free, 0, 0, 0]]);
});

test('operations go on from where the ones before ended, in whatever parts they are given', async () => {
  const words = randomOperations(3, 20_000);
  const [whole, parts] = [await module.start(), await module.start()];
  whole.play(words);
  const count = words.length / 2;
  for (const [from, to] of [
    [0, 1],
    [1, 7000],
    [7000, 7000],
    [7000, count],
  ] as const)
    parts.play(words, from, to);
  expect(parts.memory).toEqual(whole.memory);
  expect(whole.memory.askedBytes).toBeGreaterThan(65_536);
  expect(whole.memory.askedBytes).toBeLessThanOrEqual(whole.memory.footprintBytes);
});

test('only the calls of the module are timed, one for each chunk', async () => {
  const player = await module.start();
  const words = randomOperations(3, 20_000);
  let asked = 0;
  const clock = () => asked++ * 10; // each pair of looks is 10 apart
  const ms = player.play(words, 0, 20_000, clock);
  expect(asked % 2).toBe(0);
  expect(ms).toBe(asked * 5);
  const before = asked;
  expect(player.play(listOf([]), 0, 0, clock)).toBe(0);
  expect(asked).toBe(before);
});

test('an allocator that has no memory left has failed, and the first and last operation are named', async () => {
  const player = await module.start();
  const words = listOf([
    [malloc, 0, 8],
    [malloc, 1, 0xfff0_0000],
  ]);
  expect(() => player.play(words)).toThrow(ReplayFailed);
  expect(() => player.play(words)).toThrow(/^between operations 1 and 2 memory ran out/);
});
