// Memory that goes back: a fresh memory, without the whole free pages.

import { type Addr, bytes } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { pick, type Scene, shuffled, viewFrom } from './scene.ts';

const kPage = 65_536;
const kTag = 4;
const kLarge = 399_996; // six pages and a little
const kSmall = 500;
const kTask = 99_996; // a page and a half
const kTasks = 12;

export const memoryThatGoesBack: Scene = {
  id: 'memory_that_goes_back',
  title: 'Memory that goes back',
  idea: 'A program can go on in a fresh memory, and whole free pages need not be copied there.',
  steps: [
    {
      title: 'A large task',
      caption:
        'The program needs two blocks of 400,000 bytes. Small blocks are made beside them. Memory is counted in pages of 64 KiB.',
    },
    {
      title: 'The task ends',
      caption:
        'Both large blocks are freed. The heap gives back its end, but two small blocks lie behind the large ones, and they stay.',
    },
    {
      title: 'A fresh memory',
      caption:
        'No browser lets a memory shrink. But the program can start again on a fresh memory and copy what it needs to the same addresses. Pages that nobody writes to take no memory.',
      question: {
        kind: 'choice',
        text: 'How much of the heap need not be copied?',
        options: [
          {
            text: 'Nothing',
            wrong: 'Blocks lie at both ends, but each page is copied or left out by itself.',
          },
          { text: 'About half', wrong: 'Count the hollow pages: they are more than half.' },
          { text: 'Most of it' },
        ],
        reason:
          'Most of it: the hollow pages hold nothing. Only pages with a block, or with a part of one, are copied.',
      },
    },
    {
      title: 'The block that keeps a page',
      caption: 'Three small blocks are left: one between the large holes, and two side by side at the end.',
      question: {
        kind: 'place',
        text: 'One of them is freed, and one more page could go back. Which one? Click it.',
        reason: 'The one in the middle: nothing else lies on its page, and the holes beside it join.',
        wrongs: {
          pair: 'Its neighbour lies on the same page and keeps it.',
          used: 'That block does not keep a page alone.',
          free: 'That memory is free already.',
          top: 'Top is free already.',
        },
      },
    },
    {
      title: 'A number of your own',
      caption:
        'Now twelve tasks run, each with a block of 100,000 bytes and a small one. All large blocks are freed. You say how many of the small blocks stay.',
      number: { text: 'How many pages could go back?', unit: 'small blocks', least: 0, most: kTasks, first: 4 },
    },
  ],
  *play({ moves, operations, random, number }) {
    const trim = () => operations.operate({ op: 'trim', pad: bytes(0) });
    const front = moves.allocate(kLarge);
    const middle = moves.allocate(kSmall);
    const back = moves.allocate(kLarge);
    const pair = [moves.allocate(kSmall), moves.allocate(kSmall)] as const;
    yield { places: [middle], view: viewFrom(front, kPage) };
    for (const mem of shuffled([front, back], random)) moves.free(mem);
    trim();
    const letters = [
      { name: 'small', at: middle },
      { name: 'two small', at: pair[0] },
    ];
    yield { places: [middle], letters };
    trim();
    const hollow = pagesBetween(front, middle) + pagesBetween(back, pair[0]);
    const share = (hollow * kPage) / (pair[1] + kSmall - front);
    yield { places: [middle], right: share > 2 / 3 ? 2 : share > 1 / 3 ? 1 : 0, letters };
    moves.free(middle);
    yield { places: [middle], wrongPlaces: { pair: [...pair] }, letters: letters.slice(1) };
    moves.freeAll(pair);
    const tasks = Array.from({ length: kTasks }, () => [moves.allocate(kTask), moves.allocate(kSmall)] as const);
    const end = moves.allocate(kSmall);
    const stays = shuffled(
      Array.from(tasks, (_, i) => i),
      random,
    ).slice(0, number);
    for (const [large] of tasks) moves.free(large);
    moves.freeAll(tasks.flatMap(([, small], i) => (stays.includes(i) ? [] : [small])));
    trim();
    let from: Addr = pick(tasks, 0)[0];
    let pages = 0;
    for (const at of [...stays.sort((a, b) => a - b).map((i) => pick(tasks, i)[1]), end]) {
      pages += pagesBetween(from, at);
      from = (at + kSmall + kTag) as Addr;
    }
    const shown = [...stays.map((i) => ({ name: 'stays', at: pick(tasks, i)[1] })), { name: 'stays', at: end }];
    yield {
      places: [end],
      letters: shown,
      says: `${formatCount(number)} stay: ${pages} pages of 64 KiB could go back.`,
    };
  },
};

/** Whole pages in the hole from a block to the next one; its first three words and its last one are the hole's own. */
function pagesBetween(from: Addr, next: Addr): number {
  const first = Math.ceil((from - kTag + 3 * kTag) / kPage);
  const last = Math.floor((next - kTag - kTag) / kPage);
  return Math.max(0, last - first);
}
