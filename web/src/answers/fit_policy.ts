// Which free chunk would serve a request, as the allocator chooses it: a forecast for one moment. The model itself decides nothing
// (architecture, invariant 2); this file alone repeats rules of the core, and tests/web/answers/will_fit.test.ts compares it with the
// real heap, call by call.
//
//   fit.F1  chunkBytes is chunk_size_for of core/src/chunk; classBytes is chunk_bytes_for of core/src/malloc/size_classes.hpp, and near
//           its end_of_near.
//   fit.F2  search is Heap::find of core/src/heap/allocate.cpp (A1 to A5), with the bins of core/src/index/bins.hpp.
//   fit.F3  A build that traces has the victim and looks at four chunks of a bin (the small profile, without them, does not trace).
//   fit.F4  slabBytes is Slabs::bytes_of_new of core/src/slab, searchAtStep is Slabs::make: what a class of small blocks asks of
//           the heap when none of its blocks is free.
//   fit.F5  mapBytes is SlabMap::cover of core/src/slab: the map of slabs moves to a larger chunk when a slab lies behind its end.

import { binOf } from '../model/queries/bin_ranges.ts';
import type { HeapEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';

const kScan = 4; // chunks of a bin that are looked at
const kBinsTried = 3; // for a slab
const kStepLog = 4;
/** Chunks below so many bytes have a cache list: in builds without threads, and with. */
const kListedBytes = [8 * 1024, 32 * 1024] as const;

/** Of a chunk for so many bytes. */
export function chunkBytes(request: number, wordSize: 4 | 8): number {
  const align = 2 * wordSize;
  return Math.max(4 * wordSize, Math.ceil((request + wordSize) / align) * align);
}

/** Of a call of malloc, which rounds to a size class. */
export interface ClassSize {
  readonly size: number;
  /** The cache list that it looks at; that of the large chunk which waits, where the size has none. */
  readonly list: number;
  /** The last list that serves it while its own is empty. */
  readonly near: number;
  readonly isListed: boolean;
}

/** Small requests, which slabs serve where there are any. */
export const kMostInSlab = 128;
export const kMostInSlabOfThread = 256;
/** A slab and its header at most, in bytes: the largest that malloc makes. */
export const kLargestSlab = 4096;
/** The class of slabs that serves it; a request of nothing takes a block of the first. */
export const slabClassOf = (request: number, wordSize: 4 | 8): number =>
  Math.max(1, Math.ceil(request / (2 * wordSize)));
/** The chunk that serves such a class while it has no slab. */
export const chunkOfSlabClass = (slabClass: number, wordSize: 4 | 8): ClassSize => {
  return { size: unitsOfClass(slabClass) * 2 * wordSize, list: slabClass, near: nearOf(slabClass), isListed: true };
};

const kSlabStep = 1024;
const kMostSteps = 4;
const kMostBlocks = 64;
const kYoung = 2 * kSlabStep; // bytes of single chunks, at which the first slab of a class comes

/** F4. ofSlabs: the bytes of the slabs that the class has. */
export function slabBytes(slabClass: number, wordSize: 4 | 8, ofSlabs: number): number {
  const block = Math.max(16, slabClass * 2 * wordSize);
  const taken = Math.ceil(kYoung / block) * block + ofSlabs;
  const capacity = (steps: number) => {
    const space = steps * kSlabStep - 4 * wordSize;
    const blocks = Math.floor((space - wordSize) / block);
    return space - blocks * block >= 4 * wordSize ? blocks : blocks - 1;
  };
  const isPossible = (steps: number) => steps <= kMostSteps && capacity(steps) <= kMostBlocks;
  const waste = (steps: number) => steps * kSlabStep - capacity(steps) * block;
  let near = 1;
  while (isPossible(2 * near) && near * kSlabStep < Math.max(block * 8, Math.floor(taken / 8))) near *= 2;
  let best = near;
  for (let steps = near - Math.floor(near / 4); steps <= near + Math.floor(near / 4); ++steps) {
    if (isPossible(steps) && waste(steps) * best <= waste(best) * steps) best = steps;
  }
  return best * kSlabStep;
}

/** F4. The chunk that a slab of so many bytes is cut from; undefined: the heap must grow, or a chunk serves in its place (hasHole). */
export function searchAtStep(state: HeapState, heap: HeapEntry, size: number): Served | undefined {
  const wordSize = heap.wordSize || 4;
  let tried = 0;
  for (let bin = binOf(size, wordSize); bin < heap.binCount.length && tried < kBinsTried; ++bin) {
    if (heap.binCount[bin] === 0) continue;
    ++tried;
    let at = heap.binFirst[bin] ?? 0;
    for (let seen = 0; at !== 0 && seen < kScan; ++seen, at = state.next[state.granuleAt(at)] ?? 0) {
      const found = state.sizeOf(state.granuleAt(at));
      if (found >= leadTo(at, wordSize) + size) return { from: 'bin', chunk: at, size: found };
    }
  }
  return search(state, heap, size + kSlabStep + 4 * wordSize);
}

const kSpareSteps = 64;

/** F5. The chunk that the map of slabs moves to before a slab may end at `end`; 0: it surely reaches so far. had: bytes of its chunk. */
export function mapBytes(heap: HeapEntry, had: number, end: number, isOfThreads: boolean): number {
  const wordSize = heap.wordSize || 4;
  const entryBytes = isOfThreads ? 2 : 1;
  const needed = Math.ceil(end / kSlabStep) - Math.floor(heap.address / kSlabStep);
  const unknown = 8 * wordSize; // a header, the length, and less than a chunk and a unit that nobody needs
  if (needed * entryBytes <= had - unknown) return 0;
  const longer = isOfThreads ? had : Math.floor((had * 5) / 4);
  return chunkBytes(wordSize + entryBytes * (Math.max(needed, longer) + kSpareSteps), wordSize);
}

/** F4. Where memory would have to grow for a slab, a chunk of so many bytes serves if there is a hole for it. */
export function hasHole(state: HeapState, heap: HeapEntry, size: number): boolean {
  if (heap.victim !== 0 && size <= state.sizeOf(state.granuleAt(heap.victim))) return true;
  return heap.binCount.some((count, bin) => count !== 0 && bin >= binOf(size, heap.wordSize || 4));
}

/** What must be cut off before a free chunk, so that its block begins at a step. */
function leadTo(chunk: number, wordSize: 4 | 8): number {
  const lead = (kSlabStep - ((chunk + wordSize) % kSlabStep)) % kSlabStep;
  return lead !== 0 && lead < 4 * wordSize ? lead + kSlabStep : lead;
}

/** mostList: the greatest list that the trace ever names, which tells builds with threads from others. */
export function classBytes(request: number, wordSize: 4 | 8, mostList: number): ClassSize {
  const align = 2 * wordSize;
  const [few, many] = kListedBytes.map((bytes) => classOfUnits(bytes / align - 1) + 1) as [number, number];
  const lists = mostList > few ? many : few;
  if (request <= unitsOfClass(lists - 1) * align - wordSize) {
    const list = classOfUnits(Math.floor((request + wordSize - 1) / align)) + 1;
    return { size: unitsOfClass(list) * align, list, near: Math.min(nearOf(list), lists - 1), isListed: true };
  }
  const size = Math.max(chunkBytes(request, wordSize), unitsOfClass(lists) * align);
  return { size, list: lists, near: lists, isListed: false };
}

/** F1 */
const nearOf = (list: number): number => list + (list < 1 << kStepLog ? 0 : 4);

function classOfUnits(units: number): number {
  if (units < 2) return 0;
  const shift = Math.floor(Math.log2((units - 1) | (1 << kStepLog))) - kStepLog;
  return (shift << kStepLog) + ((units - 1) >>> shift);
}

function unitsOfClass(sizeClass: number): number {
  const steps = 1 << kStepLog;
  if (sizeClass < 2 * steps) return sizeClass + 1;
  return ((steps + (sizeClass & (steps - 1))) << ((sizeClass >>> kStepLog) - 1)) + 1;
}

export interface Served {
  readonly from: 'bin' | 'victim' | 'top';
  readonly chunk: number;
  readonly size: number; // of the whole free chunk
}

/** F2. The chunk that is taken or cut; undefined: none serves, the heap must grow. */
export function search(state: HeapState, heap: HeapEntry, size: number): Served | undefined {
  const victim = heap.victim === 0 ? 0 : state.sizeOf(state.granuleAt(heap.victim));
  const top = heap.top === 0 ? 0 : state.sizeOf(state.granuleAt(heap.top));
  const bin = binOf(size, heap.wordSize || 4);
  const isSmall = size < 64 * (heap.wordSize || 4);
  const own = bestIn(state, heap, bin, size);
  if (own !== undefined) return own;
  if (isSmall && heap.victim !== 0 && size <= victim) return { from: 'victim', chunk: heap.victim, size: victim };
  for (let later = bin + 1; later < heap.binCount.length; ++later) {
    if (heap.binCount[later] !== 0) return bestIn(state, heap, later, size);
  }
  if (heap.victim !== 0 && size <= victim) return { from: 'victim', chunk: heap.victim, size: victim };
  return heap.top !== 0 && size <= top ? { from: 'top', chunk: heap.top, size: top } : undefined;
}

/** The best of the first few chunks of a bin. */
function bestIn(state: HeapState, heap: HeapEntry, bin: number, size: number): Served | undefined {
  let best: Served | undefined;
  let at = heap.binFirst[bin] ?? 0;
  for (let seen = 0; at !== 0 && seen < kScan; ++seen, at = state.next[state.granuleAt(at)] ?? 0) {
    const found = state.sizeOf(state.granuleAt(at));
    if (found >= size && (best === undefined || found < best.size)) best = { from: 'bin', chunk: at, size: found };
    if (found === size) break;
  }
  return best;
}
