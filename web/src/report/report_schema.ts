// What heapglass report --json writes. report_types.ts has the types of it. Over 300 lines: a table of all its keys.
//
//   Q1  Keys are stable; a key's unit is its last word: bytes, events, allocations. A place in time is `event`: so many
//       events lie before it, which is the number that the page's time line and #event= take.
//   Q2  live: bytes that the program asked for and has not freed. in_use: the same with headers and rounding, pools'
//       blocks whole. footprint: what the heaps hold. memory: linear memory.
//   Q3  Every list has a bound (limits.ts); beside it stands how much there is in all.

import {
  amount,
  count,
  counts,
  described,
  difference,
  list,
  object,
  oneOf,
  oneOrMore,
  orNull,
  share,
  shortText,
  text,
  truth,
} from '../document/schema.ts';
import { kGrowthCauses } from '../protocol/answers.ts';
import {
  kMostAdvice,
  kMostGrowths,
  kMostLetters,
  kMostMarks,
  kMostRows,
  kMostSamples,
  kMostSiteRows,
  kMostStackRows,
} from './limits.ts';
import { kBuckets } from './power_histogram.ts';
import { kReportVersion } from './report_types.ts';

const trace = object({
  name: text(),
  title: text(),
  events: count(),
  operations: count(),
  word_bytes: oneOf([0, 4, 8]), // of a chunk's header; 0: a foreign heap, of which only the blocks are known
  heaps: count(),
  threads: count(),
  lost_events: count(),
  whole: truth('the file ends with its end mark, every event fits the model, and every checkpoint agrees with it'),
  proof: orNull(
    object({ event: count(), equal: truth() }),
    "the last place at which the writer's walk of the real heap was compared with the model",
  ),
});

const totals = object({
  allocations: count(),
  allocated_bytes: count(),
  frees: count(),
  freed_bytes: count(),
  reallocations: count(),
  resized_bytes: difference('what they added to the blocks, less what they took: allocated + resized - freed is live'),
  moved_reallocations: count('those that copied the block to another place'),
  moved_bytes: count(),
  failed_calls: count(),
  unknown_frees: count('frees of blocks that this trace did not see allocated'),
});

const at = counts('bytes', 'event', 'operation');
const peak = object({
  live: counts('bytes', 'event', 'operation', 'blocks'),
  in_use: at,
  footprint: at,
  memory: at,
});

const end = counts(
  'live_bytes',
  'live_blocks',
  'in_use_bytes',
  'cached_bytes',
  'free_bytes',
  'largest_free_bytes',
  'footprint_bytes',
  'memory_bytes',
);

const histogram = (description: string) =>
  list(object({ from: count(), to: count(), allocations: count(), bytes: count() }), kBuckets, description);
const sizes = list(counts('request_bytes', 'allocations', 'bytes', 'peak_live_blocks'), kMostRows);

const lifetimes = object({
  by_allocations: histogram('freed blocks, by the allocations made between their birth and their end'),
  by_bytes: histogram('the same by the bytes allocated meanwhile'),
  never_freed: count(),
});

const temporaries = object({
  within_allocations: oneOrMore(),
  allocations: count(),
  bytes: count(),
  share: share('of all allocations'),
  by_size: list(counts('request_bytes', 'allocations'), kMostRows),
});

const leaks = object({
  blocks: count(),
  bytes: count(),
  by_size: list(counts('request_bytes', 'blocks', 'bytes'), kMostRows),
  oldest: list(counts('address', 'request_bytes', 'event', 'age_allocations'), kMostRows),
});

const fragmentation = object(
  { worst: share(), worst_event: count(), mean: share(), end: share() },
  '1 - largest free chunk / free bytes, where free memory is a tenth of the footprint or more',
);

const growths = object({
  granted: count('requests for linear memory'),
  refused: count(),
  of_heaps: count('calls during which a heap grew or was refused memory, its first memory too'),
  list: list(
    object({
      event: count('right after the first step'),
      call_event: count('right before the call: what was free is what was free there'),
      heap: count(),
      call: text(),
      request_bytes: count('of one block'),
      request_blocks: count(),
      needed_bytes: count('of one chunk'),
      from_bytes: count('of linear memory, as far as it is known'),
      to_bytes: count(),
      footprint_from_bytes: count('of the heap'),
      footprint_to_bytes: count(),
      granted: truth(),
      free_bytes: count('of the heap'),
      free_pieces: count(),
      largest_free_bytes: count(),
      cached_bytes: count(),
      cause: oneOf(kGrowthCauses),
      pin_blocks: count('the fewest that, freed before, would have made a piece large enough; 0: none would'),
      pin_bytes: count(),
      sentence: text('the same as heapglass ask "why grow" says'),
    }),
    kMostGrowths,
  ),
});

const advice = object({
  pools: list(counts('request_bytes', 'peak_live_blocks', 'chunk_bytes', 'node_bytes', 'saved_bytes'), kMostAdvice),
  reserves: list(
    object({
      first_bytes: count(),
      last_bytes: count(),
      steps: count(),
      copied_bytes: count(),
      event: count(),
      how: oneOf(['reallocate', 'allocate_and_free']),
    }),
    kMostAdvice,
  ),
  grown_blocks: count('all blocks that grew step by step with copies'),
  grown_copied_bytes: count(),
});

const marks = object({
  count: count(),
  list: list(object({ event: count(), name: text(), live_bytes: count(), returnable_bytes: count() }), kMostMarks),
});

/** Of one call site, or of several together. */
const siteFigures = {
  allocations: count(),
  allocated_bytes: count(),
  frees: count(),
  freed_bytes: count(),
  resized_bytes: difference(),
  live_blocks: count('at the end: what was not freed'),
  live_bytes: count(),
  most_live_bytes: count("the most of this site at any time; of several sites the sum of each one's own"),
  peak_blocks: count('when the whole program was at its peak'),
  peak_bytes: count(),
  byte_events: amount('bytes times the events that they lived'),
  temporaries: count(),
  temporary_bytes: count(),
  between_blocks: count('allocated between the two marks asked for and live at the second'),
  between_bytes: count(),
  between_left_blocks: count('of them live at the end'),
  between_left_bytes: count(),
};

const name = shortText(kMostLetters);
const place = object({ name, event: count() });
const returnable = object(
  {
    most_bytes: count(),
    most_event: count(),
    at_peak_bytes: count('at the sample with the greatest footprint'),
    end_bytes: count(),
    held_by: list(
      object({
        function: name,
        file: name,
        line: count(),
        stack: list(name, kMostStackRows),
        blocks: count(),
        bytes: count(),
        held_bytes: count(),
      }),
      kMostRows,
      'at the end, by call site: what is free on pages that stay for a block, in equal parts by the blocks of each page',
    ),
  },
  'whole free pages of 4 KiB, which a shrink leaves out',
);
const largestSites = (counted: string, stacks: string) => ({
  count: count(counted),
  list: list(
    object({ function: name, file: name, line: count(), stack: list(name, kMostStackRows), ...siteFigures }),
    kMostSiteRows,
    'Those with the most of something; most bytes at the peak first. function, file, line: of the innermost frame that is the ' +
      `program's own; '' and 0 when not known. stack: ${stacks}, innermost frame first, each function or function@file:line.`,
  ),
  other: object({ sites: count(), ...siteFigures }, 'all that are not in the list, together'),
});
const sites = object({
  ...largestSites(
    'call sites with blocks; 0: the trace does not record where calls came from',
    'as recorded, but for "(wraps malloc) " before a function that wraps malloc',
  ),
  between: orNull(object({ from: place, to: place }), 'the two marks asked for, as places in time'),
  own: object(
    largestSites("stacks of the program's own frames", 'without the frames of libraries and allocators'),
    "The same blocks by the program's own frames alone: call sites that differ in frames of libraries are one.",
  ),
  unknown: object(siteFigures, 'blocks of calls that did not say where they came from'),
});

const handleGroups = (description: string) =>
  list(
    object({
      class: name,
      function: name,
      file: name,
      line: count(),
      stack: list(name, kMostStackRows),
      handles: count(),
      blocks: count('that they point to, each counted once'),
      size_bytes: count('of those blocks'),
      first_event: count(),
      last_event: count(),
      addresses: list(count(), 10, 'of some of the blocks, as the program has them'),
    }),
    kMostRows,
    description,
  );
const handleFigures = {
  made: count('by the glue of embind or wasm-bindgen, deleted ones too'),
  handles: count('that nobody deleted, and whose objects live'),
  blocks: count(),
  size_bytes: count(),
  without_block: count('not deleted, but what they point to is gone or is no block of theirs'),
  collected: count("deleted late, by the engine's finalizer"),
  groups: handleGroups('of those that nobody deleted, by class and line of JavaScript; most bytes first'),
  all_groups: count(),
  collected_groups: handleGroups('the same of those that were collected'),
};
const handles = object(
  {
    ...handleFigures,
    between: orNull(object(handleFigures), 'of those made between the two marks asked for, at the second'),
  },
  'objects of JavaScript that stand for an object in wasm, at the end',
);

const timeline = list(
  object({
    event: count(),
    live_bytes: count(),
    live_peak_bytes: count('the greatest value since the sample before'),
    in_use_bytes: count(),
    in_use_peak_bytes: count('the greatest value since the sample before'),
    cached_bytes: count(),
    free_bytes: count(),
    largest_free_bytes: count(),
    returnable_bytes: count('in whole free pages of 4 KiB'),
    footprint_bytes: count(),
    fragmentation: share(),
  }),
  kMostSamples,
);

export const kReportSchema = described(
  'heapglass report',
  'What heapglass report --json writes. An event is a place in time: so many events lie before it.',
  object({
    report_version: oneOf([kReportVersion]),
    trace,
    notices: list(text(), 100, 'what the reader must know before any figure: losses, damage, contradictions'),
    totals,
    peak,
    end,
    sizes: object({
      histogram: histogram('by requested bytes, powers of two'),
      distinct: count(),
      most_frequent: sizes,
      most_bytes: sizes,
    }),
    lifetimes,
    temporaries,
    leaks,
    returnable,
    fragmentation,
    growths,
    advice,
    marks,
    sites,
    handles,
    timeline,
  }),
);
