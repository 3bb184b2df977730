// Why a heap grows though enough is free: no free piece is large enough, and a few blocks keep the pieces apart.

import { type Addr, bytes } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { lettered, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kSegment = 65_536;
const kTag = 4;
const kLeft = 64; // bytes of top
const kHole = 700;
const kRequest = 1200;
const kWide = 8192; // a row: two segments are in sight

export const whyItGrew: Scene = {
  id: 'why_it_grew',
  title: 'Why it grew',
  idea: 'A heap grows when no free piece is large enough, and the blocks between the pieces are the cause.',
  steps: [
    {
      title: 'Enough is free',
      caption: 'Four holes of 700 bytes are free: 2,800 bytes in all. The rest of the heap is in use.',
    },
    {
      title: 'The heap has grown',
      caption: 'The program asked for 1,200 bytes, and the heap got a new segment: its footprint is twice as large.',
    },
    {
      title: 'The cause',
      caption:
        'We go back to the moment before, as “Why did it grow?” above the map does: the block is freed, and the segment goes.',
      question: {
        kind: 'choice',
        text: 'Why could 1,200 bytes not be served?',
        options: [
          { text: 'Too little was free', wrong: '2,800 bytes were free, more than twice as many.' },
          { text: 'No free piece was large enough' },
          { text: 'The block was too large for this heap', wrong: 'The new segment took it at once.' },
        ],
        reason: 'No free piece was large enough: each of the four has 700 bytes, and a block is never cut in two.',
      },
    },
    {
      title: 'What keeps them apart',
      caption: 'Some blocks lie between two holes. One of these is small; the others are large and in use for long.',
      question: {
        kind: 'place',
        text: 'Click the block that should go, so that 1,200 bytes fit.',
        reason:
          'With the small block gone, the holes on both sides of it join: 1,200 bytes fit, and the heap stays as it is.',
        wrongs: {
          large:
            'With that one gone 1,200 bytes would fit as well, but it is large and still needed: the small one costs least.',
          used: 'No two holes touch that block: with it gone, none would join.',
          free: 'That is a hole. It cannot go: it is what is to become larger.',
          top: 'That is the little that is left of top.',
        },
      },
    },
    {
      title: 'A size of your own',
      caption: 'The small block is gone. You say how many bytes the program asks for.',
      number: {
        text: 'From which size on does the heap grow now?',
        unit: 'bytes',
        least: 200,
        most: 3000,
        first: kRequest,
      },
    },
  ],
  *play({ moves, operations, random, number }) {
    const large = () => moves.allocate(sizeBetween(random, 900, 1100));
    const hole = () => moves.allocate(kHole - kTag);
    const first = large();
    const [one, pin, two, between, three, other, four] = [
      hole(),
      moves.allocate(60),
      hole(),
      large(),
      hole(),
      large(),
      hole(),
    ];
    const last = sizeBetween(random, 900, 1100);
    const next = moves.allocate(last) + last + kTag;
    const end = next - (next % kSegment) + kSegment;
    moves.allocate(end - next - 2 * kLeft);
    const holes = [one, two, three, four];
    moves.freeAll(holes);
    const marks = lettered('hole', holes);
    const near = viewFrom(first, 256, next);
    const withGrown = (mem: Addr) => viewFrom(first, kWide, mem + kRequest); // the new segment too
    yield { view: near, letters: marks };
    const giveBack = (mem: Addr) => {
      moves.free(mem);
      operations.operate({ op: 'trim', pad: bytes(0) });
    };
    const grown = moves.allocate(kRequest);
    yield { places: [grown], view: withGrown(grown), letters: [...marks, { name: '1,200 bytes', at: grown }] };
    giveBack(grown);
    yield { right: 1, view: near, letters: marks };
    moves.free(pin);
    const joined = [{ name: 'one hole', at: one }, ...lettered('hole', [three, four])];
    yield { places: [pin], wrongPlaces: { large: [between, other] }, letters: joined };
    const own = moves.allocate(number);
    const where = own < next ? 'fit into a hole' : 'fit into no hole: the heap grew'; // top has fewer than the least
    const view = own < next ? near : withGrown(own);
    yield { places: [own], view, letters: [], says: `${formatCount(number)} bytes ${where}.` };
    giveBack(pick([own], 0));
  },
};
