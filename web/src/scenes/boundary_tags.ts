// The word before each block: size and two bits. With it, free() needs no size, and finds both neighbours.

import { bytes } from '../base/brand.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kOptions = [20, 24, 28, 32];

/** wrongs: by option; undefined: it is right. */
const sizeQuestion = (request: number, reason: string, wrongs: readonly (string | undefined)[]) =>
  ({
    kind: 'choice',
    text: `How many bytes will a request of ${request} bytes take?`,
    options: kOptions.map((size, at) => {
      const wrong = wrongs[at];
      return { text: `${size} bytes`, ...(wrong === undefined ? {} : { wrong }) };
    }),
    reason,
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
      question: sizeQuestion(20, '4 bytes for the tag and 20 for the program make 24, a multiple of 8.', [
        '20 are the bytes of the program alone.',
        undefined,
        '28 is no multiple of 8.',
        '32 are more than tag and block need.',
      ]),
    },
    {
      title: 'One byte more',
      caption: 'The next request has one byte more.',
      question: sizeQuestion(21, '4 and 21 make 25, and the next multiple of 8 is 32. Seven bytes stay unused.', [
        '20 are fewer than the program asked for.',
        'With the tag 25 bytes are needed.',
        '28 is no multiple of 8.',
        undefined,
      ]),
    },
    {
      title: 'Free gets an address and no size',
      caption: 'free(p) gets only the address of the block, p on the map.',
      question: {
        kind: 'choice',
        text: 'How does the heap learn how large the block is?',
        options: [
          { text: 'It searches all blocks', wrong: 'A search would cost more, the more blocks there are.' },
          { text: 'It reads the word before p' },
          { text: 'The program must remember it', wrong: 'free(p) gets no size, so the program need not know one.' },
        ],
        reason: 'The tag lies right before p, so one read is enough.',
      },
    },
    {
      title: 'A free chunk has two tags',
      caption:
        'The hatched chunk is free now. A free chunk writes its size a second time, into its last word. One other chunk will read that word when it is freed.',
      question: {
        kind: 'place',
        text: 'Which chunk is that? Click it.',
        reason: 'The chunk right after it looks back, finds a free neighbour, and the two become one.',
        wrongs: {
          used: 'That chunk does not lie right behind the free one, so it never looks there.',
          free: 'That is the free chunk itself: it wrote the word.',
          top: 'Top is not freed: it is free.',
        },
      },
    },
    {
      title: 'A size of your own',
      caption: 'Tag and block together are rounded up to 8 bytes, and to 16 at least.',
      number: { text: 'Which sizes waste no byte?', unit: 'bytes', least: 1, most: 200, first: 29 },
    },
  ],
  *play({ moves, operations, random, number }) {
    const blocks = [60, sizeBetween(random, 60, 120), sizeBetween(random, 60, 120), 60].map(moves.allocate);
    yield { places: [pick(blocks, 0)], view: viewFrom(pick(blocks, 0), 64) };
    for (const request of [20, 21]) {
      const block = moves.allocate(request);
      const next = moves.allocate(20);
      const taken = next - block;
      const own = { name: `${request} B take ${taken}`, at: block };
      const letters = request === 21 ? [own, { name: 'p', at: pick(blocks, 1) }] : [own]; // p is of the step that follows
      yield { places: [block], right: kOptions.indexOf(taken), letters };
    }
    moves.free(pick(blocks, 1));
    yield { places: [pick(blocks, 1)], right: 1, letters: [{ name: 'free', at: pick(blocks, 1) }] };
    moves.free(pick(blocks, 2));
    yield { places: [pick(blocks, 2)], letters: [{ name: 'joined', at: pick(blocks, 1) }] };
    const { mems, received } = operations.operate({ op: 'allocate', size: bytes(number) });
    const unused = received - number;
    const said = `${number} bytes take a chunk of ${received + 4}: 4 for the tag, ${unused === 0 ? 'none' : unused} unused.`;
    yield { places: mems, says: said };
  },
};
