// The small front with three threads, each with a cache of its own: what one makes another frees, so nodes travel in
// batches from cache to central list to cache; what nobody holds any more goes back to the heap span by span.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { movesOf, progressOf, takeAny } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kProducer = 1;
const kConsumer = 2;
const kThird = 3;
const kSizes = [24, 72, 200, 640] as const; // classes of 24, 80, 224 and 640 bytes
const kMessages = 5000;
const kQueue = 3000; // messages under way from the producer to the consumer
const kKept = 500; // blocks that the third thread has for good
const kLarge = 90_000; // larger than any class

const chapters = [
  'Three threads, three caches',
  'The producer takes, the consumer frees',
  'The third thread takes what came back',
  'Too large for a class: chunks of the heap',
  'Flush: the caches go to the central lists',
  'Squeeze: free spans go back to the heap',
] as const;

export const threadCaches: Scenario = {
  info: {
    id: 'thread_caches',
    title: 'Thread caches: a producer and a consumer',
    summary: 'Blocks of four classes travel in batches between three caches and the central lists; spans go back.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);
    const size = () => kSizes[random.below(kSizes.length)] ?? kSizes[0];

    yield progress.begin(0);
    const own: Addr[] = [];
    for (const thread of [kProducer, kConsumer, kThird]) {
      for (let i = 0; i < 40; i++) own.push(...moves.takeSmall(thread, size(), 1));
      yield progress.within(thread / 3);
    }

    yield progress.begin(1);
    const queue: Addr[] = [];
    for (let made = 0; made < kMessages || queue.length > 0; ) {
      const burst = 8 + random.below(24); // a thread works for a while before the other gets its turn
      for (let i = 0; i < burst && made < kMessages && queue.length < kQueue; i++, made++) {
        queue.push(...moves.takeSmall(kProducer, size(), 1));
      }
      // First the queue grows, then the consumer catches up.
      const due = made < kQueue ? random.below(8) : 40;
      for (const mem of queue.splice(0, due)) moves.freeSmall(kConsumer, mem);
      yield progress.within(made / kMessages);
    }

    yield progress.begin(2);
    const kept: Addr[] = [];
    for (let i = 0; i < kKept * 2; i++) {
      kept.push(...moves.takeSmall(kThird, size(), 1));
      const mem = i % 2 === 0 ? takeAny(kept, random.below) : undefined;
      if (mem !== undefined) moves.freeSmall(kThird, mem);
      if (i % 50 === 0) yield progress.within(i / (kKept * 2));
    }

    yield progress.begin(3);
    const large: Addr[] = [];
    for (let i = 0; i < 4; i++) {
      large.push(...moves.takeSmall(kProducer, kLarge + random.below(kLarge), 1));
      yield progress.within(i / 4);
    }
    for (const mem of large) moves.freeSmall(kConsumer, mem);

    yield progress.begin(4);
    for (const thread of [kProducer, kConsumer, kThird]) {
      moves.flush(thread);
      yield progress.within(thread / 3);
    }

    yield progress.begin(5);
    moves.squeeze(); // what is still in use keeps its spans
    yield progress.within(0.2);
    const rest = [...own, ...kept];
    for (let i = 0; rest.length > 0; i++) {
      const mem = takeAny(rest, random.below);
      if (mem !== undefined) moves.freeSmall(1 + (i % 3), mem);
      if (i % 50 === 0) yield progress.within(0.2 + (i / (own.length + kept.length)) * 0.6);
    }
    for (const thread of [kProducer, kConsumer, kThird]) moves.flush(thread);
    yield progress.within(0.9);
    moves.squeeze();
  },
};
