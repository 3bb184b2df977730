// Will N bytes fit: "300 KiB fit at 0x0010_4000 without growth." or "400 KiB do not fit: the largest hole has 311 KiB ..."
//
//   fit.W1  The request is one of malloc where malloc made the heap's calls so far (it rounds to a size class and looks into its cache
//           first), else one of the heap.
//   fit.W2  yes: a chunk serves it now. no: none does. perhaps: none does, and malloc caches chunks which, given back, would make a
//           piece large enough; whether it gives them back first depends on whether linear memory would have to grow.
//   fit.W3  Of malloc the trace does not decide the address where one of several cached chunks is taken, and where cached chunks may
//           go back to the heap before it searches (malloc.L2, malloc.W2 of the core): then no address is given.
//   fit.W4  A small request of malloc without threads takes a free block of a slab of its class. Where there is none, it takes a cached chunk of
//           its size or asks the heap: for such a chunk while the class is young, and for a slab later. Which of both is known where the class had
//           a slab before; else the answer holds for both, or it is perhaps. It is perhaps, too, where a slab finds no place and a chunk would.

import { formatAddress, formatBytes } from '../base/format.ts';
import { listOf } from '../model/state/cached_chunks.ts';
import { chunkStateOf, forEachChunk } from '../model/state/chunk_at.ts';
import { cacheListKey, type HeapEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import { forEachWhole } from '../model/state/slab_around.ts';
import { kSlabHolder } from '../model/state/slabs.ts';
import type { AnswerTo, FitsFigures } from '../protocol/answers.ts';
import { kSlabLists } from '../protocol/event_layout.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import { type Sentence, sentence, strong } from '../trace/sentence.ts';
import { type Known, missingEvents, missingFreeLists, noEvidence, said, together } from './ask.ts';
import {
  type ClassSize,
  chunkBytes,
  chunkOfSlabClass,
  classBytes,
  hasHole,
  kMostInSlab,
  search,
  searchAtStep,
  slabBytes,
  slabClassOf,
} from './fit_policy.ts';
import { type FreeSpace, freeSpaceOf, leastRelease, type Release } from './free_space.ts';
import { blocksInWords } from './growth_sentence.ts';
import { kFree } from './pins.ts';
import { blocksOf } from './why_grew.ts';

const kMostRequest = 0x7fff_0000;

/** asked: undefined asks for the most that fits. */
export function willFit(known: Known, asked: number | undefined): AnswerTo<'fits'> {
  const { history, state, entry, event } = known;
  if (entry === undefined || entry.wordSize === 0 || state.isForeign) return unknownFit(known, asked);
  const free = freeSpaceOf(state, entry);
  const wantedFor = (request: number) => wantedOf(known, entry, request);
  const isServed = (wanted: Wanted) => typeof servedBy(state, entry, wanted) === 'object';
  const request = asked ?? mostThatFits(free, entry, wantedFor, isServed);
  const wanted = wantedFor(request);
  const answer = request > kMostRequest ? undefined : servedBy(state, entry, wanted);
  const served = answer === 'perhaps' ? undefined : answer;
  const isOpen = answer === 'perhaps' || (answer === undefined && fitsWhenFlushed(state, entry, wanted.size));
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
    ...said(known, entry.id, 'fits', sentenceOf(known, figures, release, asked === undefined, answer === 'perhaps'), {
      missing: missingEvents(history),
      evidence: {
        ...noEvidence(event),
        holes: hole === undefined ? holesFor(free, served, wanted.size) : [hole],
        blocks: blocksOf(history, release?.blocks ?? []),
      },
    }),
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

interface FoundChunk {
  readonly from: FitsFigures['from'];
  readonly chunk: number | undefined; // W3
}

/** What the heap must have for it; of malloc also where the block may come from without it. */
interface Wanted {
  readonly size: number;
  readonly cached?: ClassSize;
  readonly slab?: SlabWanted;
}

/** W4 */
interface SlabWanted {
  readonly list: number;
  readonly size: number; // of the chunk for another one
  readonly hadOne: boolean;
}

/** W1, W4 */
function wantedOf({ history, state }: Known, heap: HeapEntry, request: number): Wanted {
  const { malloc } = history;
  const wordSize = heap.wordSize || 4;
  if (malloc.heap !== heap.id) return { size: chunkBytes(request, wordSize) };
  const lists = [...malloc.sizes.keys()].filter((list) => list < kSlabLists);
  const cached = classBytes(request, wordSize, Math.max(0, ...lists));
  const isOfThreads = malloc.hasCentral || history.threadChanges.countBelow(state.seq) > 0;
  if (request > kMostInSlab || isOfThreads) return { size: cached.size, cached };
  const list = kSlabLists + slabClassOf(request, wordSize);
  const hadOne = (malloc.firstSlabs.get(list) ?? state.seq) < state.seq;
  const size = slabBytes(list - kSlabLists, wordSize, bytesOfSlabs(state, heap, list));
  const alone = chunkOfSlabClass(list - kSlabLists, wordSize);
  return { size: hadOne ? size : alone.size, cached: alone, slab: { list, size, hadOne } };
}

function bytesOfSlabs(state: HeapState, heap: HeapEntry, list: number): number {
  let bytes = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachWhole(state, segment, (_, __, size, slab) => {
      if (slab?.list === list) bytes += size;
    });
  }
  return bytes;
}

/** The largest request that is served: of the largest piece, or of one that the search comes to. */
function mostThatFits(
  { holes }: FreeSpace,
  { wordSize }: HeapEntry,
  wantedFor: (request: number) => Wanted,
  isServed: (wanted: Wanted) => boolean,
): number {
  for (const { size_bytes } of holes) {
    for (
      let request = size_bytes - wordSize;
      request > 0 && request > (size_bytes * 7) / 8 - 64;
      request -= 2 * wordSize
    ) {
      const wanted = wantedFor(request);
      if (wanted.size <= size_bytes && isServed(wanted)) return request;
      if (wanted.size <= size_bytes) break; // large enough, and not come to: the next piece
    }
  }
  return 0;
}

/** From the acting thread's cache, else as the heap searches. */
function servedBy(state: HeapState, heap: HeapEntry, wanted: Wanted): FoundChunk | 'perhaps' | undefined {
  const { cached: own, slab } = wanted;
  if (own === undefined) return search(state, heap, wanted.size);
  const blocks = slab === undefined ? [] : cachedOn(state, heap, slab.list, kSlabHolder);
  if (blocks.length > 0) return { from: 'slab', chunk: blocks.length === 1 ? blocks[0]?.at : undefined };
  const cached = cachedOn(state, heap, own.list, state.acting);
  if (slab !== undefined && cached.length === 0) return servedByNew(state, heap, own, slab);
  if (cached.length > 0 && (own.isListed || isSpareless(cached[0]?.size ?? 0, own.size, heap)))
    return { from: 'cache', chunk: cached.length === 1 ? cached[0]?.at : undefined };
  const found = search(state, heap, own.size);
  const mayAge = own.isListed ? heap.cached > 0 : cached.length > 0;
  return found === undefined || !mayAge ? found : { ...found, chunk: undefined };
}

/** W4. No slab has a free block, and no chunk is cached. */
function servedByNew(state: HeapState, heap: HeapEntry, own: ClassSize, slab: SlabWanted): FoundChunk | 'perhaps' | undefined {
  const inSlab = searchAtStep(state, heap, slab.size);
  const isAlone = hasHole(state, heap, own.size);
  if (slab.hadOne) return inSlab !== undefined ? { from: inSlab.from, chunk: undefined } : isAlone ? 'perhaps' : undefined;
  const alone = search(state, heap, own.size);
  if (inSlab === undefined && alone === undefined) return undefined;
  if (inSlab === undefined || alone === undefined) return 'perhaps';
  return { from: inSlab.from, chunk: undefined };
}

/** The chunk that waits serves what leaves no chunk over. */
const isSpareless = (has: number, size: number, { wordSize }: HeapEntry): boolean =>
  has >= size && has - size < 4 * wordSize;

/** The chunks of one cache list of the acting thread. */
function cachedOn(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  holder: number,
): { readonly at: number; readonly size: number }[] {
  const found: { readonly at: number; readonly size: number }[] = [];
  const cached = heap.cacheLists.get(cacheListKey(holder, list));
  if (cached === undefined || cached.chunks === 0) return found;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (at, granule) => {
      if (state.isCached(granule) && listOf(state, granule) === list && state.holderOf(granule) === holder)
        found.push({ at, size: state.sizeOf(granule) });
    });
  }
  return found;
}

/** W2. Whether the cached chunks, given back and joined with what is free, make a piece as large. */
function fitsWhenFlushed(state: HeapState, heap: HeapEntry, wanted: number): boolean {
  if (heap.cached === 0) return false;
  let largest = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    let run = 0;
    forEachWhole(state, segment, (_, granule, size, slab) => {
      const kind = chunkStateOf(state, granule);
      const isBack = slab === undefined ? kind === ChunkState.cached : slab.free === slab.blocks;
      run = kFree.has(kind) || isBack ? run + size : 0;
      largest = Math.max(largest, run);
    });
  }
  return largest >= wanted;
}

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

/** bySlab: whether it fits depends on whether malloc makes a slab for it. */
function sentenceOf(
  { history }: Known,
  figures: FitsFigures,
  release: Release | undefined,
  isMost: boolean,
  bySlab: boolean,
): Sentence {
  const { request_bytes, fits, from, block_address, largest_free_bytes, top_bytes, growth_bytes } = figures;
  const asked = formatBytes(request_bytes);
  const at = block_address === 0 ? '' : `, at ${formatAddress(block_address)}`;
  if (isMost && fits === 'yes')
    return sentence('at most ', strong(asked), ` fit without growth: ${kPlaces[from]}${at}.`);
  if (fits === 'yes') return sentence(`${asked} fit `, strong(`${kPlaces[from]}${at}`), ', without growth.');
  const largest =
    largest_free_bytes === 0 ? 'there is no hole' : `the largest hole has ${formatBytes(largest_free_bytes)}`;
  const top = top_bytes === 0 ? '' : ` and top ${formatBytes(top_bytes)}`;
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
