// What calls of the heap did, as prose.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { begin, chunkNumber, done, kSixChunks, kSize, release } from '../cached_events.ts';
import { giveBack, kOneSpan, type Line, nodeNumber, take, traceOf } from '../small_events.ts';

function explanationOf(lines: readonly Line[], before = kSixChunks): string {
  const history = new History(traceOf([...before, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const explain = explainOperation(history, history.head.seq);
  return `${explain?.title}. ${explain?.prose.map((part) => part.text).join('')}`.replaceAll('\u202f', ' ');
}

test('a block given back alone is said to be free; of a list of them each is not', () => {
  const mem = chunkNumber(1) + 4;
  expect(explanationOf([begin(Op.deallocate, mem), release(1), done(Op.deallocate)])).toContain(
    'Its chunk of 72 B is free.',
  );
  const within = [begin(Op.burstDeallocate), begin(Op.deallocate, mem), release(1), done(Op.deallocate)];
  expect(explanationOf([...within, done(Op.burstDeallocate)])).not.toContain('Its chunk of');
});

test('what a host did stands alone, with its one event', () => {
  const history = new History(traceOf([...kSixChunks, [EventKind.pagesDiscarded, 0, 0x20000, 65_536, 0]]));
  history.fold();
  const explain = explainOperation(history, history.head.seq);
  expect(explain?.lines.map(({ kind, seq }) => [kind, seq])).toEqual([[EventKind.pagesDiscarded, history.head.seq]]);
  expect(explain?.title).toBe(explain?.lines[0]?.text);
});

test('a trim says how much went back, or that there was no page to give', () => {
  expect(explanationOf([begin(Op.trim), done(Op.trim)])).toMatch(/There was no whole page to give\.$/);
  expect(explanationOf([begin(Op.trim), done(Op.trim, 0, 65_536)])).toMatch(/In all 64.* went back\.$/);
  expect(explanationOf([begin(Op.smallSqueeze), done(Op.smallSqueeze)])).toMatch(/No span was wholly free\.$/);
  expect(explanationOf([begin(Op.smallSqueeze), done(Op.smallSqueeze, 0, 65_536)])).toMatch(/In all 64.* went back\.$/);
});

test('a call that failed says why', () => {
  const failed: Line = [EventKind.opEnded, Op.allocate, 0, 0, 1];
  expect(explanationOf([begin(Op.allocate, 0, kSize), failed])).toMatch(/It failed: .+\.$/);
});

test('a call that gave a block names it, and one that gave none to a request of 0 bytes does not', () => {
  const titleOf = (request: number, mem: number, size: number) =>
    explanationOf([begin(Op.allocate, 0, request), done(Op.allocate, mem, size)]).split('.', 1)[0];
  expect(titleOf(60, chunkNumber(1) + 4, kSize)).toMatch(/^allocate 60 B.*: 0x0001_0058$/);
  expect(titleOf(0, 0, 0)).not.toContain('0x');
});

test('of a node of the small front no block is named, which its event does not name either', () => {
  const node = nodeNumber(3);
  const given = [begin(Op.smallAllocate, 0, 30), take(3), done(Op.smallAllocate, node, 32)];
  const taken = [begin(Op.smallDeallocate, node), giveBack(3), done(Op.smallDeallocate)];
  const [fetched]: Line[] = [[EventKind.batchFetched, 7, nodeNumber(0), 8, 1]];
  const before = [...kOneSpan, ...(fetched === undefined ? [] : [fetched])];
  expect(explanationOf(given, before)).not.toMatch(/fullest block|Its block/);
  expect(explanationOf([...given, ...taken], before)).not.toMatch(/fullest block|Its block/);
});
