// A replay: the operations of a trace, carried out on each allocator, as a report.
//
//   trace ──▶ operations ──▶ exact run of each allocator (memory) ──▶ interleaved rounds (time) ──▶ report

import type { TraceFile } from '../trace/trace_file.ts';
import { readReplayBuild, replayModuleUrl } from '../wasm/replay_artefacts.ts';
import {
  type Candidate,
  type MemoryRun,
  measureMemory,
  measureTimes,
  median,
  orFailed,
  ratiosOf,
  repeatsOf,
} from './measure.ts';
import { measuredAdvice } from './measured_advice.ts';
import { operationsOfTrace } from './operations_of_trace.ts';
import { type Clock, ReplayModule } from './player.ts';
import { type Counted, countOperations } from './program_facts.ts';
import {
  type AllocatorFacts,
  type AllocatorName,
  kAllocatorTexts,
  kReplayVersion,
  type ReplayReport,
  type TimeFacts,
} from './replay_types.ts';
import { siteStacks } from './site_stacks.ts';

export interface ReplayOptions {
  /** What the trace is called: a file's name. */
  readonly name: string;
  /** Who is compared, in the order of the table. */
  readonly allocators: readonly AllocatorName[];
  /** Ratios are to this one: what the program has now. It is measured too. */
  readonly comparedWith: AllocatorName;
  /** 0: memory alone. */
  readonly rounds: number;
  /** Of the machine that runs this, as 'Node v20.19.2'. */
  readonly engine: string;
  /** Called before each allocator's run and before each part of the times. */
  readonly say?: ((text: string) => void) | undefined;
  /** What times are taken by; the wall's where it is not given. */
  readonly clock?: Clock;
  /** Advice is tried and given too. */
  readonly advise?: boolean;
}

/** Thrown when a trace has nothing to replay. */
export class NothingToReplay extends Error {
  override readonly name = 'NothingToReplay';
}

interface Runner {
  readonly name: AllocatorName;
  readonly candidate: Candidate;
  readonly memory: MemoryRun;
}

export async function replayTrace(file: TraceFile, options: ReplayOptions): Promise<ReplayReport> {
  const { trace, notes, notice } = file;
  const operations = operationsOfTrace(file);
  const { words, events, notices } = operations;
  if (words.length === 0) {
    throw new NothingToReplay('there is no call of malloc, free or realloc in it');
  }
  const counted = countOperations(words);
  const build = await readReplayBuild();
  const names = [...new Set([...options.allocators, options.comparedWith])];
  const absent = new Map<AllocatorName, string>();
  const failed = new Map<AllocatorName, string>();
  const runners: Runner[] = [];
  for (const name of names) {
    const why = build.allocators[name].absent;
    if (why !== null) {
      absent.set(name, why);
      continue;
    }
    options.say?.(`${name}: memory`);
    const candidate = { module: await ReplayModule.load(replayModuleUrl(name)), words };
    const run = await orFailed(measureMemory(candidate, counted.places));
    if ('failed' in run) failed.set(name, run.failed);
    else runners.push({ name, candidate, memory: run.value });
  }
  const repeats = repeatsOf(words);
  if (options.rounds > 0) options.say?.(`${options.rounds} rounds of ${runners.length} allocators: time`);
  const times = await measureTimes(
    runners.map(({ candidate }) => candidate),
    { rounds: options.rounds, repeats, clock: options.clock },
  );
  const reference = runners.findIndex(({ name }) => name === options.comparedWith);
  const allocators = names.map((name) => {
    const nth = runners.findIndex((runner) => runner.name === name);
    const facts = { name, what: kAllocatorTexts[name], code_bytes: build.allocators[name].code_bytes };
    const runner = runners[nth];
    if (runner === undefined) {
      return { ...facts, ...kNothing, absent: absent.get(name) ?? null, failed: failed.get(name) ?? null };
    }
    return {
      ...facts,
      absent: null,
      failed: null,
      time: timeOf(times[nth] ?? [], times[reference] ?? []),
      ...memoryOf(runner.memory, runners[reference]?.memory, counted),
    };
  });
  const advice =
    options.advise !== true
      ? null
      : await measuredAdvice(operations, allocators, options.comparedWith, {
          rounds: options.rounds,
          clock: options.clock,
          poolCodeBytes: build.allocators.pools.code_bytes - build.allocators.fast.code_bytes,
          stackOf: siteStacks(trace),
          say: options.say,
        });
  return {
    replay_version: kReplayVersion,
    trace: { name: options.name, title: notes.title ?? '', events: trace.count },
    notices: [...(notice === undefined ? [] : [notice]), ...notices],
    program: counted.program,
    measured: {
      compiler: build.compiler,
      engine: options.engine,
      rounds: options.rounds,
      repeats,
      compared_with: options.comparedWith,
    },
    allocators,
    advice,
    samples: counted.places.map((operations, nth) => ({
      operations,
      event: events[operations - 1] ?? 0,
      live_bytes: counted.live[nth] ?? 0,
    })),
  };
}

const kNothing = {
  time: null,
  peak_footprint_bytes: 0,
  peak_footprint_ratio: 0,
  peak_asked_bytes: 0,
  growths: 0,
  unused_share: { at_peak: 0, end: 0, mean: 0 },
  footprint_bytes: [],
};

function timeOf(times: readonly number[], reference: readonly number[]): TimeFacts | null {
  if (times.length === 0) return null;
  const ratios = reference.length === 0 ? [] : ratiosOf(times, reference);
  return {
    ms: rounded(median(times)),
    least_ms: rounded(Math.min(...times)),
    most_ms: rounded(Math.max(...times)),
    ratio: ratios.length === 0 ? 0 : rounded(median(ratios)),
    least_ratio: ratios.length === 0 ? 0 : rounded(Math.min(...ratios)),
    most_ratio: ratios.length === 0 ? 0 : rounded(Math.max(...ratios)),
  };
}

function memoryOf(
  { footprintBytes, askedBytes, growths, footprints }: MemoryRun,
  reference: MemoryRun | undefined,
  { live }: Counted,
): Pick<
  AllocatorFacts,
  'peak_footprint_bytes' | 'peak_footprint_ratio' | 'peak_asked_bytes' | 'growths' | 'unused_share' | 'footprint_bytes'
> {
  const unused = footprints.map((bytes, nth) => (bytes === 0 ? 0 : Math.max(0, 1 - (live[nth] ?? 0) / bytes)));
  return {
    peak_footprint_bytes: footprintBytes,
    peak_footprint_ratio: reference === undefined ? 0 : rounded(footprintBytes / Math.max(1, reference.footprintBytes)),
    peak_asked_bytes: askedBytes,
    growths,
    unused_share: {
      at_peak: rounded(unused[footprints.indexOf(footprintBytes)] ?? 0),
      end: rounded(unused[unused.length - 1] ?? 0),
      mean: rounded(unused.reduce((sum, share) => sum + share, 0) / Math.max(1, unused.length)),
    },
    footprint_bytes: footprints,
  };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
