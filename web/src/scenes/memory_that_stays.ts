// Why memory does not shrink: one block at the end holds everything before it.

import { type Addr, bytes } from '../base/brand.ts';
import { formatBytes } from '../base/format.ts';
import { type Scene, shuffled, viewFrom } from './scene.ts';

const kBlocks = 14;
const kSmall = 500; // bytes of a block that stays
const kSize = 9996;

export const memoryThatStays: Scene = {
  id: 'memory_that_stays',
  title: 'Why memory does not shrink',
  idea: 'A heap can give back only its end, so one block there holds all the memory before it.',
  steps: [
    {
      title: 'A large task',
      caption: 'The program needs fourteen blocks of 10,000 bytes. The heap has grown for them by several segments.',
    },
    {
      title: 'Almost all is freed',
      caption:
        'The task ends, and all large blocks are freed. One small block was made during the task and lives on: it is selected.',
    },
    {
      title: 'The program asks for less memory',
      caption: 'The program asks the heap to give back what it does not need.',
      question: {
        kind: 'choice',
        text: 'How much comes back?',
        options: [
          { text: 'Nearly everything', wrong: 'Nearly everything is free, but only the end can be given back.' },
          { text: 'Nothing' },
        ],
        reason:
          'Nothing: the small block lies near the end. The free memory before it can be used again, not given back.',
      },
    },
    {
      title: 'The block that holds it',
      caption: 'There are two small blocks: one at the start and one near the end.',
      question: {
        kind: 'place',
        text: 'Which one must go before the memory can be given back? Click it.',
        reason:
          'The one near the end: once it is gone the end is free, and the heap gives it back to its page source, where other heaps of the program find it. The WebAssembly memory itself never shrinks.',
        wrongs: {
          first: 'That block lies at the start: whatever is free behind it can be given back while it stays.',
          used: 'That block does not lie at the end.',
          free: 'That memory is free already.',
          top: 'Top is free already.',
        },
      },
    },
    {
      title: 'A number of your own',
      caption:
        'The task runs again. You say how many of its fourteen large blocks are made before the small one that stays.',
      number: { text: 'How much comes back?', unit: 'blocks', least: 0, most: 14, first: 7 },
    },
  ],
  *play({ moves, operations, random, number }) {
    const trim = () => operations.operate({ op: 'trim', pad: bytes(0) }).received;
    const first = moves.allocate(kSmall);
    const blocks = Array.from({ length: kBlocks }, () => moves.allocate(kSize));
    const last = moves.allocate(kSmall);
    yield { places: [first], view: viewFrom(first, 8192) };
    for (const mem of shuffled(blocks, random)) moves.free(mem);
    const letters = [
      { name: 'stays', at: first },
      { name: 'stays', at: last },
    ];
    yield { places: [last], letters };
    yield { places: [last], right: trim() > 0 ? 0 : 1, letters };
    moves.free(last);
    trim();
    yield { places: [last], wrongPlaces: { first: [first] }, letters: letters.slice(0, 1) };
    const large = (count: number): Addr[] => Array.from({ length: count }, () => moves.allocate(kSize));
    const before = large(number);
    const small = moves.allocate(kSmall);
    moves.freeAll([...before, ...large(kBlocks - number)]);
    const back = trim();
    const said = back === 0 ? 'Nothing comes back' : `${formatBytes(back)} come back`;
    yield {
      places: [small],
      letters: [{ name: 'stays', at: small }],
      says: `${said}: ${number} large blocks were made before it.`,
    };
  },
};
