// Two vectors push the same elements. One may grow where it stands; the other always finds a note behind its buffer.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import { movesOf, progressOf } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kElement = 8; // bytes
const kElements = 24_000; // 187.5 KiB
const kGrowBy = 1.25;
const kGrow = CommandFlag.allocateNew | CommandFlag.expandFwd;

const chapters = [
  'An empty heap',
  'Room behind it: forward expansion',
  'A note behind every buffer: move, and move again',
  'The holes left behind',
  'Everything goes back',
] as const;

export const forwardExpansion: Scenario = {
  info: {
    id: 'forward_expansion',
    title: 'Grow forward',
    summary: 'A vector that grows in place beside one that has to move each time, with the same elements in both.',
    chapters,
  },
  *run(hands, seed) {
    const moves = movesOf(hands);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);

    yield progress.begin(0);
    const notes: Addr[] = [];
    for (let i = 0; i < 24; i++) notes.push(moves.allocate(16 + random.below(80)));

    yield progress.begin(1);
    let free: Addr | undefined;
    for (let capacity = 0; capacity < kElements; ) {
      const wanted = Math.max(4, Math.floor(capacity * kGrowBy));
      const grown = moves.command(kGrow, kElement, capacity + 1, wanted, free);
      if (!grown.ok) throw new Error(grown.statusText);
      if (!grown.reused && free !== undefined) moves.free(free);
      free = grown.mems[0];
      capacity = grown.received;
      yield progress.within(capacity / kElements);
    }

    yield progress.begin(2);
    let boxed: Addr | undefined;
    for (let capacity = 0; capacity < kElements; ) {
      const wanted = Math.max(4, Math.floor(capacity * kGrowBy));
      const grown = moves.command(kGrow, kElement, capacity + 1, wanted, boxed);
      if (!grown.ok) throw new Error(grown.statusText);
      notes.push(moves.allocate(24)); // lands behind the new buffer while the old one is still there
      if (!grown.reused && boxed !== undefined) moves.free(boxed);
      boxed = grown.mems[0];
      capacity = grown.received;
      yield progress.within(capacity / kElements);
    }

    yield progress.begin(3);
    for (let i = 0; i < 160; i++) {
      notes.push(moves.allocate(16 + random.below(random.below(4) === 0 ? 1200 : 160)));
      if (i % 16 === 0) yield progress.within(i / 160);
    }

    yield progress.begin(4);
    if (free !== undefined) moves.free(free);
    if (boxed !== undefined) moves.free(boxed);
    yield progress.within(0.3);
    while (notes.length > 0) {
      const at = random.below(notes.length);
      for (const note of notes.splice(at, 1)) moves.free(note);
      if (notes.length % 16 === 0) yield progress.within(1 - notes.length / 240);
    }
  },
};
