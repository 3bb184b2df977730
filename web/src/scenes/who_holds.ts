// Who holds the memory: bytes count, not blocks. A few large blocks hold more than many small ones.

import type { Addr } from '../base/brand.ts';
import { formatBytes, formatCount } from '../base/format.ts';
import { lettered, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kCached = 40;
const kSmall = 84;

export const whoHolds: Scene = {
  id: 'who_holds',
  title: 'Who holds the memory',
  idea: 'Who holds the memory is a question of bytes, not of blocks.',
  steps: [
    {
      title: 'Two parts of a program',
      caption:
        'A cache has forty small blocks, an index has four large ones. The index is marked; all others are the cache.',
    },
    {
      title: 'The cache is emptied',
      caption:
        'Memory is short. Somebody says that the cache is to blame, with ten times as many blocks. All of them are freed.',
      question: {
        kind: 'choice',
        text: 'How much of the memory in use comes back?',
        options: [
          { text: 'Nearly all of it', wrong: 'Forty of forty-four blocks went, but not nearly all bytes.' },
          { text: 'About half of it', wrong: 'The blocks of the index are far larger.' },
          { text: 'Less than a third' },
        ],
        reason: 'Less than a third: the four blocks of the index hold the rest.',
      },
    },
    {
      title: 'Where to look first',
      caption: 'The cache is filled again.',
      question: {
        kind: 'place',
        text: 'Click a block that is worth a look when memory is short. The index then gets one more.',
        reason: 'A block of the index: each of them holds more than twenty blocks of the cache.',
        wrongs: {
          cache: 'That is a block of the cache: all forty together hold less than two blocks of the index.',
          used: 'That block is a small one.',
          free: 'Nobody holds that memory: it is free.',
          victim: 'Nobody holds that memory: it is free.',
          top: 'Nobody holds top.',
        },
        stays: true,
      },
    },
    {
      title: 'A number of your own',
      caption:
        'You say how many blocks the cache has. In a program, the question “Who holds it?” above the map adds up for each function.',
      number: {
        text: 'From how many blocks on does the cache hold more than the index?',
        unit: 'blocks',
        least: 1,
        most: 400,
        first: 80,
      },
    },
  ],
  *play({ moves, random, number }) {
    const large = Array.from({ length: 4 }, () => sizeBetween(random, 2000, 2200));
    const fill = (count: number): Addr[] => Array.from({ length: count }, () => moves.allocate(kSmall));
    const index: Addr[] = [];
    let cache: Addr[] = [];
    for (const size of large) {
      cache.push(...fill(kCached / large.length));
      index.push(moves.allocate(size));
    }
    const marks = () => lettered('index', index);
    yield { view: viewFrom(pick(cache, 0), 256), letters: marks() };
    moves.freeAll(cache);
    yield { places: cache, right: 2, letters: marks() };
    cache = fill(kCached);
    const wrongPlaces = { cache };
    const places = [...index];
    const one = moves.allocate(pick(large, 0));
    index.push(one);
    yield { places, wrongPlaces, letters: marks() };
    moves.freeAll(cache);
    cache = fill(number);
    const held = { cache: number * kSmall, index: large.reduce((sum, size) => sum + size, pick(large, 0)) };
    const more = held.cache > held.index ? 'cache' : 'index';
    const said = `cache ${formatBytes(held.cache)} in ${formatCount(number)} blocks, index ${formatBytes(held.index)} in 5`;
    yield { places: cache, letters: marks(), says: `The ${more} holds more: ${said}.` };
  },
};
