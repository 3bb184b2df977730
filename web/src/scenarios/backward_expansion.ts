// A vector boxed in from behind takes the hole in front of it. Its elements decide how far the start may move.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import { movesOf, progressOf } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kBackward = CommandFlag.expandBwd;
const kBoth = CommandFlag.expandFwd | CommandFlag.expandBwd;
const kElementSizes = [4, 8, 12, 20, 24, 28, 40] as const;

const chapters = [
  'Rows of blocks, no gap between',
  'The block in front goes',
  'Backwards, by a multiple of the element',
  'Nothing in front: the command says what could be had',
  'Both ways at once',
  'Shrink, and give the rest back',
] as const;

interface Row {
  readonly element: number;
  front: Addr | undefined;
  vector: Addr;
  count: number;
  back: Addr | undefined;
  readonly ahead: number; // elements that the block in front could hold, and the one behind
  readonly behind: number;
}

export const backwardExpansion: Scenario = {
  info: {
    id: 'backward_expansion',
    title: 'Grow backward',
    summary:
      'Vectors of 4 to 40-byte elements take the hole before them; the start moves by a multiple of element and alignment.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);

    yield progress.begin(0);
    const rows: Row[] = [];
    const fences: Addr[] = []; // so that a row's holes stay its own
    for (const element of [...kElementSizes, ...kElementSizes]) {
      const count = 16 + random.below(12);
      const ahead = 10 + random.below(20);
      const front = moves.allocate(element * ahead);
      const vector = moves.allocate(element * count);
      const behind = 6 + random.below(8);
      const back = moves.allocate(element * behind);
      rows.push({ element, front, vector, count, back, ahead, behind });
      fences.push(moves.allocate(12));
      yield progress.within(rows.length / (2 * kElementSizes.length));
    }

    const half = rows.length / 2;
    yield progress.begin(1);
    for (const row of rows.slice(0, half)) {
      if (row.front !== undefined) moves.free(row.front);
      row.front = undefined;
    }

    yield progress.begin(2);
    for (const row of rows.slice(0, half)) {
      const grown = moves.command(kBackward, row.element, row.count + 1, row.count * 4, row.vector);
      if (grown.ok && grown.mems[0] !== undefined) {
        row.vector = grown.mems[0];
        row.count = grown.received;
      }
      yield progress.within(0.5);
    }

    yield progress.begin(3);
    for (const row of rows.slice(half)) {
      moves.command(kBackward, row.element, row.count + 1, row.count * 2, row.vector);
      yield progress.within(0.5);
    }

    yield progress.begin(4); // the limit is more than the room on either side
    for (const row of rows.slice(half)) {
      if (row.front !== undefined) moves.free(row.front);
      if (row.back !== undefined) moves.free(row.back);
      row.front = undefined;
      row.back = undefined;
      const limit = row.count + Math.max(row.ahead, row.behind) + 2;
      const grown = moves.command(kBoth, row.element, limit, row.count * 8, row.vector);
      if (grown.ok && grown.mems[0] !== undefined) {
        row.vector = grown.mems[0];
        row.count = grown.received;
      }
      yield progress.within(0.5);
    }

    yield progress.begin(5);
    for (const row of rows) {
      const wanted = Math.floor(row.count / 3);
      const shrunk = moves.command(CommandFlag.tryShrinkInPlace, row.element, row.count, wanted, row.vector);
      if (shrunk.ok) moves.command(CommandFlag.shrinkInPlace, row.element, shrunk.received, wanted, row.vector);
      yield progress.within(0.4);
    }
    for (const row of rows) {
      for (const mem of [row.front, row.vector, row.back]) if (mem !== undefined) moves.free(mem);
      yield progress.within(0.8);
    }
    moves.freeAll(fences);
  },
};
