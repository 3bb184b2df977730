// Slabs: small blocks of one size without headers, why that is quick, and what a survivor costs.

import type { Addr } from '../base/brand.ts';
import { lettered, pick, type Scene, viewFrom } from './scene.ts';

const kSize = 40;
const kBlocks = 160; // the first ones are chunks: a class has slabs when it has taken 2 KiB
const kPerSlab = 24;
const kSlab = 1024; // bytes of each slab at first, at a multiple of as many

export const smallBlocks: Scene = {
  id: 'small_blocks',
  title: 'Small blocks without headers',
  idea: 'Small blocks of one size share a slab with one bit for each, so that nothing is split or joined; but one block keeps all of it.',
  steps: [
    {
      title: 'A slab',
      caption:
        'A program has called malloc(40) 160 times. The blocks lie side by side in slabs, without a header between them. The selected one is in the middle of a slab.',
    },
    {
      title: 'A block is freed',
      caption: 'The program frees the selected block, and then one beside it.',
      question: {
        kind: 'choice',
        text: 'Two free blocks lie side by side. Do they become one?',
        options: [
          { text: 'Yes', wrong: 'That is so for chunks of the heap. In a slab all blocks keep their size.' },
          { text: 'No' },
        ],
        reason: 'They do not: each has a bit that says it is free. No header is read, and nothing is joined.',
      },
    },
    {
      title: 'malloc(40) again',
      caption: 'The program calls malloc(40).',
      question: {
        kind: 'place',
        text: 'Where will it lie?',
        reason: 'In the block that was freed last: malloc has its address at hand, and neither searches nor splits.',
        wrongs: {
          used: 'That block is in use.',
          cached: 'That block is free, too, but it was freed before the other one.',
          free: 'The heap is asked only when no slab has a free block.',
          victim: 'The heap is asked only when no slab has a free block.',
          top: 'The heap is asked only when no slab has a free block.',
        },
      },
    },
    {
      title: 'One survivor',
      caption:
        'The program frees every block of the slab but the selected one. Then the cache is flushed: what is free shall go back to the heap.',
      question: {
        kind: 'choice',
        text: 'The slab still has a block in use. What becomes of it?',
        options: [
          {
            text: 'It stays until that block is freed',
            wrong: 'It need not: the word before the block is free, so a header fits there.',
          },
          { text: 'It becomes chunks' },
        ],
        reason: 'It becomes chunks: the block stays where it is, with a header before it, and all around it is free.',
      },
    },
    {
      title: 'Two neighbours',
      caption: 'Of another slab two blocks stay, side by side. Then the cache is flushed again.',
      question: {
        kind: 'choice',
        text: 'Does this slab become chunks, too?',
        options: [
          {
            text: 'Yes',
            wrong: 'The second block would need a header, and the word before it belongs to the first one.',
          },
          { text: 'No' },
        ],
        reason: 'It does not: there is no free word between both. What is free in it serves blocks of 40 bytes only.',
      },
    },
    {
      title: 'A number of your own',
      caption:
        'Of a third slab as many blocks stay as you say, no two of them side by side. Then the cache is flushed twice.',
      number: { text: 'How many may stay?', unit: 'blocks', least: 0, most: 12, first: 3 },
    },
  ],
  *play({ moves, operations, number }) {
    const malloc = (count: number): Addr[] => [...moves.malloc(undefined, kSize, count)];
    const free = (mem: Addr) => moves.freeMalloc(undefined, mem);
    const blocks = malloc(kBlocks);
    const slabs = fullSlabs(blocks);
    const [one, other] = [pick(slabs, 0), pick(slabs, 1)];
    const middle = pick(one, 12);
    yield { places: [middle], view: viewFrom(pick(one, 0), 128) };
    free(middle);
    const beside = pick(one, 13);
    free(beside);
    yield { places: [middle], right: 1, letters: lettered('free', [middle, beside]) };
    const again = pick(malloc(1), 0);
    yield { places: [again], letters: [{ name: 'again', at: again }] };
    const survivor = again;
    for (const mem of one) if (mem !== survivor && mem !== middle) free(mem);
    moves.flushMalloc(undefined);
    yield { places: [survivor], right: 1, letters: [{ name: 'survivor', at: survivor }] };
    const both = [pick(other, 11), pick(other, 12)];
    for (const mem of other) if (!both.includes(mem)) free(mem);
    moves.flushMalloc(undefined);
    yield { places: both.slice(0, 1), right: 1, letters: lettered('survivor', both) };
    const third = pick(slabs, 2);
    const stays = third.filter((_, i) => i % 2 === 1 && i < 2 * number);
    for (const mem of third) if (!stays.includes(mem)) free(mem);
    const flush = () => operations.operate({ op: 'mallocFlush', thread: undefined }).received;
    const back = flush() + flush();
    const becomes = number === 0 ? 'goes back whole' : back > 0 ? 'becomes chunks' : 'stays a slab';
    yield {
      places: [pick(third, 1)],
      letters: lettered('survivor', stays),
      says: `Of ${kPerSlab} blocks ${number} stay: the slab ${becomes}.`,
    };
  },
};

/** The blocks of each slab that is full, by the KiB in which they lie. */
function fullSlabs(blocks: readonly Addr[]): Addr[][] {
  const byPlace = new Map<number, Addr[]>();
  for (const mem of blocks) {
    const place = Math.floor(mem / kSlab);
    byPlace.set(place, [...(byPlace.get(place) ?? []), mem]);
  }
  return [...byPlace.values()]
    .map((slab) => slab.sort((a, b) => a - b))
    .filter((slab) => (slab[0] ?? 0) % kSlab === 16 && slab.length === kPerSlab);
}
