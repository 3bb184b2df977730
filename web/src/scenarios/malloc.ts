// malloc: small blocks lie in slabs, which go back to the heap as wholes. Larger freed blocks go to cache lists, one for each size
// class, and serve the next request of their class. A flush gives the cache to the heap, which joins neighbours. First one thread; then
// three, each with a cache of its own and without slabs.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { movesOf, progressOf, takeAny } from './moves.ts';
import type { HeapOperations, Scenario, Step } from './scenario.ts';

const kOnlyThread = undefined; // nobody has been named yet: one cache, as in a program without threads
const kTiny = [24, 48, 80, 120] as const; // requests that slabs serve
const kTinies = 1600;
const kSurvives = 120; // one in so many
const kSizes = [276, 340, 452, 708] as const; // requests above what slabs serve, each the largest of its size class
const kFirst = 120;
const kPairs = 300;
const kWide = 24;
const kWideBytes = 9000; // more than a cache list takes: each waits until the next is freed, and then the heap has it
const kOther = 64 * 1024;
const kWideStep = 700;
const kBetween = 1500; // bytes
const kSpace = 1_000_000; // bytes: more than there is, and then enough to cut from
const kFew = 200;
const kSmall = 1200;
const kKeptOneIn = 40;
const kMedium = 3000; // bytes: more than any hole that a small block leaves
const kMediums = 70;
const kAlignment = 256;
const kAligned = 1400; // bytes
const kAlignedPairs = 40;
const kVector = 160 * 1024; // bytes at first
const kGrowth = 2048; // bytes a step
const kGrowths = 44;
const kMessageSizes = [100, 200, 400, 700] as const;
const kMessages = 4000;
const kQueue = 900; // messages under way from one thread to the other

const chapters = [
  'Small blocks lie side by side in slabs',
  'Empty slabs go back whole; one with few survivors becomes chunks',
  'A freed block goes to the cache list of its size class',
  'The same size class comes back at once',
  'Behind free memory a block joins it',
  'Before memory grows: a flush',
  'The program asks for other sizes: a flush',
  'memalign: the cached aligned block serves again',
  'realloc: a vector grows where it lies',
  'Pages go back',
  'Three threads, each with its own cache',
  'A full cache is handed over, and comes back in batches',
  'The threads flush their caches',
] as const;

export const malloc: Scenario = {
  info: {
    id: 'malloc',
    title: 'malloc: slabs and cache lists over the heap',
    summary:
      'Small blocks lie in slabs; larger ones are cached by size class, and joined after a flush; threads hand them over.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const progress = progressOf(chapters.length);
    const kept: Addr[] = [];
    yield* playSlabs(operations, seed + 3, progress);
    yield* playLists(operations, seed, progress, kept);
    yield* playFlushes(operations, seed, progress, kept);
    yield* playPlaces(operations, progress);

    const moves = movesOf(operations);
    yield progress.begin(9);
    for (const mem of kept.splice(0)) moves.freeMalloc(kOnlyThread, mem);
    yield progress.within(0.5);
    moves.trimMalloc();

    yield* playThreads(operations, seed, progress);
  },
};

type Progress = ReturnType<typeof progressOf>;

/** Chapters 0 and 1. All of it is free at the end. */
function* playSlabs(operations: HeapOperations, seed: number, progress: Progress): Generator<Step, void, void> {
  const moves = movesOf(operations);
  const random = createRandom(seed);
  const blocks: Addr[] = [];

  yield progress.begin(0);
  for (let i = 0; i < kTinies; i++) {
    blocks.push(...moves.malloc(kOnlyThread, kTiny[random.below(kTiny.length)] ?? kTiny[0], 1));
    const mem = i % 3 === 0 ? takeAny(blocks, random.below) : undefined;
    if (mem !== undefined) moves.freeMalloc(kOnlyThread, mem);
    if (i % 100 === 0) yield progress.within(i / kTinies);
  }

  yield progress.begin(1);
  const survivors = blocks.filter((_, i) => i % kSurvives === 0);
  const staying = new Set(survivors);
  for (const [i, mem] of blocks.entries()) {
    if (!staying.has(mem)) moves.freeMalloc(kOnlyThread, mem);
    if (i % 100 === 0) yield progress.within((0.4 * i) / blocks.length);
  }
  moves.flushMalloc(kOnlyThread);
  yield progress.within(0.7);
  for (const mem of survivors) moves.freeMalloc(kOnlyThread, mem);
  moves.trimMalloc();
}

/** Chapters 2 to 4. What is left goes to `kept`. */
function* playLists(
  operations: HeapOperations,
  seed: number,
  progress: Progress,
  kept: Addr[],
): Generator<Step, void, void> {
  const moves = movesOf(operations);
  const random = createRandom(seed);
  const take = (bytes: number) => moves.malloc(kOnlyThread, bytes, 1);
  const free = (mem: Addr) => moves.freeMalloc(kOnlyThread, mem);

  yield progress.begin(2);
  const blocks: Addr[] = [];
  for (let i = 0; i < kFirst; i++) blocks.push(...take(kSizes[random.below(kSizes.length)] ?? kSizes[0]));
  yield progress.within(0.5);
  for (let i = 0; i < kFirst / 2; i++) {
    const mem = takeAny(blocks, random.below);
    if (mem !== undefined) free(mem);
    if (i % 20 === 0) yield progress.within(0.5 + i / kFirst);
  }
  kept.push(...blocks);

  yield progress.begin(3);
  for (let i = 0; i < kPairs; i++) {
    const size = kSizes[random.below(kSizes.length)] ?? kSizes[0];
    for (const mem of take(size - random.below(4))) free(mem);
    if (i % 50 === 0) yield progress.within(i / kPairs);
  }

  yield progress.begin(4);
  const wide: Addr[] = [];
  const between: Addr[] = [];
  for (let i = 0; i < kWide; i++) {
    wide.push(...take(kWideBytes + i * kWideStep));
    between.push(...take(kBetween));
  }
  for (const mem of wide) free(mem);
  kept.push(...take(kOther)); // the heap is asked: the last wide one waits no longer
  yield progress.within(0.5);
  for (const mem of between) free(mem); // the first is cached: its list is empty
}

/** Chapters 5 and 6. */
function* playFlushes(
  operations: HeapOperations,
  seed: number,
  progress: Progress,
  kept: Addr[],
): Generator<Step, void, void> {
  const moves = movesOf(operations);
  const random = createRandom(seed + 1);
  const small: Addr[] = [];
  const take = (bytes: number) => moves.malloc(kOnlyThread, bytes, 1);
  const takeSmall = () => small.push(...take(kSizes[random.below(kSizes.length)] ?? kSizes[0]));
  const free = (mem: Addr | undefined) => mem !== undefined && moves.freeMalloc(kOnlyThread, mem);

  yield progress.begin(5);
  for (let i = 0; i < kFew; i++) takeSmall();
  while (small.length > 0) free(takeAny(small, random.below));
  yield progress.within(0.5);
  for (const mem of take(kSpace)) free(mem);

  yield progress.begin(6);
  for (let i = 0; i < kSmall; i++) {
    takeSmall();
    if (i % 500 === 0) yield progress.within((0.4 * i) / kSmall);
  }
  for (let i = 0; small.length > 0; i++) {
    const mem = takeAny(small, random.below);
    if (mem !== undefined && i % kKeptOneIn === 0) kept.push(mem);
    else free(mem);
    if (i % 500 === 0) yield progress.within(0.4 + (0.3 * i) / kSmall);
  }
  for (let i = 0; i < kMediums; i++) {
    kept.push(...take(kMedium + random.below(500)));
    if (i % 20 === 0) yield progress.within(0.7 + (0.3 * i) / kMediums);
  }
}

/** Chapters 7 and 8. */
function* playPlaces(operations: HeapOperations, progress: Progress): Generator<Step, void, void> {
  const moves = movesOf(operations);
  yield progress.begin(7);
  for (let i = 0; i < kAlignedPairs; i++) {
    moves.freeMalloc(kOnlyThread, moves.memalign(kOnlyThread, kAlignment, kAligned));
    if (i % 10 === 0) yield progress.within(i / kAlignedPairs);
  }
  yield progress.begin(8);
  let [vector] = moves.malloc(kOnlyThread, kVector, 1);
  for (let i = 1; i <= kGrowths && vector !== undefined; i++) {
    vector = moves.realloc(kOnlyThread, vector, kVector + i * kGrowth);
    yield progress.within(i / kGrowths);
  }
  if (vector !== undefined) moves.freeMalloc(kOnlyThread, vector);
}

/** Chapters 10 to 12. */
function* playThreads(operations: HeapOperations, seed: number, progress: Progress): Generator<Step, void, void> {
  const moves = movesOf(operations);
  const random = createRandom(seed + 2);
  const size = () => kMessageSizes[random.below(kMessageSizes.length)] ?? kMessageSizes[0];
  const threads = [1, 2, 3] as const;
  const [producer, consumer, third] = threads;

  yield progress.begin(10);
  const own: Addr[] = [];
  for (const thread of threads) {
    for (let i = 0; i < 150; i++) {
      own.push(...moves.malloc(thread, size(), 1));
      const mem = i % 3 === 0 ? undefined : takeAny(own, random.below);
      if (mem !== undefined) moves.freeMalloc(thread, mem);
    }
    yield progress.within(thread / threads.length);
  }

  yield progress.begin(11);
  const queue: Addr[] = [];
  for (let made = 0; made < kMessages || queue.length > 0; ) {
    const burst = 8 + random.below(24); // a thread works for a while before the other gets its turn
    for (let i = 0; i < burst && made < kMessages; i++, made++) queue.push(...moves.malloc(producer, size(), 1));
    const due = made < kMessages && queue.length < kQueue ? random.below(12) : 40;
    for (const mem of queue.splice(0, due)) moves.freeMalloc(consumer, mem);
    if (random.below(12) === 0) own.push(...moves.malloc(third, size(), 1));
    yield progress.within(made / kMessages);
  }

  yield progress.begin(12);
  for (const [i, mem] of own.entries()) moves.freeMalloc(threads[i % threads.length], mem);
  for (const thread of threads) {
    moves.flushMalloc(thread);
    yield progress.within(thread / threads.length);
  }
  moves.trimMalloc();
}
