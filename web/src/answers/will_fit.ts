// Will N bytes fit: "300 KiB fit at 0x0010_4000 without growth." or "400 KiB do not fit: the largest hole has 311 KiB ..."
//
//   fit.W1  The request is one of malloc where malloc made the heap's calls so far (it rounds to a size class and looks into its cache
//           first), else one of the heap.
//   fit.W2  yes: a chunk serves it now. no: none does. perhaps: none does, and malloc caches chunks which, given back, would make a
//           piece large enough; whether it gives them back first depends on whether linear memory would have to grow.
//   fit.W3  Of malloc the trace does not decide the address where one of several cached chunks is taken, and where cached chunks may
//           go back to the heap before it searches (malloc.L2, malloc.W2 of the core): then no address is given.
//   fit.W4  A small request of malloc takes a free block of a slab of its class. Where there is none, it takes a cached chunk of
//           its size or asks the heap: for such a chunk while the class is young, and for a slab later. Which of both is known where the class had
//           a slab before; else the answer holds for both, or it is perhaps. It is perhaps, too, where a slab finds no place and a chunk would.
//           Where chunks of its size are cached beside free blocks of slabs, what was freed last may be either. No place is named where it
//           may be one of two.
//   fit.W6  With threads each has slabs of its own, and the trace does not say whose a slab is. A thread that caches a chunk of the class needs none.
//           Else it is perhaps where a slab has a free block of the class. Where none has, it is yes if the heap has place for a slab of any
//           length, no if not even a chunk fits, and perhaps between.
//   fit.W7  A slab behind the end of the map of slabs needs a larger map, too: where none is sure to have a place, the slab has none.
//   fit.W5  Inside an operation a free chunk may be on no list, until it is cut, taken or kept again. It is perhaps, if that one is large enough.

import { formatAddress, formatBytes } from '../base/format.ts';
import { looseChunks } from '../model/queries/loose_chunks.ts';
import type { HeapEntry } from '../model/state/entries.ts';
import type { AnswerTo, FitsFigures } from '../protocol/answers.ts';
import { kSlabLists } from '../protocol/event_layout.ts';
import { type Sentence, sentence, strong } from '../trace/sentence.ts';
import { type Known, missingEvents, missingFreeLists, noEvidence, said, together } from './ask.ts';
import { cachedSizes, type FoundChunk, fitsWhenFlushed, servedBy, type Wanted, wantedOf } from './fit_served.ts';
import { type FreeSpace, freeSpaceOf, leastRelease, type Release } from './free_space.ts';
import { blocksInWords } from './growth_sentence.ts';
import { blocksOf } from './why_grew.ts';

const kMostRequest = 0x7fff_0000;

type WantedFor = (request: number) => Wanted;
type IsServed = (wanted: Wanted) => boolean;

/** asked: undefined asks for the most that fits. */
export function willFit(known: Known, asked: number | undefined): AnswerTo<'fits'> {
  const { history, state, entry, event } = known;
  if (entry === undefined || entry.wordSize === 0 || state.isForeign) return unknownFit(known, asked);
  const free = freeSpaceOf(state, entry);
  const wantedFor = (request: number) => wantedOf(known, entry, request);
  const loose = looseChunks(state, entry, history.trace).largest;
  const isServed = (wanted: Wanted) => typeof servedBy(state, entry, wanted) === 'object';
  const most = (sizes: readonly number[], serves: IsServed) => mostThatFits(sizes, entry, wantedFor, serves);
  const holeSizes = free.holes.map(({ size_bytes }) => size_bytes);
  const mostServed = () =>
    Math.max(most(holeSizes, isServed), mostCached(cachedSizes(state, entry), entry, wantedFor, isServed));
  const request = asked ?? Math.max(mostServed(), loose === 0 ? 0 : most([loose], () => true));
  const wanted = wantedFor(request);
  const answer = request > kMostRequest ? undefined : servedBy(state, entry, wanted);
  const served = answer === 'perhaps' ? undefined : answer;
  const byOperation = answer === undefined && wanted.size <= loose;
  const isOpen =
    answer === 'perhaps' || byOperation || (answer === undefined && fitsWhenFlushed(state, entry, wanted.size));
  const fits = served !== undefined ? 'yes' : isOpen ? 'perhaps' : 'no';
  const release = fits === 'no' ? leastRelease(state, entry, wanted.size) : undefined;
  const figures: FitsFigures = {
    request_bytes: request,
    needed_bytes: wanted.size,
    fits,
    from: served?.from ?? 'none',
    block_address: served?.chunk === undefined ? 0 : served.chunk + entry.wordSize,
    largest_free_bytes: free.largestHole,
    top_bytes: free.top,
    growth_bytes: fits === 'yes' ? 0 : Math.max(0, wanted.size - free.top),
    pin_blocks: release?.blocks.length ?? 0,
    pin_bytes: release?.bytes ?? 0,
  };
  const hole = holeOf(served, wanted.size);
  return {
    ask: 'fits',
    figures,
    ...said(
      known,
      entry.id,
      'fits',
      sentenceOf(known, figures, release, {
        isMost: asked === undefined,
        bySlab: answer === 'perhaps',
        loose: byOperation ? loose : 0,
      }),
      {
        missing: missingEvents(history),
        evidence: {
          ...noEvidence(event),
          holes: hole === undefined ? holesFor(free, served, wanted.size) : [hole],
          blocks: blocksOf(history, release?.blocks ?? []),
        },
      },
    ),
    question: questionOf(asked),
  };
}

/** Where the address is not decided (W3): the holes that can serve the request; a cache's chunk is in none. Where nothing serves it, all. */
function holesFor({ holes }: FreeSpace, served: FoundChunk | undefined, size: number): FreeSpace['holes'] {
  if (served === undefined) return holes;
  return served.from === 'cache' || served.from === 'slab' ? [] : holes.filter(({ size_bytes }) => size_bytes >= size);
}

const questionOf = (asked: number | undefined): string =>
  asked === undefined ? 'What fits?' : `Will ${formatBytes(asked)} fit?`;

/** The largest request that is served: of the largest piece, or of one that the search comes to. */
function mostThatFits(
  sizes: readonly number[],
  { wordSize }: HeapEntry,
  wantedFor: WantedFor,
  isServed: IsServed,
): number {
  for (const size of sizes) {
    let request = size - wordSize;
    while (request > 0 && wantedFor(request).size > size) request -= 2 * wordSize;
    if (request > 0 && isServed(wantedFor(request))) return endOfClass(request, wantedFor(request), wordSize);
  }
  return 0;
}

/** The largest request that a free block of a slab serves, which has no header, or a cached chunk. */
function mostCached(
  sizes: readonly number[],
  { wordSize }: HeapEntry,
  wantedFor: WantedFor,
  isServed: IsServed,
): number {
  for (const size of sizes) {
    let request = size - wordSize;
    while (request > 0 && (wantedFor(request).cached?.size ?? 0) > size) request -= 2 * wordSize;
    const served = [size, request].find((each) => each > 0 && isServed(wantedFor(each)));
    if (served !== undefined) return endOfClass(served, wantedFor(served), wordSize);
  }
  return 0;
}

/** All requests of one class of slabs are served alike (W4). */
const endOfClass = (request: number, { slab }: Wanted, wordSize: number): number =>
  slab === undefined ? request : (slab.list - kSlabLists) * 2 * wordSize;

function holeOf(served: FoundChunk | undefined, size: number) {
  if (served?.chunk === undefined) return undefined;
  return { address: served.chunk, size_bytes: size, is_top: served.from === 'top' };
}

const kPlaces: Readonly<Record<FitsFigures['from'], string>> = {
  slab: 'in a slab, which has a free block of its size',
  cache: "from malloc's cache",
  bin: 'in a hole',
  victim: 'in the rest of the last small cut (the victim)',
  top: 'in top',
  none: '',
};

/** bySlab: whether it fits depends on whether malloc makes a slab for it. loose: on what the operation under way leaves of so many bytes (W5). */
function sentenceOf(
  { history }: Known,
  figures: FitsFigures,
  release: Release | undefined,
  { isMost, bySlab, loose }: { readonly isMost: boolean; readonly bySlab: boolean; readonly loose: number },
): Sentence {
  const { request_bytes, fits, from, block_address, largest_free_bytes, top_bytes, growth_bytes } = figures;
  const asked = formatBytes(request_bytes);
  const at = block_address === 0 ? '' : `, at ${formatAddress(block_address)}`;
  const isDecided = from !== 'none';
  if (isMost && fits === 'yes')
    return sentence('at most ', strong(asked), ` fit without growth${isDecided ? `: ${kPlaces[from]}${at}` : ''}.`);
  if (fits === 'yes' && !isDecided) return sentence(`${asked} fit `, strong('without growth'), '.');
  if (fits === 'yes') return sentence(`${asked} fit `, strong(`${kPlaces[from]}${at}`), ', without growth.');
  if (loose > 0) {
    const held = `: ${formatBytes(loose)} are on no list until it ends.`;
    return sentence(
      `${isMost ? 'at most ' : ''}${asked} fit only if `,
      strong('the operation under way'),
      ` leaves them${held}`,
    );
  }
  const largest =
    largest_free_bytes === 0 ? 'there is no hole' : `the largest hole has ${formatBytes(largest_free_bytes)}`;
  const top = top_bytes === 0 ? '' : `, and top has ${formatBytes(top_bytes)}`;
  if (isMost) {
    const unless = fits === 'perhaps' ? 'unless malloc first gives back what it caches' : 'without growth';
    return sentence(`nothing fits ${unless}: `, strong(largest), `${top}.`);
  }
  if (bySlab) return sentence(`${asked} fit only if malloc makes `, strong('no slab'), ` for them: ${largest}${top}.`);
  if (fits === 'perhaps')
    return sentence(`${asked} fit only if malloc first gives back what it caches: `, strong(largest), `${top}.`);
  const pins = release === undefined ? '' : `, or ${blocksInWords(history, release.blocks)} less`;
  return sentence(
    `${asked} do not fit: `,
    strong(largest),
    `${top}; it takes ${formatBytes(growth_bytes)} more memory${pins}.`,
  );
}

function unknownFit(known: Known, asked: number | undefined): AnswerTo<'fits'> {
  const { entry, state } = known;
  const text =
    entry === undefined
      ? 'there is no heap at this moment.'
      : 'what is free is not known, as the trace has no free lists.';
  const figures: FitsFigures = {
    request_bytes: asked ?? 0,
    needed_bytes: asked ?? 0,
    fits: 'perhaps',
    from: 'none',
    block_address: 0,
    largest_free_bytes: 0,
    top_bytes: 0,
    growth_bytes: 0,
    pin_blocks: 0,
    pin_bytes: 0,
  };
  const missing = together(missingFreeLists(state), missingEvents(known.history));
  return {
    ask: 'fits',
    figures,
    ...said(known, entry?.id ?? 0, 'fits', sentence(text), { answered: false, missing }),
    question: questionOf(asked),
  };
}
