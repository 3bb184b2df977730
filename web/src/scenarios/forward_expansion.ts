// Two vectors take the same elements. One may use the expansion command and grows where it stands; the other knows only
// allocate and free, as a C++03 allocator does: every growth is a new buffer, a copy, and a hole where the old one was.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import { movesOf, progressOf, type Vector } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kElement = 8; // bytes
const kElements = 24_000; // 187.5 KiB
const kGrowBy = 1.25;

const chapters = [
  'An empty heap',
  'Room behind it: forward expansion',
  'The same elements without the command: move and copy',
  'The holes left behind',
  'Everything goes back',
] as const;

export const forwardExpansion: Scenario = {
  info: {
    id: 'forward_expansion',
    title: 'Grow forward',
    summary: 'A vector that grows in place, and one with the same elements that has to move each time.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);

    yield progress.begin(0);
    const notes: Addr[] = [];
    for (let i = 0; i < 24; i++) notes.push(moves.allocate(16 + random.below(80)));

    yield progress.begin(1);
    const free: Vector = { mem: undefined, count: 0, element: kElement };
    while (free.count < kElements) {
      moves.grow(free, CommandFlag.expandFwd, Math.max(4, Math.floor(free.count * kGrowBy)));
      yield progress.within(free.count / kElements);
    }

    yield progress.begin(2);
    const classic: Vector = { mem: undefined, count: 0, element: kElement };
    while (classic.count < kElements) {
      moves.grow(classic, 0, Math.max(4, Math.floor(classic.count * kGrowBy)));
      notes.push(moves.allocate(24)); // life goes on meanwhile: notes land in the holes and keep them apart
      yield progress.within(classic.count / kElements);
    }

    yield progress.begin(3);
    for (let i = 0; i < 160; i++) {
      notes.push(moves.allocate(16 + random.below(random.below(4) === 0 ? 1200 : 160)));
      if (i % 16 === 0) yield progress.within(i / 160);
    }

    yield progress.begin(4);
    for (const { mem } of [free, classic]) if (mem !== undefined) moves.free(mem);
    yield progress.within(0.3);
    while (notes.length > 0) {
      const at = random.below(notes.length);
      for (const note of notes.splice(at, 1)) moves.free(note);
      if (notes.length % 16 === 0) yield progress.within(1 - notes.length / 240);
    }
  },
};
