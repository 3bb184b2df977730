// Advice, each piece replayed before it is given: the operations as they are against the operations as they would be, on the same
// module, memory exactly and time in interleaved rounds.
//
//   candidates ──▶ two streams each ──▶ exact runs, rounds ──▶ a gain? ──▶ a sentence with its figures
//
//   W1  A gain is a peak lower by kLeastShare of it and a page at least, at no more than kMostSlower of the time; or kLeastFaster
//       of the time, at a peak no higher than by kMostLarger. Without times only the peak counts.
//   W2  The operations as they are run twice a round. How far the two differ is the machine's noise, and a gain of time is one
//       only where it is larger than the noise of every round: on a busy machine there is little advice, and no wrong one.
//   W3  What shows no gain is counted and not given.
//   W4  A profile is judged by the replay that was made of it anyway (replay.ts).

import { formatBytes, formatCount } from '../base/format.ts';
import { frameParts } from '../base/frames.ts';
import { replayModuleUrl } from '../wasm/replay_artefacts.ts';
import { type AdviceCandidate, adviceCandidates } from './advice_candidates.ts';
import { streamsFor } from './advice_streams.ts';
import { livesOf } from './block_lives.ts';
import { measureMemory, measureTimes, median, ratiosOf, repeatsOf } from './measure.ts';
import type { ProgramOperations } from './operations_of_trace.ts';
import { type Clock, ReplayFailed, ReplayModule } from './player.ts';
import type { Advice, AdviceFacts, AllocatorFacts, AllocatorName } from './replay_types.ts';

const kPage = 65_536;
const kLeastShare = 0.01;
const kMostSlower = 1.02;
const kLeastFaster = 0.98;
const kMostLarger = 1.02;
const kMostRounds = 5;
const kLeastCode = 1024;
const kSmallSlower = 1.1;

export interface AdviceOptions {
  readonly rounds: number;
  readonly clock?: Clock | undefined;
  /** What pools add to a program's code, beside malloc. */
  readonly poolCodeBytes: number;
  readonly stackOf: (site: number) => readonly string[];
  readonly say?: ((text: string) => void) | undefined;
}

interface Figures {
  readonly ratios: readonly number[]; // a round each; empty without times
  readonly noise: readonly number[]; // the same of what did not change (W2)
  readonly before: number; // peak footprint
  readonly after: number;
}

export async function measuredAdvice(
  operations: ProgramOperations,
  allocators: readonly AllocatorFacts[],
  comparedWith: AllocatorName,
  options: AdviceOptions,
): Promise<AdviceFacts> {
  const { words } = operations;
  const lives = livesOf(words);
  const candidates = adviceCandidates(operations, lives);
  const module = await ReplayModule.load(replayModuleUrl('pools'));
  const list: Advice[] = [];
  let without = 0;
  for (const [nth, candidate] of candidates.entries()) {
    options.say?.(`advice ${nth + 1} of ${candidates.length}: ${candidate.kind}`);
    const { before, after } = streamsFor(candidate, words, lives);
    const figures = await measure(module, before, after, { ...options, rounds: Math.min(options.rounds, kMostRounds) });
    if (figures !== undefined && isGain(figures)) list.push(adviceOf(candidate, figures, options));
    else without += 1;
  }
  const profiles = profileAdvice(allocators, comparedWith);
  return { without_gain: without, list: [...profiles, ...list.sort((x, y) => gainOf(y) - gainOf(x))] };
}

async function measure(
  module: ReplayModule,
  before: Uint32Array,
  after: Uint32Array,
  { rounds, clock }: AdviceOptions,
): Promise<Figures | undefined> {
  const candidates = [before, after, before].map((words) => ({ module, words }));
  try {
    const [old, fresh] = [await peakOf(module, before), await peakOf(module, after)];
    const times = await measureTimes(candidates, { rounds, clock, repeats: repeatsOf(before) });
    const [first = [], changed = [], second = []] = times;
    const both = first.map((ms, round) => (ms + (second[round] ?? ms)) / 2);
    return { ratios: ratiosOf(changed, both), noise: ratiosOf(second, first), before: old, after: fresh };
  } catch (error) {
    if (error instanceof ReplayFailed) return undefined; // what cannot be followed is no advice
    throw error;
  }
}

const peakOf = async (module: ReplayModule, words: Uint32Array): Promise<number> =>
  (await measureMemory({ module, words }, [words.length / 2])).footprintBytes;

/** W1 */
export function isGain({ ratios, noise, before, after }: Figures): boolean {
  const time = ratios.length === 0 ? 1 : median(ratios);
  const saved = before - after;
  if (saved >= kPage && saved >= before * kLeastShare && time <= kMostSlower) return true;
  const noisy = Math.max(0, ...noise.map((ratio) => Math.abs(ratio - 1)));
  return time <= kLeastFaster && time < 1 - noisy && after <= before * kMostLarger;
}

const gainOf = ({ time, peak_before_bytes: before, peak_after_bytes: after }: Advice): number =>
  1 - (time?.ratio ?? 1) + (before - after) / before;

function adviceOf(candidate: AdviceCandidate, figures: Figures, { stackOf, poolCodeBytes }: AdviceOptions): Advice {
  const { kind, site, requestBytes, blocks, reserveBytes } = candidate;
  const { ratios, before, after } = figures;
  const stack = site === 0 ? [] : stackOf(site);
  const advice = {
    kind,
    site: stack,
    request_bytes: requestBytes,
    blocks,
    reserve_bytes: reserveBytes,
    allocator: 'fast',
    time: timeOf(ratios),
    peak_before_bytes: before,
    peak_after_bytes: after,
    code_difference_bytes: kind === 'pool' ? poolCodeBytes : 0,
  } as const;
  return { ...advice, sentence: `${whatToDo(candidate, stack)}: ${figuresText(advice)}` };
}

function whatToDo({ kind, requestBytes, blocks, reserveBytes }: AdviceCandidate, stack: readonly string[]): string {
  const from = stack.length === 0 ? '' : ` from ${placeOf(stack[0] ?? '')}`;
  const size = formatBytes(requestBytes);
  switch (kind) {
    case 'pool':
      return `take the ${formatCount(blocks)} blocks of ${size}${from} from a pool`;
    case 'reserve':
      return `ask at once for ${formatBytes(reserveBytes)} where ${formatCount(blocks)} blocks${from} begin with ${size} and grow`;
    default:
      return `grow in place, by realloc or an allocator that expands, what ${formatCount(blocks)} times${from} moves to a larger block`;
  }
}

function placeOf(frame: string): string {
  const { name, file, line } = frameParts(frame);
  return file === '' ? name : `${name} (${file}${line === 0 ? '' : `:${line}`})`;
}

/** W4: the profile that gains most time, and the one that gains most bytes of code. */
function profileAdvice(allocators: readonly AllocatorFacts[], comparedWith: AllocatorName): readonly Advice[] {
  const reference = allocators.find(({ name }) => name === comparedWith);
  if (reference === undefined) return [];
  const others = allocators.filter(
    ({ name, absent, failed }) =>
      (name === 'fast' || name === 'small') && name !== comparedWith && absent === null && failed === null,
  );
  return others.flatMap((facts) => {
    const { time, code_bytes, peak_footprint_bytes: after } = facts;
    const before = reference.peak_footprint_bytes;
    const ratios = time === null ? [] : [time.least_ratio, time.ratio, time.most_ratio];
    const isFaster =
      time !== null && time.ratio <= kLeastFaster && time.most_ratio < 1 && after <= before * kMostLarger;
    const isSmaller =
      reference.code_bytes - code_bytes >= kLeastCode &&
      (time?.ratio ?? 1) <= kSmallSlower &&
      after <= before * kMostLarger;
    if (!isGain({ ratios: [], noise: [], before, after }) && !isFaster && !isSmaller) return [];
    const advice = {
      kind: 'profile',
      site: [],
      request_bytes: 0,
      blocks: 0,
      reserve_bytes: 0,
      allocator: facts.name,
      time: timeOf(ratios),
      peak_before_bytes: before,
      peak_after_bytes: after,
      code_difference_bytes: code_bytes - reference.code_bytes,
    } as const;
    return [
      { ...advice, sentence: `link heapglass ${facts.name} in place of ${comparedWith}: ${figuresText(advice)}` },
    ];
  });
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

function timeOf(ratios: readonly number[]): Advice['time'] {
  if (ratios.length === 0) return null;
  return {
    ratio: rounded(median(ratios)),
    least_ratio: rounded(Math.min(...ratios)),
    most_ratio: rounded(Math.max(...ratios)),
  };
}

function figuresText(advice: Omit<Advice, 'sentence'>): string {
  const { time, peak_before_bytes: before, peak_after_bytes: after, code_difference_bytes: code } = advice;
  const parts = [
    ...(time === null
      ? []
      : [
          `${time.ratio.toFixed(2)} of the time of malloc and free (${time.least_ratio.toFixed(2)} to ${time.most_ratio.toFixed(2)})`,
        ]),
    Math.abs(after - before) < kPage
      ? 'the same peak'
      : `a peak of ${formatBytes(after)} instead of ${formatBytes(before)}`,
    ...(code === 0 ? [] : [`${formatBytes(Math.abs(code))} ${code > 0 ? 'more' : 'less'} code`]),
  ];
  return parts.join(', ');
}
