// A leak: each round of work leaves one block behind. What is still there and should not be is the leak.

import type { Addr } from '../base/brand.ts';
import { formatBytes, formatCount } from '../base/format.ts';
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
        reason:
          'A leaked block stays though its request has ended. One more request came and left one more: each is marked.',
        wrongs: {
          settings: 'That is one of the settings: it is older than every request, and the server needs it.',
          used: 'That block is in use, and needed.',
          free: 'That is free memory: whoever had it gave it back. A leaked block is in use.',
          victim: 'That is free memory: whoever had it gave it back. A leaked block is in use.',
          top: 'That is top: nobody ever had it.',
        },
        stays: true,
      },
    },
    {
      title: 'After the fix',
      caption: 'As if each request had freed all of its seven blocks: only the settings stay.',
    },
    {
      title: 'A number of your own',
      caption: 'The fault is back. You say how many requests come.',
      number: { text: 'How much has leaked then?', unit: 'requests', least: 1, most: 400, first: 20 },
    },
  ],
  *play({ moves, random, number }) {
    const settings = Array.from({ length: 6 }, () => moves.allocate(sizeBetween(random, 100, 200)));
    const [first] = settings;
    yield first === undefined ? {} : { view: viewFrom(first, 128) };
    const leaked: Addr[] = [];
    const sizes = new Map<Addr, number>();
    const request = () => {
      const taken = Array.from({ length: kPerRound }, () => {
        const size = sizeBetween(random, 30, 150);
        const mem = moves.allocate(size);
        sizes.set(mem, size);
        return mem;
      });
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
    yield { places, wrongPlaces: { settings }, letters: leaked.map((at) => ({ name: 'leak', at })) };
    moves.freeAll(leaked);
    yield { letters: [] };
    leaked.length = 0;
    for (let round = 0; round < number; round++) request();
    const sum = leaked.reduce((bytes, mem) => bytes + (sizes.get(mem) ?? 0), 0);
    const said = `${formatCount(leaked.length)} ${leaked.length === 1 ? 'block' : 'blocks'}, ${formatBytes(sum)}`;
    yield { letters: leaked.slice(0, 12).map((at) => ({ name: 'leak', at })), places: leaked, says: `${said}.` };
  },
};
