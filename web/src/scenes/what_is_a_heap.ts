// A heap hands out pieces of memory and takes them back: a hole that fits is used again, else the end of the heap is.

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
        text: 'Where will they lie? Click there on the map.',
        right: 'Yes. Nothing else is free, so the block comes from the start of top.',
        wrong: 'No, that memory is in use. The block comes from the start of top.',
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
        text: 'Where will they lie now?',
        right: 'Yes: the hole fits. Top stays whole for larger blocks.',
        wrong: 'No. The hole fits, so the heap uses it and keeps top whole.',
      },
    },
    { title: 'The hole is back', caption: 'The same block is freed again.' },
    {
      title: 'More than the hole has',
      caption: 'The program asks for 900 bytes. The hole has fewer.',
      question: {
        kind: 'place',
        text: 'Where will 900 bytes lie?',
        right: 'Yes. The hole is too small, so the block comes from top, and the hole waits for a smaller one.',
        wrong: 'No. 900 bytes do not fit into the hole, and a block is never cut in two: it comes from top.',
      },
    },
  ],
  *play({ moves, random }) {
    const sizes = shuffled([sizeBetween(random, 60, 90), 100, sizeBetween(random, 140, 200), 60, 124], random);
    const blocks = sizes.map(moves.allocate);
    yield { view: viewFrom(pick(blocks, 0), 128) };
    yield { places: [moves.allocate(100)] };
    const at = 1 + random.below(blocks.length - 2);
    const hole = pick(blocks, at);
    moves.free(hole);
    yield { places: [hole] };
    const again = moves.allocate(pick(sizes, at));
    yield { places: [again] };
    moves.free(again);
    yield { places: [again] };
    yield { places: [moves.allocate(900)] };
  },
};
