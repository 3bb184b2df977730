// The word before each block: size and two bits. With it, free() needs no size, and finds both neighbours.

import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kOptions = [20, 24, 28, 32];

const sizeQuestion = (request: number, right: string) =>
  ({
    kind: 'choice',
    text: `How many bytes will a request of ${request} bytes take?`,
    options: kOptions.map((size) => `${size} bytes`),
    right,
    wrong: right.replace(/^Yes: /, 'No: '),
  }) as const;

export const boundaryTags: Scene = {
  id: 'boundary_tags',
  title: 'Boundary tags',
  idea: 'One word before each block holds its size, so that the heap can walk from block to block.',
  steps: [
    {
      title: 'A word before each block',
      caption:
        'The pale line at the start of each block is its tag: one word of 4 bytes with the size of the block, and two bits that say whether this block and the one before it are in use. Block and tag together are called a chunk.',
    },
    {
      title: 'The size of a chunk',
      caption: 'Chunk sizes are multiples of 8 bytes. The tag is part of the chunk.',
      question: sizeQuestion(20, 'Yes: 4 bytes for the tag and 20 for the program make 24, a multiple of 8.'),
    },
    {
      title: 'One byte more',
      caption: 'The next request has one byte more.',
      question: sizeQuestion(21, 'Yes: 4 and 21 make 25, and the next multiple of 8 is 32. Seven bytes stay unused.'),
    },
    {
      title: 'Free gets an address and no size',
      caption: 'free(p) gets only the address of the block, p on the map.',
      question: {
        kind: 'choice',
        text: 'How does the heap learn how large the block is?',
        options: ['It searches all blocks', 'It reads the word before p', 'The program must remember it'],
        right: 'Yes. The tag lies right before p, so one read is enough.',
        wrong: 'No. The tag lies right before p: the heap reads it there.',
      },
    },
    {
      title: 'A free chunk has two tags',
      caption:
        'The hatched chunk is free now. A free chunk writes its size a second time, into its last word. One other chunk will read that word when it is freed.',
      question: {
        kind: 'place',
        text: 'Which chunk is that? Click it.',
        right: 'Yes: the chunk after it. It looks back, finds a free neighbour, and the two become one.',
        wrong: 'No: the chunk right after it. It looks back, finds a free neighbour, and the two become one.',
      },
    },
  ],
  *play({ moves, random }) {
    const blocks = [60, sizeBetween(random, 60, 120), sizeBetween(random, 60, 120), 60].map(moves.allocate);
    yield { places: [pick(blocks, 0)], view: viewFrom(pick(blocks, 0), 64) };
    for (const request of [20, 21]) {
      const block = moves.allocate(request);
      const next = moves.allocate(20);
      const letters = [{ name: 'p', at: pick(blocks, 1) }]; // of the step that follows
      yield { places: [block], right: kOptions.indexOf(next - block), ...(request === 21 ? { letters } : {}) };
    }
    moves.free(pick(blocks, 1));
    yield { places: [pick(blocks, 1)], right: 1 };
    moves.free(pick(blocks, 2));
    yield { places: [pick(blocks, 2)] };
  },
};
