// Fragmentation: much is free, and nothing large fits.

import { type Addr, bytes } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { lettered, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kRequest = 1200;
const kWide = 8192; // a row: two segments are in sight
const kBlocks = 16;
const kSegment = 65_536;
const kTag = 4;
const kLeft = 64; // bytes of top

export const fragmentation: Scene = {
  id: 'fragmentation',
  title: 'Fragmentation',
  idea: 'Much memory can be free while no free chunk is large.',
  steps: [
    {
      title: 'A full heap',
      caption:
        'Sixteen blocks of about 500 bytes lie side by side. One large block after them takes almost all the rest.',
    },
    {
      title: 'Some blocks go',
      caption: 'Five blocks are freed, none beside another. More than 2,400 bytes are free now.',
    },
    {
      title: 'One larger block',
      caption: 'The program asks for 1,200 bytes.',
      question: {
        kind: 'choice',
        text: 'Does the block fit between the others?',
        options: [
          {
            text: 'Yes',
            wrong: 'The five holes have more than 2,400 bytes together, but a block must lie in one of them.',
          },
          { text: 'No' },
        ],
        reason: 'No hole has 1,200 bytes, so the heap must grow by a segment.',
      },
    },
    {
      title: 'A size of your own',
      caption:
        'The large block is freed, and the heap gives the segment back. Then the program asks for as many bytes as you say.',
      number: { text: 'From which size on does the heap grow?', unit: 'bytes', least: 200, most: 3000, first: 800 },
    },
    {
      title: 'A puzzle',
      caption: 'All sixteen blocks are in use again. Now it is your turn.',
      puzzle: {
        text: 'Free blocks until 4,000 bytes are free, and keep the largest free chunk under 1,200 bytes. Select a block on the map, then press Free.',
        hint: 'Neighbours join. Leave a block between any two that you free.',
        solved:
          'Solved: 4,000 bytes are free, and a request of 1,200 bytes does not fit. Allocate 1,200 bytes and see the heap grow.',
        sizes: [500, kRequest],
        goal: [
          { figure: 'freeBytes', least: 4000 },
          { figure: 'largestFree', most: 1199 },
        ],
      },
    },
  ],
  *play({ moves, operations, random, number }) {
    const sizes = Array.from({ length: kBlocks }, () => sizeBetween(random, 480, 560));
    const blocks = sizes.map(moves.allocate);
    const next = pick(blocks, kBlocks - 1) + pick(sizes, kBlocks - 1) + kTag;
    const end = next - (next % kSegment) + kSegment;
    moves.allocate(end - next - 2 * kLeft);
    const near = viewFrom(pick(blocks, 0), 256, next);
    const withGrown = (mem: Addr) => viewFrom(pick(blocks, 0), kWide, mem + kRequest); // the new segment too
    yield { view: near };
    const gone = [1, 4, 7, 10, 13];
    for (const at of gone) moves.free(pick(blocks, at));
    const holes = lettered(
      'hole',
      gone.map((at) => pick(blocks, at)),
    );
    yield { places: [pick(blocks, 1)], letters: holes };
    const large = moves.allocate(kRequest);
    const inside = large < next;
    const asked = { name: '1,200 bytes', at: large };
    yield { places: [large], right: inside ? 0 : 1, view: withGrown(large), letters: [...holes, asked] };
    const giveBack = (mem: Addr) => {
      moves.free(mem);
      operations.operate({ op: 'trim', pad: bytes(0) });
    };
    giveBack(large);
    const own = moves.allocate(number);
    const where = own < next ? 'fit into a hole' : 'fit into no hole: the heap grew'; // top has fewer than the least
    const view = own < next ? near : withGrown(own);
    yield { places: [own], view, letters: holes, says: `${formatCount(number)} bytes ${where}.` };
    giveBack(own);
    const again: Addr[] = gone.map((at) => moves.allocate(pick(sizes, at)));
    yield { places: again.slice(0, 1), view: near, letters: [] };
  },
};
