// What the reader of a report must know first: of each thing that was not counted how much, and nothing where all was.

import { expect, test } from 'vitest';
import { EventKind, kTraceVersion, Op } from '../../../web/src/protocol/event_layout.ts';
import { BlockFacts } from '../../../web/src/report/block_facts.ts';
import { kMostLive } from '../../../web/src/report/limits.ts';
import { noticesOf } from '../../../web/src/report/notices.ts';
import type { Verdict } from '../../../web/src/report/verdict.ts';
import { begin, done, kSixChunks } from '../model/cached_events.ts';
import { type Line, traceOf } from '../model/small_events.ts';

const kCall: readonly Line[] = [...kSixChunks, begin(Op.allocate, 0, 8), done(Op.allocate, 0x500, 8)];
const verdict = (...sentences: readonly string[]) => ({ sentences }) as unknown as Verdict;

function noticesBehind(
  change: (facts: BlockFacts) => void,
  lines: readonly Line[] = kCall,
  said: readonly string[] = [],
) {
  const facts = new BlockFacts(1);
  change(facts);
  const trace = traceOf(lines);
  const file = { trace, wordSize: 4, traceVersion: kTraceVersion, notes: {}, notice: undefined } as const;
  return noticesOf(file, verdict(...said), facts);
}

test('nothing is said of a trace in which all was counted, but what its verdict says', () => {
  expect(noticesBehind(() => {})).toEqual([]);
  expect(noticesBehind(() => {}, kCall, ['it was cut'])).toEqual(['it was cut']);
});

test('lost events, and frees of blocks that nobody saw allocated, are counted', () => {
  expect(noticesBehind((facts) => facts.lost(1234))).toEqual(['1,234 events were lost, so the counts are too small']);
  const free = (facts: BlockFacts) => facts.freed(64, 1, true);
  expect(noticesBehind(free)).toEqual(['1 frees are of blocks whose allocation is not in this trace']);
  expect(noticesBehind((facts) => facts.freed(64, 1, false))).toEqual([]);
});

test('a trace without a call says so', () => {
  const alone = noticesBehind(() => {}, [[EventKind.mark, 0, 1, 0, 0]]);
  expect(alone).toEqual([expect.stringContaining('no call of an allocator is recorded')]);
});

/** With as many blocks as are followed: that many take seconds and half a gigabyte, so their number alone is set. */
function full(): BlockFacts {
  const facts = new BlockFacts(1);
  Object.defineProperty(facts.blocks, 'count', { value: kMostLive });
  return facts;
}

test('a block beyond those that are followed is allocated and no more, and a notice counts it', () => {
  const facts = full();
  facts.allocated(64, 10, 12, 1, 4);
  facts.found(128, 12, 2, 4);
  expect(facts).toMatchObject({
    unfollowed: 2,
    liveBytes: 0,
    peakBytes: 0,
    totals: { allocations: 1, allocated_bytes: 10 },
  });
  expect([facts.has(64), facts.has(128), facts.temporaryFacts().allocations]).toEqual([false, false, 0]);
  expect(noticesBehind((other) => Object.assign(other, { unfollowed: facts.unfollowed }))).toEqual([
    '2 blocks are not counted: too many were live at once',
  ]);
});

test('a block at the place of one that lived ends that one, though it is not followed itself', () => {
  const facts = new BlockFacts(1);
  facts.allocated(64, 10, 12, 1, 4);
  Object.defineProperty(facts.blocks, 'count', { value: kMostLive });
  facts.allocated(64, 20, 20, 2, 4);
  expect(facts).toMatchObject({ unfollowed: 1, replaced: 1, liveBytes: 0 });
});
