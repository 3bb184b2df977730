// Runs seeds under allocators, interleaved, and gathers the figures.
//
//   R1  In round i every allocator runs every seed once. Seeds go in chunks: all allocators run a chunk before the
//       next.
//   R2  The checksum of a seed is the same in every run. A run that fails is reported; time never fails.
//   R3  Memory is taken in a run of its own, where it grows by just what is asked. With threads it differs from run
//       to run: the median of up to three.

import { median } from '../../harness/measure.mjs';
import { withRatios } from './distribution.mjs';
import { runSeedsInProcess } from './run_seeds.mjs';
import { runThreadSeeds } from './run_threads.mjs';

const kChunk = 20; // seeds a process

const chunksOf = (seeds) =>
  Array.from({ length: Math.ceil(seeds.length / kChunk) }, (_, i) => seeds.slice(i * kChunk, (i + 1) * kChunk));

const spreadOf = (values) => (Math.max(...values) - Math.min(...values)) / median(values);

/** Figures by seed and allocator; and the runs that failed. */
class Figures {
  constructor() {
    this.cells = new Map();
    this.sums = new Map();
    this.failures = new Set();
  }

  add(allocator, mode, { seed, failed, checksum, ...figures }) {
    if (failed !== undefined) return this.failures.add(`seed ${seed}, ${allocator}, ${mode}: ${failed}`);
    const first = this.sums.get(seed) ?? checksum;
    this.sums.set(seed, first);
    if (checksum !== first)
      this.failures.add(`seed ${seed}, ${allocator}, ${mode}: checksum ${checksum}, not ${first}`);
    const key = `${seed} ${allocator}`;
    const cell = this.cells.get(key) ?? { seed, allocator, times: [], spaces: [] };
    this.cells.set(key, cell);
    if (mode === 'time') cell.times.push(figures.ms);
    else cell.spaces.push(figures);
  }

  rows() {
    return [...this.cells.values()].map(({ times, spaces, ...row }) => {
      const middle = (name) => (spaces.length === 0 ? undefined : median(spaces.map((figures) => figures[name])));
      const space = { bytes: middle('bytes'), usedBytes: middle('usedBytes'), live: spaces[0]?.live };
      return { ...row, ...space, ...(times.length === 0 ? {} : { ms: median(times), spread: spreadOf(times) }) };
    });
  }
}

/**
 * @param {{ name: string }[]} built what buildRandom or, with threads, buildAllThreads made
 * @param {number[]} seeds
 * @param {{ rounds: number, used: boolean, percent: number, threads?: number, clock?: 'processor',
 *   say?: (text: string) => void }} how rounds: 0 for memory only; threads: without, the programs of one thread
 */
export async function measureSeeds(built, seeds, how) {
  const { rounds, used, percent, threads, clock } = how;
  const [figures, died] = [new Figures(), new Map()];
  const run = async (one, mode, some) => {
    const job = { mode, seeds: some, used, percent };
    const found =
      threads === undefined
        ? await runSeedsInProcess({ ...job, wasm: one.wasm, clock })
        : await runThreadSeeds(one, { ...job, threads }, died);
    for (const each of found) figures.add(one.name, mode, each);
  };
  const chunks = chunksOf(seeds);
  const spaces = threads === undefined ? 1 : Math.min(3, Math.max(1, rounds));
  for (const [i, some] of chunks.entries()) {
    how.say?.(`seeds ${some[0]} to ${some[some.length - 1]} (${i + 1} of ${chunks.length} chunks)`);
    for (let round = 0; round < spaces; ++round) for (const one of built) await run(one, 'memory', some);
    for (let round = 0; round < rounds; ++round) for (const one of built) await run(one, 'time', some);
  }
  return { rows: withRatios(figures.rows()), failures: [...figures.failures], died };
}
