// Interleaved timing: in round i every candidate runs once, so that a slow moment of the machine hits all of them.
// The figure of a candidate is the median of its rounds; the spread is (largest - smallest) / median.

/** @typedef {{ name: string, run: () => number }} Candidate `run` returns how many units of work it did. */

const nowNs = () => Number(process.hrtime.bigint());

export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value below which a share of the values lies, by nearest rank. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * Runs all candidates `rounds` times after `warmUps` unmeasured rounds (the engine compiles hot code meanwhile).
 * @param {Candidate[]} candidates
 * @returns {Map<string, { ns: number, spread: number, rounds: number[] }>} ns per unit
 */
export function interleave(candidates, { rounds, warmUps }) {
  const times = new Map(candidates.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; ++round) {
    for (const { name, run } of candidates) {
      const begin = nowNs();
      const units = run();
      const spent = nowNs() - begin;
      if (!(units > 0)) throw new Error(`${name}: the workload failed (out of memory?)`);
      if (round >= 0) times.get(name).push(spent / units);
    }
  }
  return new Map(
    [...times].map(([name, values]) => {
      const ns = median(values);
      return [name, { ns, spread: (Math.max(...values) - Math.min(...values)) / ns, rounds: values }];
    }),
  );
}
