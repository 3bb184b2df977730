// What the malloc front does, as prose.

import { expect, test } from 'vitest';
import { explainOperation } from '../../../web/src/model/explain.ts';
import { History } from '../../../web/src/model/history.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { begin, chunkNumber, done, end, hold, kSixChunks, kSize, kTour, move, release, reuse } from './held_events.ts';
import { type Line, traceOf } from './small_events.ts';

function storyOf(lines: readonly Line[]): string {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const explain = explainOperation(history, history.head.seq);
  return `${explain?.title}. ${explain?.story.map((part) => part.text).join('')}`.replaceAll('\u2009', ' ');
}

const mem = chunkNumber(0) + 4;

test('a block that is freed waits, and one that is asked for was waiting', () => {
  const freed = [begin(Op.deallocate, mem), hold(0), done(Op.deallocate)];
  expect(storyOf(freed)).toMatch(
    /was given back\. The chunk at 0x0001_000c, 72 B, waits on quick list 9 of thread 1\. .*nothing is joined\.$/,
  );
  const taken = [...freed, begin(Op.allocate, 0, 60), reuse(0), done(Op.allocate, mem, 68)];
  expect(storyOf(taken)).toMatch(
    /^allocate 60 B: 0x0001_0010\. 60 B were asked\. On quick list 9 the chunk .* waited, 72 B: it is given out again/,
  );
});

test('an emptying is told as a whole, and why it was', () => {
  expect(storyOf(kTour)).toMatch(
    /^empty the quick lists into the heap\. The quick lists were emptied into the heap: 2 chunks, 144 B, went back to the heap, which joined neighbours once\.$/,
  );
  const inside = [
    hold(0),
    begin(Op.allocate, 0, 5000),
    begin(Op.mallocFlush),
    end(0, 1),
    release(0),
    done(Op.mallocFlush, 0, kSize),
    [EventKind.opEnded, Op.allocate, 0, 0, 1] as Line,
  ];
  expect(storyOf(inside)).toMatch(
    /Memory would have had to grow, so the quick lists were emptied first: 1 chunk, 72 B,/,
  );
  const nothing = [begin(Op.mallocFlush), done(Op.mallocFlush)];
  expect(storyOf(nothing)).toMatch(/: nothing waited there\.$/);
});

test('what goes back to the heap without emptying every list is told once', () => {
  const lines = [hold(0), hold(1), begin(Op.allocate, 0, 5000), end(0, 1), release(0), end(1, 1), release(1)];
  expect(storyOf([...lines, done(Op.allocate, mem, 68)])).toMatch(
    /asked\. 2 chunks that waited, 144 B, went back to the heap for it\./,
  );
});

test('chunks that change their holder are told as one batch', () => {
  const batch = [hold(0), hold(1), begin(Op.deallocate, mem), move(0, 1, 0), move(1, 1, 0), done(Op.deallocate)];
  expect(storyOf(batch)).toMatch(/ 2 chunks went from thread 1 to the central lists\.$/);
});
