// Why memory does not shrink: one block at the end holds everything before it.

import { bytes } from '../base/brand.ts';
import { pick, type Scene, shuffled, viewFrom } from './scene.ts';

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
        options: ['Nearly everything', 'Nothing'],
        right:
          'Yes, nothing: the small block lies near the end. The free memory before it can be used again, not given back.',
        wrong:
          'Nothing: the small block lies near the end. The free memory before it can be used again, not given back.',
      },
    },
    {
      title: 'The block that holds it',
      caption: 'There are two small blocks: one at the start and one near the end.',
      question: {
        kind: 'place',
        text: 'Which one must go before the memory can be given back? Click it.',
        right:
          'Yes. Now the end is free, and the heap gives it back to its page source, where other heaps of the program find it. The WebAssembly memory itself never shrinks.',
        wrong:
          'The one near the end. Once it is gone the end is free, and the heap gives it back to its page source. The WebAssembly memory itself never shrinks.',
      },
    },
  ],
  *play({ moves, operations, random }) {
    const trim = () => operations.operate({ op: 'trim', pad: bytes(0) }).received;
    const first = moves.allocate(kSmall);
    const blocks = Array.from({ length: kBlocks }, () => moves.allocate(kSize));
    const last = moves.allocate(kSmall);
    yield { places: [first], view: viewFrom(first, 8192) };
    for (const mem of shuffled(blocks, random)) moves.free(mem);
    yield { places: [last] };
    yield { places: [last], right: trim() > 0 ? 0 : 1 };
    moves.free(last);
    trim();
    yield { places: [pick([last], 0)] };
  },
};
