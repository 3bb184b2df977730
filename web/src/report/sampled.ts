// What a trace with a sample of the blocks says about all of them: estimates, never the sums of what it has.
//
//   block of s bytes, recorded with probability p (trace/sampling.ts)    stands for 1 / p blocks and s / p bytes
//
//   E1  The estimator is Horvitz and Thompson's: whatever is summed over all blocks (bytes of a site, blocks live at a place), the sum over
//       the sample of value / p has that as its mean. Blocks of no bytes are never recorded.
//   E2  standard_error is that of allocated_bytes: the root of the sum of s * s * (1 - p) / (p * p), itself an estimate.
//   E3  The peak is that of the estimated live bytes: with few samples it is too high, as it is the greatest of many estimates.

import { Model } from '../model/time/model.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { addressEnd } from '../trace/address_end.ts';
import { sampledChance } from '../trace/sampling.ts';
import type { TraceFile } from '../trace/trace_file.ts';

export interface Estimates {
  readonly samples: number;
  readonly allocated_bytes: number;
  readonly allocations: number;
  readonly live_bytes: number;
  readonly live_blocks: number;
  /** At the peak of the whole program. */
  readonly peak_bytes: number;
  readonly peak_blocks: number;
}

export interface SampledReport {
  readonly sampled: { readonly mean_bytes: number };
  readonly notices: readonly string[];
  readonly totals: Estimates & { readonly standard_error: number };
  /** Most bytes at the peak first; an empty stack: blocks without a site. */
  readonly sites: readonly (Estimates & { readonly stack: readonly string[] })[];
}

interface Block {
  readonly site: number;
  readonly size: number;
  readonly weight: number;
}

interface Summed {
  readonly stack: readonly string[];
  readonly sums: Sums;
}

type Sums = { -readonly [key in keyof Estimates]: number };

/** mean: what samplingMean() says of the trace */
export function estimate(file: TraceFile, mean: number): SampledReport {
  const { trace } = file;
  const { history } = new Model(trace);
  history.fold();
  const end = history.head.seq;
  const notices = [addressEnd(file.trace), file.notice, history.broken?.text].filter((text) => text !== undefined);
  const total = { ...noSums(), standard_error: 0 };
  const bySite = new Map<number, Summed>();
  const byStack = new Map<string, Summed>(); // two calls on a line are one site once they have names
  const sumsOf = (site: number): Sums => {
    const known = bySite.get(site);
    if (known !== undefined) return known.sums;
    const stack = history.sites.stack(site);
    const key = stack.join('\n');
    const summed = byStack.get(key) ?? { stack, sums: noSums() };
    bySite.set(site, summed);
    byStack.set(key, summed);
    return summed.sums;
  };
  let bytes = 0;
  let variance = 0;
  let peakBytes = 0;
  let peak = 0; // the event behind which it was
  let live = readBlocks(file, mean, end, (event, block, born) => {
    bytes += (born ? 1 : -1) * block.size * block.weight;
    if (!born) return;
    if (bytes > peakBytes) {
      peakBytes = bytes;
      peak = event + 1;
    }
    variance += block.size ** 2 * block.weight * (block.weight - 1);
    for (const sums of [total, sumsOf(block.site)]) {
      sums.samples += 1;
      sums.allocations += block.weight;
      sums.allocated_bytes += block.size * block.weight;
    }
  });
  for (const { site, size, weight } of live.values()) {
    for (const sums of [total, sumsOf(site)]) {
      sums.live_blocks += weight;
      sums.live_bytes += size * weight;
    }
  }
  live = readBlocks(file, mean, peak, () => {});
  for (const { site, size, weight } of live.values()) {
    for (const sums of [total, sumsOf(site)]) {
      sums.peak_blocks += weight;
      sums.peak_bytes += size * weight;
    }
  }
  total.standard_error = Math.sqrt(variance);
  const sites = [...byStack.values()].map(({ stack, sums }) => ({ stack, ...rounded(sums) }));
  sites.sort((one, other) => other.peak_bytes - one.peak_bytes || other.allocated_bytes - one.allocated_bytes);
  return { sampled: { mean_bytes: mean }, notices, totals: rounded(total), sites };
}

/** Blocks that come and go in the first `end` events; gives those that live behind them. */
function readBlocks(
  { trace }: TraceFile,
  mean: number,
  end: number,
  note: (event: number, block: Block, born: boolean) => void,
): Map<number, Block> {
  const live = new Map<number, Block>();
  let site = 0;
  for (let event = 0; event < end; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.siteEntered) site = trace.a(event);
    else if (kind === EventKind.opEnded) site = 0;
    else if (kind === EventKind.blockAllocated) {
      const size = trace.b(event);
      const block = { site, size, weight: size === 0 ? 0 : 1 / sampledChance(size, mean) };
      live.set(trace.a(event), block);
      note(event, block, true);
    } else if (kind === EventKind.blockFreed) {
      const block = live.get(trace.a(event));
      if (block === undefined) continue;
      live.delete(trace.a(event));
      note(event, block, false);
    }
  }
  return live;
}

const noSums = (): Sums => ({
  samples: 0,
  allocated_bytes: 0,
  allocations: 0,
  live_bytes: 0,
  live_blocks: 0,
  peak_bytes: 0,
  peak_blocks: 0,
});

const rounded = <T extends object>(sums: T): T =>
  Object.fromEntries(Object.entries(sums).map(([key, value]) => [key, Math.round(value as number)])) as T;
