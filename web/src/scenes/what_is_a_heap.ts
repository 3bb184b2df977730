// A heap hands out pieces of memory and takes them back: a hole that fits is used again, else the end of the heap is.

import { formatCount } from '../base/format.ts';
import { pick, type Scene, shuffled, sizeBetween, viewFrom } from './scene.ts';

export const whatIsAHeap: Scene = {
  id: 'what_is_a_heap',
  title: 'What a heap is',
  idea: 'A heap hands out pieces of memory, takes them back, and uses the holes again.',
  steps: [
    {
      title: 'Pieces of memory',
      caption:
        'A program asks the heap for memory piece by piece. Each blue piece is a block that the program uses. The long dashed rest is free: it is called top.',
    },
    {
      title: 'One more block',
      caption: 'The program asks for 100 bytes.',
      question: {
        kind: 'place',
        text: 'Where will the block lie? Click there on the map.',
        reason: 'Nothing but top is free, so the block comes from its start.',
        wrongs: { used: 'That memory is in use: until the program frees it, no other block can lie there.' },
      },
    },
    {
      title: 'One block is given back',
      caption: 'The program frees a block in the middle. Its memory is a hole now: free, with blocks on both sides.',
    },
    {
      title: 'A block as large as the hole',
      caption: 'The program asks for as many bytes as the hole has.',
      question: {
        kind: 'place',
        text: 'Where will it lie now?',
        reason: 'The hole fits, so the heap uses it and keeps top whole for larger blocks.',
        wrongs: {
          used: 'That block is in use.',
          top: 'Top would do, too, but it is what the heap touches last.',
        },
      },
    },
    { title: 'The hole is back', caption: 'The same block is freed again.' },
    {
      title: 'More than the hole has',
      caption: 'The program asks for 900 bytes. The hole has fewer.',
      question: {
        kind: 'place',
        text: 'Where will 900 bytes lie?',
        reason: 'The hole is too small, so the block comes from top, and the hole waits for a smaller one.',
        wrongs: {
          used: 'That block is in use.',
          free: '900 bytes do not fit into the hole, and a block is never cut in two.',
        },
      },
    },
    {
      title: 'A size of your own',
      caption: 'The hole is still there. Now you say how many bytes the program asks for.',
      number: { text: 'From which size on is the hole too small?', unit: 'bytes', least: 1, most: 4000, first: 50 },
    },
  ],
  *play({ moves, random, number }) {
    const sizes = shuffled([sizeBetween(random, 60, 90), 100, sizeBetween(random, 140, 200), 60, 124], random);
    const blocks = sizes.map(moves.allocate);
    yield { view: viewFrom(pick(blocks, 0), 128) };
    yield { places: [moves.allocate(100)] };
    const at = 1 + random.below(blocks.length - 2);
    const hole = pick(blocks, at);
    moves.free(hole);
    yield { places: [hole], letters: [{ name: 'hole', at: hole }] };
    const again = moves.allocate(pick(sizes, at));
    yield { places: [again] };
    moves.free(again);
    yield { places: [again] };
    yield { places: [moves.allocate(900)] };
    const own = moves.allocate(number);
    const where = own === hole ? 'in the hole' : 'at the start of top, behind the last block';
    yield { places: [own], says: `${formatCount(number)} bytes lie ${where}.` };
  },
};
