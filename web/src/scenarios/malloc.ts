// The malloc front: freed blocks wait on quick lists for the next request of their size. What waits is given to the heap,
// which joins neighbours, before memory would grow. First one thread; then three, each with lists of its own.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { type Moves, movesOf, progressOf, takeAny } from './moves.ts';
import type { Hands, Scenario, Step } from './scenario.ts';

const kSizes = [24, 60, 100, 200] as const; // requests; with their header chunks of 32, 72, 112 and 208 bytes
const kOnlyThread = undefined; // nobody has been named yet: one cache, without bounds
const kFirst = 360;
const kPairs = 300;
const kWide = 24;
const kWideBytes = 5000;
const kWideStep = 700;
const kBetween = 1500; // bytes
const kSmall = 4200; // blocks that fill the memory there is from the start
const kKeptOneIn = 40;
const kMedium = 3000; // bytes: more than any hole that a small block leaves
const kMediums = 70;
const kLarge = 90_000; // bytes: on a list with others of nearly its size
const kGrowths = 44;
const kVector = 80 * 1024; // bytes at first: large enough for a room when it moves
const kGrowth = 2048; // bytes a step
const kSpace = 1_000_000;
const kMessages = 4000;
const kQueue = 900; // messages under way from one thread to the other

const chapters = [
  'A freed block waits on a quick list',
  'The same size comes back at once',
  'Beside free memory a block joins it',
  'Before memory grows, the lists are emptied',
  'Large blocks share a list with near sizes',
  'realloc: a vector grows where it lies',
  'Two vectors in turn: the one that moves gets room',
  'Pages go back',
  'Three threads, each with its own lists',
  'One thread takes, another frees: central lists',
  'The threads empty their lists',
] as const;

export const malloc: Scenario = {
  info: {
    id: 'malloc',
    title: 'malloc: blocks that wait for the next',
    summary:
      'Freed blocks wait on quick lists; before memory grows the heap joins them; threads pass them on in batches.',
    chapters,
    experiment: undefined,
  },
  *run(hands, seed) {
    const progress = progressOf(chapters.length);
    const kept: Addr[] = [];
    yield* tellLists(hands, seed, progress, kept);
    yield* tellVectors(hands, progress);

    const moves = movesOf(hands);
    yield progress.begin(7);
    for (const mem of kept.splice(0)) moves.freeMalloc(kOnlyThread, mem);
    yield progress.within(0.5);
    moves.trimMalloc();

    yield* tellThreads(hands, seed, progress);
  },
};

type Progress = ReturnType<typeof progressOf>;

/** Chapters 0 to 4. What is left of the small blocks goes to `kept`. */
function* tellLists(hands: Hands, seed: number, progress: Progress, kept: Addr[]): Generator<Step, void, void> {
  const moves = movesOf(hands);
  const random = createRandom(seed);
  const size = () => kSizes[random.below(kSizes.length)] ?? kSizes[0];
  const take = (bytes: number, count = 1) => moves.malloc(kOnlyThread, bytes, count);
  const free = (mem: Addr) => moves.freeMalloc(kOnlyThread, mem);

  yield progress.begin(0);
  const blocks: Addr[] = [];
  for (let i = 0; i < kFirst; i++) blocks.push(...take(size()));
  yield progress.within(0.5);
  for (let i = 0; i < kFirst / 2; i++) {
    const mem = takeAny(blocks, random.below);
    if (mem !== undefined) free(mem);
    if (i % 20 === 0) yield progress.within(0.5 + i / kFirst);
  }

  yield progress.begin(1);
  for (let i = 0; i < kPairs; i++) {
    for (const mem of take(size())) free(mem);
    if (i % 50 === 0) yield progress.within(i / kPairs);
  }

  yield progress.begin(2);
  const wide: Addr[] = [];
  const between: Addr[] = [];
  for (let i = 0; i < kWide; i++) {
    wide.push(...take(kWideBytes + i * kWideStep));
    between.push(...take(kBetween));
  }
  for (const mem of wide) free(mem); // of many sizes, so none of them waits
  yield progress.within(0.5);
  for (const mem of between) free(mem); // the first waits

  yield progress.begin(3);
  const small: Addr[] = [];
  for (let i = 0; i < kSmall; i++) {
    small.push(...take(size()));
    if (i % 500 === 0) yield progress.within((0.4 * i) / kSmall);
  }
  for (let i = 0; small.length > 0; i++) {
    const mem = takeAny(small, random.below);
    if (mem !== undefined && i % kKeptOneIn === 0) kept.push(mem);
    else if (mem !== undefined) free(mem);
    if (i % 500 === 0) yield progress.within(0.4 + (0.3 * i) / kSmall);
  }
  for (let i = 0; i < kMediums; i++) {
    kept.push(...take(kMedium + random.below(500)));
    if (i % 20 === 0) yield progress.within(0.7 + (0.3 * i) / kMediums);
  }

  yield progress.begin(4);
  for (let i = 0; i < 6; i++) {
    const large = take(kLarge + random.below(kLarge), 2);
    yield progress.within(i / 6);
    for (const mem of large) free(mem);
  }
  kept.push(...blocks);
}

/** Chapters 5 and 6. */
function* tellVectors(hands: Hands, progress: Progress): Generator<Step, void, void> {
  const moves = movesOf(hands);
  yield progress.begin(5);
  yield* growInTurn(moves, 1, progress);
  yield progress.begin(6);
  for (const mem of moves.malloc(kOnlyThread, kSpace, 1)) moves.freeMalloc(kOnlyThread, mem); // memory to grow into
  yield* growInTurn(moves, 2, progress);
}

/** `count` vectors grow by turns, with a small block taken between. */
function* growInTurn(moves: Moves, count: number, progress: Progress): Generator<Step, void, void> {
  const vectors = Array.from({ length: count }, () => moves.malloc(kOnlyThread, kVector, 1)[0]);
  const between: Addr[] = [];
  for (let i = 1; i <= kGrowths; i++) {
    vectors.forEach((mem, nth) => {
      vectors[nth] = mem === undefined ? undefined : moves.realloc(kOnlyThread, mem, kVector + i * kGrowth);
    });
    if (count > 1) between.push(...moves.malloc(kOnlyThread, 40, 1));
    yield progress.within(i / kGrowths);
  }
  for (const mem of [...vectors, ...between]) if (mem !== undefined) moves.freeMalloc(kOnlyThread, mem);
}

/** Chapters 8 to 10. */
function* tellThreads(hands: Hands, seed: number, progress: Progress): Generator<Step, void, void> {
  const moves = movesOf(hands);
  const random = createRandom(seed + 1);
  const size = () => kSizes[random.below(kSizes.length)] ?? kSizes[0];
  const threads = [1, 2, 3] as const;
  const [producer, consumer, third] = threads;

  yield progress.begin(8);
  const own: Addr[] = [];
  for (const thread of threads) {
    for (let i = 0; i < 150; i++) {
      own.push(...moves.malloc(thread, size(), 1));
      const mem = i % 3 === 0 ? undefined : takeAny(own, random.below);
      if (mem !== undefined) moves.freeMalloc(thread, mem);
    }
    yield progress.within(thread / threads.length);
  }

  yield progress.begin(9);
  const queue: Addr[] = [];
  for (let made = 0; made < kMessages || queue.length > 0; ) {
    const burst = 8 + random.below(24); // a thread works for a while before the other gets its turn
    for (let i = 0; i < burst && made < kMessages; i++, made++) queue.push(...moves.malloc(producer, size(), 1));
    const due = made < kMessages && queue.length < kQueue ? random.below(12) : 40;
    for (const mem of queue.splice(0, due)) moves.freeMalloc(consumer, mem);
    if (random.below(12) === 0) own.push(...moves.malloc(third, size(), 1));
    yield progress.within(made / kMessages);
  }

  yield progress.begin(10);
  for (const [i, mem] of own.entries()) moves.freeMalloc(threads[i % threads.length], mem);
  for (const thread of threads) {
    moves.flushMalloc(thread);
    yield progress.within(thread / threads.length);
  }
  moves.trimMalloc();
}
