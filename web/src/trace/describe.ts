// One sentence about each event, with the number that matters in it: a table by kind, whose parts lie in describe_*.ts by what events
// are about. The compiler names a kind that has no sentence.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import { EventKind, kWalkEvent, kWalkNames } from '../protocol/event_layout.ts';
import type { Event } from './decode.ts';
import { kCallSentences } from './describe_calls.ts';
import { kChunkSentences } from './describe_chunks.ts';
import { kPoolSentences } from './describe_pools.ts';
import { type Describe, plural, type Sentence, sentence, strong } from './sentence.ts';
import { MarkCode } from './texts.ts';

const kHeapSentences = {
  heapCreated: ({ heap, detail, a }) => {
    if (detail === 0) return sentence(`heap ${heap} is foreign: only its blocks are known`);
    return sentence(`heap ${heap} is made at ${formatAddress(a)}, with words of `, strong(formatBytes(detail)));
  },
  heapDestroyed: ({ heap }) => sentence(`heap ${heap} ends`),
  memoryGrown: ({ detail, a, b, c }) =>
    detail !== 0
      ? sentence(`linear memory has `, strong(plural(b, 'page')), `, before ${formatCount(a)}`)
      : sentence('linear memory cannot grow by ', strong(formatBytes(c))),
  segmentAdded: ({ a, b }) => sentence('a segment of ', strong(formatBytes(b)), ` begins at ${formatAddress(a)}`),
  segmentExtended: ({ a, b, c }) =>
    sentence(`the segment at ${formatAddress(a)} grows from ${formatBytes(b)} to `, strong(formatBytes(c))),
  segmentTrimmed: ({ a, b, c }) =>
    sentence(`the segment at ${formatAddress(a)} shrinks from ${formatBytes(b)} to `, strong(formatBytes(c))),
  segmentRemoved: ({ a, b }) => sentence(`the segment at ${formatAddress(a)} goes back, `, strong(formatBytes(b))),
  memoryMoved: ({ a, b }) =>
    sentence(`linear memory is another one, with `, strong(plural(b, 'whole page')), `, before ${formatCount(a)}`),
  pagesDiscarded: ({ a, b }) =>
    sentence(`free pages at ${formatAddress(a)} are given to the host, `, strong(formatBytes(b))),
} satisfies Record<string, Describe>;

/** What stands beside the heap: threads, marks, checkpoints, losses, texts, sites, snapshots. */
const kFactSentences = {
  threadChanged: ({ a, b }) => sentence('from here on ', strong(`thread ${a}`), ` acts, before it was thread ${b}`),
  mark: ({ detail, a, b, c }) =>
    detail === MarkCode.named
      ? sentence('a mark with the text before it')
      : sentence(`mark ${detail}: ${a}, ${b}, ${c}`),
  checkpoint: ({ heap, a, b }) => {
    const hash = a.toString(16).padStart(8, '0');
    return sentence(`checkpoint: the walk of heap ${heap} has `, strong(plural(b, 'record')), `, hash ${hash}`);
  },
  eventsLost: ({ a }) => sentence(strong(plural(a, 'event')), a === 0 ? ' lost: recording began here' : ' lost'),
  text: ({ detail }) => sentence(`${detail} bytes of text`),
  stringDefined: ({ a }) => sentence(`the text has the number ${a}`),
  siteDefined: ({ a, b, c }) => sentence(`site ${a}: text ${c}`, b === 0 ? '' : `, called from site ${b}`),
  siteEntered: ({ a }) => sentence(`the next call comes from site ${a}`),
  snapshotBegun: ({ a }) => sentence('a snapshot of ', strong(plural(a, 'heap')), ' begins'),
  snapshotHeap: ({ heap, b }) => sentence(`heap ${heap}: `, strong(plural(b, 'walk record'))),
  stateKept: ({ a }) => sentence('a copy of all memory is kept, with the number ', strong(`${a}`)),
  stateReset: ({ a }) => sentence('all memory is again what it was when copy ', strong(`${a}`), ' was kept'),
  snapshotEnded: () => sentence('the snapshot ends: the heaps are what it says'),
} satisfies Record<string, Describe>;

const kSentences: Readonly<Record<keyof typeof EventKind, Describe>> = {
  ...kHeapSentences,
  ...kChunkSentences,
  ...kPoolSentences,
  ...kCallSentences,
  ...kFactSentences,
};

const kSentenceOf: ReadonlyMap<number, Describe> = new Map(
  (Object.keys(kSentences) as (keyof typeof EventKind)[]).map((name) => [EventKind[name], kSentences[name]]),
);

export function describeEvent(event: Event): Sentence {
  const { kind, a, b } = event;
  if (kind >= kWalkEvent) {
    const what = (kWalkNames.get(kind - kWalkEvent) ?? 'record').replaceAll('_', ' ');
    return sentence(`snapshot: ${what} at ${formatAddress(a)}, `, strong(formatBytes(b)));
  }
  return kSentenceOf.get(kind)?.(event) ?? sentence(`an event of kind ${kind}, which is not known`);
}
