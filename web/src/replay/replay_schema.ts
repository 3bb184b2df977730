// What heapglass replay --json writes. replay_types.ts has the types of it.
//
//   Q1  Keys are stable; a key's unit is its last word: bytes, ms, operations, share (0 to 1), ratio (1: equal).
//   Q2  A ratio is that of an allocator to the one it is compared with: below 1 it is less.
//   Q3  live: bytes that the program asked for and has not freed; the same for every allocator. footprint: linear memory
//       less the heap's base. unused: the share of the footprint that is not live.

import { amount, count, counts, described, difference, list, object, oneOf, orNull, text } from '../document/schema.ts';
import { kMostSamples } from './program_facts.ts';
import { kAllocatorNames, kReplayVersion } from './replay_types.ts';

const kMostAdvice = 16;
const kSamples = kMostSamples + 1; // with the end
const allocator = oneOf(kAllocatorNames);

const measured = object({
  compiler: text(),
  engine: text(),
  rounds: count('interleaved; the median counts. 0: no times were taken'),
  repeats: count('so often were the operations carried out in a round'),
  compared_with: allocator,
});

const ratios = {
  ratio: amount("median of the rounds' ratios to measured.compared_with"),
  least_ratio: amount(),
  most_ratio: amount(),
};

const allocators = object({
  name: allocator,
  what: text(),
  absent: orNull(text(), 'why it is not here; null when it is'),
  failed: orNull(text(), 'what it could not do; null when it carried out everything'),
  code_bytes: count('of its wasm'),
  time: orNull(
    object({ ms: amount('median of the rounds'), least_ms: amount(), most_ms: amount(), ...ratios }),
    'of all operations, once; null when no times were taken',
  ),
  peak_footprint_bytes: count("linear memory less the heap's base, grown by just what is asked"),
  peak_footprint_ratio: amount(),
  peak_asked_bytes: count('before it is rounded to pages'),
  growths: count(),
  unused_share: object(
    {
      at_peak: amount('when the footprint is at its peak for the first time'),
      end: amount(),
      mean: amount('over the samples'),
    },
    'share of the footprint that is not live',
  ),
  footprint_bytes: list(count(), kSamples, 'at each sample'),
});

const advice = object({
  kind: oneOf(['pool', 'reserve', 'in_place', 'profile']),
  sentence: text('what to do and what the replay showed'),
  site: list(text(), undefined, 'frames, innermost first; empty: wherever blocks of the size come from'),
  request_bytes: count('asked for at birth; of a profile 0'),
  blocks: count('blocks or chains that it is about'),
  reserve_bytes: count('of a reserve: what to ask for at once'),
  allocator,
  time: orNull(object(ratios), 'of all operations, after to before; null when no times were taken'),
  peak_before_bytes: count(),
  peak_after_bytes: count(),
  code_difference_bytes: difference(),
});

export const kReplaySchema = described(
  'heapglass replay',
  "A program's calls of malloc and kin, carried out on several allocators. Units are the last word of each key; ratios are to measured.compared_with.",
  object({
    replay_version: oneOf([kReplayVersion]),
    trace: object({ name: text(), title: text(), events: count() }),
    notices: list(text(), undefined, 'what the reader must know before any figure'),
    program: counts(
      'operations',
      'mallocs',
      'aligned',
      'reallocs',
      'frees',
      'peak_live_bytes',
      'peak_live_blocks',
      'end_live_bytes',
    ),
    measured,
    allocators: list(allocators, kAllocatorNames.length),
    advice: orNull(
      object({
        without_gain: count('tried by a replay that showed no gain, and not given'),
        list: list(advice, kMostAdvice, 'the best first'),
      }),
      'each piece was replayed before it is given; null when it was not asked for',
    ),
    samples: list(counts('operations', 'event', 'live_bytes'), kSamples, 'one clock for all curves'),
  }),
);
