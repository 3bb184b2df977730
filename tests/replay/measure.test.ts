// Times by a clock that counts: who runs when, what is counted, and what becomes of the figures.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../web/src/base/random.ts';
import { type Candidate, measureTimes, median, ratiosOf, repeatsOf } from '../../web/src/replay/measure.ts';
import { OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';
import { type Player, ReplayModule } from '../../web/src/replay/player.ts';
import { replayModuleUrl } from '../../web/src/wasm/replay_artefacts.ts';

const module = await ReplayModule.load(replayModuleUrl('fast'));
const list = new OperationList();
for (let id = 0; id < 20; ++id) list.add(OperationKind.malloc, id, 100);
const words = list.words();

/** Whose module is started is noted. */
const candidate = (name: string, started: string[]): Candidate => ({
  module: {
    start: () => {
      started.push(name);
      return module.start();
    },
  } as ReplayModule,
  words,
});

describe('times', () => {
  test('are taken in rounds, each beginning with another; the first round is not counted', async () => {
    const started: string[] = [];
    const candidates = ['a', 'b', 'c'].map((name) => candidate(name, started));
    const times = await measureTimes(candidates, { rounds: 2, repeats: 1 });
    expect(started.join('')).toBe('abcbcacab');
    expect(times.map((of) => of.length)).toEqual([2, 2, 2]);
  });

  test('are those of one time through the operations, without what is freed between', async () => {
    let now = 0;
    const clock = () => (now += 1); // each call of the module takes 1
    const of = (repeats: number) => measureTimes([candidate('a', [])], { rounds: 3, repeats, clock });
    expect(await of(1)).toEqual([[1, 1, 1]]);
    expect(now).toBe(8); // the round that is not counted, too
    expect(await of(5)).toEqual([[1, 1, 1]]);
  });

  test('of a list that is repeated begin each time with nothing live', async () => {
    const large = new OperationList();
    for (let id = 0; id < 64; ++id) large.add(OperationKind.malloc, id, 512 << 10); // twice the memory at first
    const asked = async (repeats: number) => {
      const players: Player[] = [];
      const start = async () => {
        players.push(await module.start());
        return players.at(-1);
      };
      await measureTimes([{ module: { start } as ReplayModule, words: large.words() }], { rounds: 1, repeats });
      return players.map(({ memory }) => memory.askedBytes);
    };
    const once = await asked(1);
    expect(once).toHaveLength(2);
    expect(once[0]).toBeGreaterThan(16 << 20);
    expect(await asked(3)).toEqual(once);
  });

  test('are none without rounds', async () => {
    const started: string[] = [];
    expect(await measureTimes([candidate('a', started)], { rounds: 0, repeats: 1 })).toEqual([[]]);
    expect(started).toEqual([]);
  });

  test('of a short list are those of a million operations at least', () => {
    const of = (operations: number) => repeatsOf(new Uint32Array(2 * operations));
    expect([of(1), of(20), of(999_999), of(1_000_000), of(3_000_000)]).toEqual([1_000_000, 50_000, 2, 1, 1]);
  });
});

test('memory is that of a program at first: 16 MiB, which grow by a fifth', async () => {
  const player = await module.start();
  player.beginTimed();
  const before = player.memory.footprintBytes;
  expect(before).toBeGreaterThanOrEqual(16 << 20);
  expect(before).toBeLessThan((16 << 20) + 65_536);
  player.play(words);
  expect(player.memory).toMatchObject({ footprintBytes: before, growths: 0 });
  const large = new OperationList();
  large.add(OperationKind.malloc, 30, 17 << 20);
  player.play(large.words());
  const { footprintBytes, askedBytes, growths } = player.memory;
  expect(growths).toBe(1);
  expect(askedBytes).toBeGreaterThan(17 << 20);
  expect(askedBytes).toBeLessThanOrEqual(footprintBytes);
  expect(footprintBytes).toBeGreaterThanOrEqual(before * 1.2);
});

test('the median has as many below as above', () => {
  const random = createRandom(5);
  for (let count = 1; count < 20; ++count) {
    const values = Array.from({ length: count }, () => random.below(30));
    const middle = median(values);
    const below = values.filter((value) => value < middle).length;
    const above = values.filter((value) => value > middle).length;
    expect(Math.max(below, above)).toBeLessThanOrEqual(count / 2);
  }
  expect(median([4, 1])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

test('a ratio is to the same round of the other', () => {
  expect(ratiosOf([6, 20], [3, 5])).toEqual([2, 4]);
});
