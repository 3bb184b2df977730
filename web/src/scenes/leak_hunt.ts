// A leak: each round of work leaves one block behind. What is still there and should not be is the leak.

import type { Addr } from '../base/brand.ts';
import { type Scene, shuffled, sizeBetween, viewFrom } from './scene.ts';

const kRounds = 8;
const kPerRound = 7;

export const leakHunt: Scene = {
  id: 'leak_hunt',
  title: 'A leak hunt',
  idea: 'Blocks that stay after their work is done are a leak, and their age shows them.',
  steps: [
    {
      title: 'A server starts',
      caption: 'A small server has read its settings. These blocks live as long as it does.',
    },
    {
      title: 'One request',
      caption:
        'The server answers a request: it takes seven blocks and frees them in another order. It forgets one. Nobody notices.',
    },
    {
      title: 'Eight requests later',
      caption:
        'Every request has left one block behind. The blocks at the start are the settings. What else is in use should not be there.',
    },
    {
      title: 'Find it',
      caption: 'No request is under way now.',
      question: {
        kind: 'place',
        text: 'Click a block that leaked. You will then see one more request.',
        right:
          'Yes. The request of that block ended, and the block stays. One more request came and left one more: each is marked.',
        wrong:
          'No, that is free memory: whoever had it gave it back. A leaked block is in use. One more request came and left one more: each is marked.',
        wrongs: [
          'No, that is one of the settings: it is older than every request, and the server needs it. One more request came and left one more block: each is marked.',
        ],
        stays: true,
      },
    },
    {
      title: 'After the fix',
      caption: 'As if each request had freed all of its seven blocks: only the settings stay.',
    },
  ],
  *play({ moves, random }) {
    const settings = Array.from({ length: 6 }, () => moves.allocate(sizeBetween(random, 100, 200)));
    const [first] = settings;
    yield first === undefined ? {} : { view: viewFrom(first, 128) };
    const leaked: Addr[] = [];
    const request = () => {
      const taken = Array.from({ length: kPerRound }, () => moves.allocate(sizeBetween(random, 30, 150)));
      const order = shuffled(taken, random);
      leaked.push(...order.splice(0, 1));
      moves.freeAll(order);
    };
    request();
    yield { places: [...leaked] };
    for (let round = 1; round < kRounds; round++) request();
    yield {};
    const places = [...leaked]; // before the one that the answer adds
    request();
    yield { places, wrongPlaces: [settings], letters: leaked.map((at) => ({ name: 'leak', at })) };
    moves.freeAll(leaked);
    yield { letters: [] };
  },
};
