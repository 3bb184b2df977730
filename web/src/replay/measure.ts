// The measurements of a replay: memory in one exact run of each candidate, time in interleaved rounds.
//
//   M1  In round i every candidate runs once, in an instance of its own, beginning with another one each round: a slow
//       moment of the machine hits all of them. Round 0 is not counted: the engine compiles what is hot in it.
//   M2  A candidate's ratio is the median of the ratios of the rounds, each to the reference in the same round.

import { endingOf, type MemoryFacts, type Player, ReplayFailed, type ReplayModule } from './player.ts';

const kLeastOperations = 1_000_000; // of a round

export interface Candidate {
  readonly module: ReplayModule;
  readonly words: Uint32Array;
}

export interface MemoryRun extends MemoryFacts {
  /** At each place. */
  readonly footprints: readonly number[];
}

/** The exact run; throws ReplayFailed. places: ascending, the last is all operations. */
export async function measureMemory({ module, words }: Candidate, places: readonly number[]): Promise<MemoryRun> {
  const player = await module.start();
  const footprints: number[] = [];
  let at = 0;
  for (const place of places) {
    player.play(words, at, place);
    footprints.push(player.memory.footprintBytes);
    at = place;
  }
  return { ...player.memory, footprints };
}

/** So often a list of operations is carried out in a round. */
export const repeatsOf = (words: Uint32Array): number => Math.max(1, Math.ceil(kLeastOperations / (words.length / 2)));

/** The milliseconds of each candidate in each round, once through its operations: [candidate][round]. */
export async function measureTimes(
  candidates: readonly Candidate[],
  { rounds, repeats }: { readonly rounds: number; readonly repeats: number },
): Promise<readonly (readonly number[])[]> {
  const endings = candidates.map(({ words }) => (repeats > 1 ? endingOf(words) : undefined));
  const times = candidates.map((): number[] => []);
  for (let round = 0; round <= rounds && rounds > 0; ++round) {
    for (let turn = 0; turn < candidates.length; ++turn) {
      const nth = (turn + round) % candidates.length;
      const candidate = candidates[nth] as Candidate;
      const player = await candidate.module.start();
      player.beginTimed();
      const ms = playTimes(player, candidate.words, endings[nth], repeats);
      if (round > 0) times[nth]?.push(ms);
    }
  }
  return times;
}

function playTimes(player: Player, words: Uint32Array, ending: Uint32Array | undefined, repeats: number): number {
  let ms = 0;
  for (let time = 0; time < repeats; ++time) {
    if (time > 0 && ending !== undefined) player.play(ending);
    ms += player.play(words);
  }
  return ms / repeats;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** M2 */
export const ratiosOf = (times: readonly number[], reference: readonly number[]): readonly number[] =>
  times.map((ms, round) => ms / (reference[round] ?? Number.NaN));

/** The run's result, or what it could not do. */
export async function orFailed<T>(run: Promise<T>): Promise<{ readonly value: T } | { readonly failed: string }> {
  try {
    return { value: await run };
  } catch (error) {
    if (error instanceof ReplayFailed) return { failed: error.message };
    throw error;
  }
}
