// A heap that cannot grow refuses a request though a megabyte is free: what counts is the largest hole.

import { type Addr, bytes } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { lettered, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kLimit = 2 * 1024 * 1024;
const kRequest = 4096;
const kMegabyte = 1024 * 1024;

export const refusal: Scene = {
  id: 'refusal',
  title: 'No memory, though much is free',
  idea: 'A request fails when no single hole is large enough, however much is free in all.',
  steps: [
    {
      title: 'A heap with a limit',
      caption:
        'This heap has 2 MiB and cannot grow, like a program on a small device. Blocks of about 2,000 bytes fill it.',
    },
    {
      title: 'A request of 4,096 bytes',
      caption: 'Every block of the first half is freed: almost a megabyte. Then the program asks for 4,096 bytes.',
      question: {
        kind: 'choice',
        text: 'Do they fit?',
        options: [
          { text: 'Yes' },
          {
            text: 'No',
            wrong: 'No single block of 2,000 bytes is large enough, but all neighbours of the first half are free.',
          },
        ],
        reason: 'They do: free neighbours joined into one large hole, and the block lies at its start.',
      },
    },
    {
      title: 'A size of your own',
      caption:
        'The first half is filled again, and then every second block is freed: about a megabyte. You say how many bytes are asked then.',
      number: {
        text: 'From which size on does the heap refuse?',
        unit: 'bytes',
        least: 100,
        most: 100_000,
        first: 4096,
      },
    },
    {
      title: 'A puzzle',
      caption: 'All blocks are in use again. Now make the heap refuse.',
      puzzle: {
        text: 'Free more than a megabyte, and then let a request of 4,096 bytes fail. Press Again to begin anew.',
        hint: 'Free neighbours join: which of the three leaves only small holes?',
        solved:
          'Solved: more than a megabyte is free, and no hole has 4,096 bytes. The heap cannot move blocks that are in use, so the request fails.',
        groups: ['Free the first half', 'Free every second block', 'Free three of four'],
        sizes: [kRequest],
        goal: [
          { figure: 'freeBytes', least: kMegabyte },
          { figure: 'largestFree', most: kRequest },
        ],
        fails: kRequest,
      },
    },
  ],
  *play({ moves, operations, random, number }) {
    const heap = operations.createFixedHeap(kLimit);
    operations.chooseHeap(heap);
    const size = sizeBetween(random, 1960, 2040);
    const fill = (): Addr[] => {
      const filled: Addr[] = [];
      for (;;) {
        const { ok, mems } = operations.operate({ op: 'allocate', size: bytes(size) });
        if (!ok) return filled;
        filled.push(...mems);
      }
    };
    const blocks = fill();
    yield { view: viewFrom(pick(blocks, 0), 16_384, pick(blocks, 0) + kLimit), heap };
    const half = Math.floor(blocks.length / 2);
    moves.freeAll(blocks.slice(0, half));
    const { ok, mems } = operations.operate({ op: 'allocate', size: bytes(kRequest) });
    yield { places: mems, right: ok ? 0 : 1, letters: lettered('block', mems) };
    moves.freeAll(mems);
    const whole = [...fill(), ...blocks.slice(half)];
    const gone = whole.filter((_, nth) => nth % 2 === 0);
    moves.freeAll(gone);
    const own = operations.operate({ op: 'allocate', size: bytes(number) });
    const said = own.ok ? 'fit into a hole' : 'fit into no hole: the heap refuses, though almost a megabyte is free';
    yield { places: own.mems, letters: [], says: `${formatCount(number)} bytes ${said}.` };
    moves.freeAll(own.mems);
    const all = [...whole.filter((_, nth) => nth % 2 === 1), ...fill()].sort((one, other) => one - other);
    const each = (wanted: (nth: number) => boolean) => all.filter((_, nth) => wanted(nth));
    yield { groups: [each((nth) => nth < half), each((nth) => nth % 2 === 0), each((nth) => nth % 4 !== 0)] };
  },
};
