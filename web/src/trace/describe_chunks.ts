// Sentences about chunks, blocks and bins, and about the chunks that malloc caches.

import { formatAddress, formatBytes } from '../base/format.ts';
import { isSlabList } from '../protocol/slab_lists.ts';
import { type Describe, plural, sentence, strong } from './sentence.ts';

export const kChunkSentences = {
  chunkSplit: ({ a, b, c }) =>
    sentence(
      `the chunk at ${formatAddress(a)} is cut after ${formatBytes(b)}; the `,
      strong(formatBytes(c)),
      ' behind are free',
    ),
  chunksMerged: ({ detail, a, b, c }) => {
    const who = detail === 0 ? 'free chunks' : 'a chunk in use and a free one';
    return sentence(
      `${who} of ${formatBytes(b)} and ${formatBytes(c)} join at ${formatAddress(a)} to `,
      strong(formatBytes(b + c)),
    );
  },
  chunkTaken: ({ a, b, c }) =>
    sentence(`the chunk at ${formatAddress(a)} is in use, `, strong(formatBytes(b)), ` for ${formatBytes(c)} asked`),
  chunkReleased: ({ a, b }) => sentence(`the chunk at ${formatAddress(a)} is free, `, strong(formatBytes(b))),
  burstCarved: ({ a, b, c }) =>
    sentence(
      `the free chunk at ${formatAddress(a)} becomes `,
      strong(plural(c, 'chunk')),
      ` of ${formatBytes(b)} in use`,
    ),
  blockAllocated: ({ a, b }) => sentence(`the program has a block at ${formatAddress(a)}, `, strong(formatBytes(b))),
  blockFreed: ({ a }) => sentence(`the block at ${formatAddress(a)} is free`),
  binInserted: ({ detail, a, b }) =>
    sentence(`the chunk at ${formatAddress(a)}, ${formatBytes(b)}, goes into bin `, strong(`${detail}`)),
  binRemoved: ({ detail, a, b }) =>
    sentence(`the chunk at ${formatAddress(a)}, ${formatBytes(b)}, leaves bin `, strong(`${detail}`)),
  topChanged: ({ a, b }) =>
    a === 0 ? sentence(`top at ${formatAddress(b)} is taken out`) : sentence(`top is now at ${formatAddress(a)}`),
  victimChanged: ({ a, b }) =>
    a === 0
      ? sentence(`the victim at ${formatAddress(b)} is taken out`)
      : sentence(`the chunk at ${formatAddress(a)} is the designated victim`),
  chunkCached: ({ detail, a, b, c }) =>
    isSlabList(detail)
      ? sentence(
          `a block of `,
          strong(formatBytes(b)),
          ` returns to its slab, its last word before it at ${formatAddress(a)}`,
        )
      : sentence(
          `thread ${c} puts the chunk at ${formatAddress(a)}, `,
          strong(formatBytes(b)),
          `, on cache list ${detail}`,
        ),
  chunkReused: ({ detail, a, b, c }) =>
    isSlabList(detail)
      ? sentence(
          `a block of ${formatBytes(b)} of a slab, behind ${formatAddress(a)}, is in use for `,
          strong(formatBytes(c)),
          ' asked',
        )
      : sentence(
          `the chunk at ${formatAddress(a)}, ${formatBytes(b)}, leaves cache list ${detail} for `,
          strong(formatBytes(c)),
          ' asked',
        ),
  slabMade: ({ a, b, c }) =>
    c === 0
      ? sentence(`malloc notes in the chunk at ${formatAddress(a)} where slabs lie`)
      : sentence(
          `the chunk at ${formatAddress(a)} becomes a slab of `,
          strong(plural(c, 'block')),
          ` of ${formatBytes(b)}`,
        ),
  slabEnded: ({ a, b, c }) =>
    c === 0
      ? sentence(`the chunk at ${formatAddress(a)} says no more where slabs lie`)
      : sentence(
          `the slab at ${formatAddress(a)} with `,
          strong(plural(c, 'block')),
          ` of ${formatBytes(b)} ends: its blocks in use, if any, become chunks`,
        ),
  cachedMoved: ({ detail, a, b, c }) =>
    sentence(
      `the chunk at ${formatAddress(a)} goes from ${cacheOf(b)} to ${cacheOf(c)}, size class `,
      strong(`${detail}`),
    ),
  cachedEnded: ({ detail, a, b, c }) =>
    sentence(
      `the chunk at ${formatAddress(a)}, `,
      strong(formatBytes(b)),
      `, leaves ${holderOfList(detail, c)} for the heap`,
    ),
} satisfies Record<string, Describe>;

/** Of malloc: who has a cached chunk. */
const cacheOf = (holder: number): string => (holder === 0 ? 'the central list' : `thread ${holder}`);
const holderOfList = (list: number, holder: number): string =>
  holder === 0 ? `central list ${list}` : `cache list ${list} of thread ${holder}`;
