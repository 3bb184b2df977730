// What calls of the heap did, as prose.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { CommandFlag, EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
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

const kAt = 0x0001_0010;
const kShown = '0x0001_0010';
test.each<[string, Op, a: number, b: number, c: number, said: string]>([
  ['allocate', Op.allocate, 0, 60, 0, '60 B were requested.'],
  ['allocate zeroed', Op.allocateZeroed, 0, 60, 0, '60 B were requested.'],
  ['allocate aligned', Op.allocateAligned, 0, 60, 64, '60 B were requested, at a multiple of 64 B.'],
  ['free nothing', Op.deallocate, 0, 0, 0, 'Nothing was given back.'],
  ['resize', Op.reallocate, kAt, 60, 0, `The block at ${kShown} shall have 60 B.`],
  ['resize in place', Op.reallocate, kAt, 60, 1, `The block at ${kShown} shall have 60 B without moving.`],
  ['command', Op.command, 0, 60, CommandFlag.allocateNew, 'allocate_new: 60 B would be best.'],
  [
    'command about a block',
    Op.command,
    kAt,
    60,
    CommandFlag.allocateNew | CommandFlag.expandFwd,
    `allocate_new | expand_fwd for the block at ${kShown}: 60 B would be best.`,
  ],
  ['burst', Op.burstNodes, 0, 60, 1200, '1,200 blocks of 60 B were requested in one call.'],
  ['burst of arrays', Op.burstArrays, 0, 60, 1200, '1,200 arrays were requested in one call.'],
  ['trim', Op.trim, 0, 512, 0, 'Whole pages at the ends of segments shall go back, all but 512 B of top.'],
  ['take a node', Op.poolAllocate, 0, 60, 7, 'A node of 60 B was requested from pool 7.'],
  ['take nodes', Op.poolBurst, 0, 1200, 7, '1,200 nodes were requested from pool 7 in one call.'],
  ['trim a pool', Op.poolTrim, 0, 0, 7, 'Pool 7 was asked for the blocks it does not need.'],
  ['make a pool', Op.poolCreate, 0, 60, 0, 'A pool for nodes of 60 B was requested.'],
  ['end a pool', Op.poolDestroy, 0, 0, 7, 'Pool 7 ends, and its blocks go back.'],
  ['make a heap', Op.heapCreate, 0, 0, 0, 'A new heap was asked for.'],
  ['end a heap', Op.heapDestroy, 0, 0, 0, 'Heap 1 ends: what is in use is freed, and its segments go back.'],
  ['small front: allocate', Op.smallAllocate, 0, 60, 0, '60 B were requested from the small front.'],
  ['small front: free nothing', Op.smallDeallocate, 0, 0, 0, 'Nothing was given back.'],
  ['small front: squeeze', Op.smallSqueeze, 0, 0, 0, 'The small front was asked for every span it does not need.'],
  ['small front: flush', Op.smallFlush, 0, 0, 0, 'The cache of the thread goes to the central lists.'],
])('a call that has only begun says what it was asked, in its own numbers: %s', (_, op, a, b, c, said) => {
  const story = explanationOf([[EventKind.opBegun, op, a, b, c]]);
  expect(story).toContain(' (under way). ');
  expect(story.split(' (under way). ')[1]).toBe(said);
});

test.each<[string, Op, a: number, b: number, c: number, what: string, isSingle: boolean]>([
  ['a block', Op.deallocate, kAt, 0, 0, `The block at ${kShown}`, true],
  ['blocks', Op.burstDeallocate, 0, 0, 5, '5 blocks', false],
  ['a node', Op.poolDeallocate, kAt, 0, 7, `The node at ${kShown} of pool 7`, true],
  ['nodes', Op.poolBurstDeallocate, 0, 5, 7, '5 nodes of pool 7', false],
  ['a block of the small front', Op.smallDeallocate, kAt, 0, 0, `The block at ${kShown} of the small front`, true],
  ['blocks at once', Op.bulkFree, 0, 0, 5, '5 blocks', false],
])('%s that a call gives back are to be given back until it has ended', (_, op, a, b, c, what, isSingle) => {
  const begun: Line = [EventKind.opBegun, op, a, b, c];
  const [toBe, was] = isSingle
    ? ['is to be given back', 'was given back']
    : ['are to be given back in one call', 'were given back in one call'];
  expect(explanationOf([begun])).toMatch(new RegExp(` \\(under way\\)\\. ${what} ${toBe}\\.$`));
  expect(explanationOf([begun, done(op)])).toContain(`. ${what} ${was}.`);
});
