// What an operation's events say as prose: each in the right number, and of very many the first.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { explainEvents } from '../../../../web/src/model/words/explain_events.ts';
import { EventKind, Op, Source } from '../../../../web/src/protocol/event_layout.ts';
import { decodeEvent } from '../../../../web/src/trace/decode.ts';
import { begin, cache, chunkNumber, done, kFree, kSixChunks, kSize, move } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

/** Behind these events, of which so many are still to come. */
function proseOf(lines: readonly Line[], toCome = 0) {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const parts = explainOperation(history, history.head.seq - toCome)?.prose ?? [];
  const text = parts.map((part) => part.text).join('');
  return { parts, text: text.replaceAll('\u202f', ' ') };
}

test.each([
  [1, '1 block.'],
  [3, '3 blocks side by side, without a search each.'],
])('of a chunk that is cut for a burst of %i it is said what it became', (count, said) => {
  const at = chunkNumber(6);
  const { text } = proseOf([
    [EventKind.opBegun, Op.burstNodes, 0, 60, count],
    [EventKind.topChanged, 0, 0, at, 0],
    [EventKind.chunkSplit, 0, at, count * kSize, kFree - (6 + count) * kSize],
    [EventKind.burstCarved, 0, at, kSize, count],
    [EventKind.topChanged, 0, at + count * kSize, 0, 0],
    done(Op.burstNodes),
  ]);
  expect(text).toContain(` One free chunk of ${count * kSize} B became ${said}`);
});

test('of an operation with very many events the first are told, and how many there are', () => {
  const told = (rounds: number, toCome = 0, ending: readonly Line[] = [done(Op.allocate)]) => {
    const moves = Array.from({ length: rounds }, () => [move(0, 1, 0), move(0, 0, 1)]).flat();
    const { parts, text } = proseOf([cache(0), begin(Op.allocate, 0, 60), ...moves, ...ending], toCome);
    return { parts, said: text.match(/1 chunk went/g)?.length, end: / And so on, .*/.exec(text)?.[0] };
  };
  expect(told(5)).toMatchObject({ said: 10, end: undefined });
  for (const rounds of [50, 1000]) {
    const { parts, said } = told(rounds);
    expect(parts.length).toBeLessThan(50);
    expect(said).toBeGreaterThan(10);
    expect(said).toBeLessThan(50);
  }
  expect(told(50).end).toBe(' And so on, 102 events in all.');
  expect(told(50, 1).end).toBe(' And so on, 101 events so far.');
  expect(told(50, 0, []).end).toBe(' And so on, 101 events so far.'); // the trace ends amid it
});

/** What these events alone say, between the begin and the end of an allocation, and which parts of it decide. */
function said(lines: readonly Line[], request = 60) {
  const trace = traceOf([begin(Op.allocate, 0, request), ...lines]);
  const events = Array.from({ length: trace.count }, (_, event) => decodeEvent(trace, event));
  const parts = explainEvents(events, { count: events.length, isEnded: true });
  const plain = (text: string) => text.replaceAll('\u202f', ' ');
  const text = plain(parts.map((part) => part.text).join(''));
  return { text, strong: parts.filter((part) => part.strong).map((part) => plain(part.text)) };
}
const asked = said([]).strong;

test.each<[string, Line, string[], RegExp]>([
  ['a part behind the block', [EventKind.chunksMerged, 1, 0x10000, 64, 40], ['40 B'], /free chunk behind it, 40 B/],
  ['a part before the block', [EventKind.chunksMerged, 2, 0x10000, 24, 64], ['24 B'], /took in 24 B before it/],
  ['free neighbours', [EventKind.chunksMerged, 0, 0x10000, 64, 40], ['104 B'], /joined to one chunk of 104 B/],
  ['a cut segment', [EventKind.segmentTrimmed, 0, 0x10000, 900, 500], ['400 B'], /at 0x0001_0000 gave 400 B back/],
  ['a removed segment', [EventKind.segmentRemoved, 0, 0x20000, 900, 0], ['900 B'], /at 0x0002_0000 .* whole, 900 B/],
  ['a new segment', [EventKind.segmentAdded, 0, 0x20000, 900, 0x2000c], ['900 B'], /so a segment of 900 B begins/],
  ['refused memory', [EventKind.memoryGrown, 0, 1, 1, 900], ['900 B'], /asked to grow by 900 B and refused/],
  ['another memory', [EventKind.memoryMoved, 0, 3, 2, 0], ['128 KiB'], /memory of 128 KiB, .* before had 192 KiB/],
  ['given pages', [EventKind.pagesDiscarded, 0, 0x20000, 900, 0], ['900 B'], /at 0x0002_0000 were given .*, 900 B/],
  [
    'a way that worked',
    [EventKind.commandTried, 0x101, 0, 90, 70],
    ['70 B'],
    /expand_fwd .* 90 B .* 70 B there; it worked/,
  ],
  ['a way that failed', [EventKind.commandTried, 1, 0, 90, 70], ['70 B'], /90 B wanted, 70 B there; not enough/],
  ['a free chunk', [EventKind.chunkReleased, 0, 0x10000, 64, 0], ['64 B'], /Its chunk of 64 B is free/],
])('of %s it is said how much it was, and that decides', (_, line, strong, text) => {
  const { strong: all, text: prose } = said([line]);
  expect(all).toEqual([...asked, ...strong]);
  expect(prose).toMatch(text);
});

test('of free chunks that join one after the other, the last alone says so, with the bytes of all', () => {
  const join = (b: number, c: number): Line => [EventKind.chunksMerged, 0, 0x10000, b, c];
  expect(said([join(64, 40), join(104, 16)]).strong).toEqual([...asked, '120 B']);
  expect(said([join(64, 40), [EventKind.topChanged, 0, 0x10000, 0, 0], join(104, 16)]).strong).toEqual([
    ...asked,
    '104 B',
    '120 B',
  ]);
});

test('memory that grew is told as what the heap then took of it, up to the next growth and no further', () => {
  const grown = (pages: number): Line => [EventKind.memoryGrown, 1, 0, pages, 0];
  const extended = (size: number): Line => [EventKind.segmentExtended, 0, 0x10000, 0x10000, size];
  const to = (lines: readonly Line[]) => said(lines).text.match(/grew to [\d.]+ \w+/g);
  expect(to([grown(2), extended(0x20000)])).toEqual(['grew to 192 KiB']); // to 0x30000
  expect(to([grown(2), grown(4), extended(0x40000)])).toEqual(['grew to 128 KiB', 'grew to 320 KiB']);
  expect(to([extended(0x40000), grown(2)])).toEqual(['grew to 128 KiB']);
});

test.each<[string, Line, RegExp]>([
  ['top', [EventKind.topChanged, 0, 0x10040, 0, 0], /100 B stay top/],
  ['the next victim', [EventKind.victimChanged, 0, 0x10040, 0, 0], /100 B are the next victim/],
  ['a bin', [EventKind.binInserted, 9, 0x10040, 100, 0], /100 B went to bin 9/],
  ['nowhere that the events say', [EventKind.binInserted, 9, 0x10000, 64, 0], /100 B were cut off/],
])('the rest of a cut went to %s', (_, then, text) => {
  const { strong, text: prose } = said([[EventKind.chunkSplit, 0, 0x10000, 64, 100], then]);
  expect(strong).toEqual([...asked, '100 B']);
  expect(prose).toMatch(text);
});

test('a search says what served, and that the heap grew only where it grew before', () => {
  const search = (source: Source): Line => [EventKind.binSearched, 6, 72, 80, source];
  const grown: Line = [EventKind.segmentExtended, 0, 0x10000, 0x10000, 0x20000];
  expect(said([search(Source.top)]).text).toMatch(/a chunk of 72 B, which belongs in bin 6\. No bin had one as large/);
  expect(said([grown, search(Source.top)]).text).toMatch(/so the heap grew, and top then had 80 B/);
  expect(said([search(Source.top), grown]).text).not.toMatch(/so the heap grew/);
  expect(said([search(Source.exactBin)]).strong).toEqual([...asked, '80 B']);
  expect(said([search(Source.none)]).strong).toEqual([...asked, '72 B']); // what nothing free has
});

test('a search for at least 1 KiB and more than twice what was asked is one for a slab', () => {
  const isForSlab = (request: number, bytes: number) =>
    said([[EventKind.binSearched, 6, bytes, bytes, Source.top]], request).text.includes('A slab is to be made');
  expect([isForSlab(60, 1024), isForSlab(60, 1016)]).toEqual([true, false]);
  expect([isForSlab(511, 1024), isForSlab(512, 1024)]).toEqual([true, false]);
});
