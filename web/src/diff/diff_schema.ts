// What heapglass diff --json writes: two runs or builds compared. diff_types.ts has the types of it.
//
//   diff_types.Q1  Keys are stable; bytes and blocks are whole numbers, of a run in the middle when there are several.
//       block_bytes is the mean request of a site: bytes are count times size, and a size varies less than a count.
//   diff_types.Q2  A change is in the lists only when it is beyond the noise (noise.ts); the lists are bounded, and counts say how
//       many there are in all.

import {
  count,
  counts,
  described,
  difference,
  list,
  object,
  oneOf,
  oneOrMore,
  shortText,
  text,
  truth,
} from '../document/schema.ts';
import { kComparedNames, kDiffVersion, kMetricNames, kMostChanges, kMostLetters, kMostStack } from './diff_types.ts';

const side = object({ name: shortText(kMostLetters), runs: oneOrMore(), events: count(), sites: count() });

const change = object(
  {
    metric: oneOf(kComparedNames),
    unit: oneOf(['bytes', 'blocks']),
    a: count(),
    b: count(),
    change: difference('b - a'),
    noise: count('by how much repeats may differ; 0 when there are none'),
  },
  'One figure that changed beyond the noise. live: at the end. peak: when the whole program was at its peak. block_bytes: the mean request.',
);

const kStack = 'Innermost frame first: function or function@file:line. Empty on a side that does not have the site.';
const stack = list(shortText(kMostLetters), kMostStack, kStack);

const site = object({
  kind: oneOf(['grew', 'shrank', 'new', 'gone']),
  function: shortText(kMostLetters),
  stack_a: stack,
  stack_b: stack,
  changes: { ...list(change, kComparedNames.length), minItems: 1 },
});

export const kDiffSchema = described(
  'heapglass diff',
  'What heapglass diff --json writes: two runs or builds compared by call site. Bytes and blocks, of the run in the middle of repeats.',
  object({
    diff_version: oneOf([kDiffVersion]),
    notices: list(text()),
    a: side,
    b: side,
    noise: object({ known: truth(), rule: text() }),
    totals: list(change, kMetricNames.length, 'of the whole program: those beyond the noise'),
    counts: counts('grew', 'shrank', 'new', 'gone', 'same'),
    sites: list(site, kMostChanges, "the largest share of the program's total first"),
  }),
);
