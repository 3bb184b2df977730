// What heapglass ask --json writes: the answers as the page gets them (protocol/answers.ts, whose types these descriptions are held
// against).

import { count, counts, described, list, object, oneOf, orNull, share, text, truth } from '../document/schema.ts';
import { kGrowthCauses } from '../protocol/answers.ts';
import { kAnswersVersion } from './answers_types.ts';
import {
  kMostAnswerBlocks,
  kMostAnswerFrames,
  kMostAnswerHoles,
  kMostAnswerSites,
  kMostSiteNumbers,
} from './limits.ts';

const evidence = object({
  sites: list(
    object({
      function: text("of the innermost frame that is the program's own; '' when not known"),
      file: text(),
      line: count(),
      blocks: count(),
      size_bytes: count('of chunks, with headers'),
      oldest_event: count('the birth of the oldest of them'),
      newest_event: count(),
      stack: list(text(), kMostAnswerFrames, 'one whole stack, innermost frame first'),
      sites: list(count(), kMostSiteNumbers, "the trace's numbers of the site"),
    }),
    kMostAnswerSites,
  ),
  blocks: list(counts('address', 'size_bytes', 'born_event', 'site'), kMostAnswerBlocks),
  holes: list(object({ address: count(), size_bytes: count(), is_top: truth() }), kMostAnswerHoles, 'largest first'),
  event: count('the moment at which the cause is to be seen'),
  from_event: count(),
  to_event: count(),
});

const growth = object({
  event: count('right after the first step of growth'),
  call_event: count('right before the call: what was free is what was free there'),
  heap: count(),
  call: text(),
  request_bytes: count('of one block'),
  request_blocks: count(),
  needed_bytes: count('of one chunk, with header'),
  free_bytes: count(),
  free_pieces: count(),
  largest_free_bytes: count(),
  cached_bytes: count(),
  footprint_from_bytes: count('of the heap'),
  footprint_to_bytes: count(),
  memory_from_bytes: count('of linear memory; 0: the trace does not say'),
  memory_to_bytes: count(),
  refused: truth(),
  cause: oneOf(kGrowthCauses),
  pin_blocks: count('the fewest that, freed before, would have made a piece large enough; 0: none would'),
  pin_bytes: count(),
});

const said = {
  heap: count('0: all heaps'),
  event: count('the moment that was asked about: so many events have happened'),
  question: text(),
  sentence: text(),
  deciding: list(count(), 2, 'begin and end of the deciding number in the sentence'),
  answered: truth('false: the trace does not say'),
  missing: text("what recording would say more; '' when nothing is missing"),
  evidence,
};

const holds = object({
  ask: oneOf(['holds']),
  figures: object({
    ...{ blocks: count(), size_bytes: count() },
    site_blocks: count('of the first site'),
    site_bytes: count(),
    site_share: share(),
    sites: count(),
    group: orNull(
      object({
        by: oneOf(['pool', 'size']),
        pool: count('0 by size'),
        node_bytes: count('of the pool; 0 by size'),
        least_bytes: count('of the smallest of these blocks'),
        ...{ most_bytes: count(), blocks: count(), size_bytes: count() },
        share: share(),
        oldest_event: count(),
      }),
      'of blocks, that holds the most; null where a site does',
    ),
  }),
  ...said,
});
const leaked = object({
  ask: oneOf(['leaked']),
  figures: object({
    ...{ blocks: count('still held'), size_bytes: count() },
    growing_sites: count('sites whose held blocks were born throughout the time since the first of them'),
    growing_blocks: count(),
    growing_bytes: count(),
    growing_since_event: count('where the part of the time begins in which the first of them grows; 0 for all of it'),
    growing_until_event: count('where it ends: before the moment if the site grew and does so no more'),
    is_end: truth('the moment is the end of the trace'),
    old: orNull(
      object({
        until_event: count('the middle of the time'),
        ...{ blocks: count(), size_bytes: count() },
        share: share(),
        oldest_event: count(),
      }),
      'born in the first half of the time; null where a site is known',
    ),
  }),
  ...said,
});
const grew = object({
  ask: oneOf(['grew']),
  figures: object({
    growths: count('whose calls begin before the moment'),
    later_growths: count('behind the moment'),
    next_event: orNull(count('the first growth behind the moment')),
    latest: orNull(growth),
  }),
  ...said,
});
const fits = object({
  ask: oneOf(['fits']),
  figures: object({
    ...{ request_bytes: count(), needed_bytes: count('of a chunk, with header') },
    fits: oneOf(['yes', 'no', 'perhaps']),
    from: oneOf(['slab', 'cache', 'bin', 'victim', 'top', 'none']),
    block_address: count('0: the trace does not decide it'),
    largest_free_bytes: count('without top'),
    top_bytes: count(),
    growth_bytes: count('at least'),
    pin_blocks: count(),
    pin_bytes: count(),
  }),
  ...said,
});
const pins = object({
  ask: oneOf(['pins']),
  figures: counts('hole_bytes', 'free_bytes', 'free_pieces', 'top_bytes', 'pin_blocks', 'joined_bytes'),
  ...said,
});

export const kAnswersSchema = described(
  'heapglass ask',
  'What heapglass ask --json writes: one answer to each question.',
  object({
    answers_version: oneOf([kAnswersVersion]),
    trace: object({ name: text(), events: count() }),
    answers: object({
      holds: orAbsent(holds),
      leaked: orAbsent(leaked),
      grew: orAbsent(grew),
      fits: orAbsent(fits),
      pins: orAbsent(pins),
    }),
  }),
);

function orAbsent<Schema extends Parameters<typeof orNull>[0]>(schema: Schema) {
  return orNull(schema, 'null: not asked');
}
