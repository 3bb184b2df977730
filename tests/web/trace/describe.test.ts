import { expect, test } from 'vitest';
import {
  CommandFlag,
  EventKind,
  kWalkEvent,
  kWalkNames,
  Op,
  Shape,
  Source,
  Status,
  Trial,
} from '../../../web/src/protocol/event_layout.ts';
import { describeEvent } from '../../../web/src/trace/describe.ts';

const say = (kind: EventKind, detail: number, a: number, b: number, c: number) => {
  const { text, emphasis } = describeEvent({ seq: 0, kind, heap: 1, detail, a, b, c });
  return [
    text.replaceAll('\u202f', ' '),
    emphasis === undefined ? undefined : text.slice(...emphasis).replaceAll('\u202f', ' '),
  ];
};

test('sentences name what happened and mark the number that decides', () => {
  expect(say(EventKind.opBegun, Op.allocate, 0, 100, 0)).toEqual(['allocate 100 B', '100 B']);
  expect(say(EventKind.chunkSplit, 0, 0x41a30, 48, 64)).toEqual([
    'the chunk at 0x0004_1a30 is cut after 48 B; the 64 B behind are free',
    '64 B',
  ]);
  expect(say(EventKind.binSearched, 4, 48, 96, Source.largerBin)).toEqual([
    'bin 4 has nothing for 48 B; the next larger bin gives a chunk of 96 B',
    '96 B',
  ]);
  expect(say(EventKind.commandTried, Trial.expandFwd | 0x100, 16, 40, 96)).toEqual([
    'expand_fwd works: 40 B wanted, 96 B available',
    '96 B',
  ]);
  const flags = CommandFlag.expandFwd | CommandFlag.allocateNew;
  expect(say(EventKind.opBegun, Op.command, 0x20, 40, flags)[0]).toBe(
    'command allocate_new | expand_fwd: 40 B preferred, from the block at 0x0000_0020',
  );
  expect(say(EventKind.opEnded, Op.allocate, 0, 0, Status.outOfMemory)[0]).toMatch(/^allocate fails: out of memory/);
  expect(say(EventKind.eventsLost, 0, 12_345, 0, 0)).toEqual(['12,345 events lost', '12,345 events']);
});

test('every kind, operation and source has a sentence', () => {
  for (const kind of Object.values(EventKind)) {
    for (const detail of Object.values(Op)) {
      const { text } = describeEvent({ seq: 0, kind, heap: 1, detail, a: 16, b: 32, c: 0 });
      expect(text.length).toBeGreaterThan(5);
      expect(text).not.toMatch(/undefined|NaN/);
    }
  }
});

test('what malloc does is told by list and holder', () => {
  expect(say(EventKind.chunkCached, 9, 0x41a30, 72, 2)).toEqual([
    'thread 2 puts the chunk at 0x0004_1a30, 72 B, on cache list 9',
    '72 B',
  ]);
  expect(say(EventKind.chunkReused, 9, 0x41a30, 72, 60)[0]).toBe(
    'the chunk at 0x0004_1a30, 72 B, leaves cache list 9 for 60 B asked',
  );
  expect(say(EventKind.cachedMoved, 9, 0x41a30, 2, 0)[0]).toBe(
    'the chunk at 0x0004_1a30 goes from thread 2 to the central list, size class 9',
  );
  expect(say(EventKind.cachedEnded, 9, 0x41a30, 72, 0)[0]).toBe(
    'the chunk at 0x0004_1a30, 72 B, leaves central list 9 for the heap',
  );
  expect(say(EventKind.opEnded, Op.mallocFlush, 0, 4096, Status.ok)[0]).toBe('malloc flush gave 4 KiB back');
});

/** Which fields of an event its sentence says. What is left out is zero, or of the allocator's own bookkeeping. */
const kSaid: Readonly<Partial<Record<EventKind, string>>> = {
  [EventKind.heapCreated]: 'heap detail a',
  [EventKind.heapDestroyed]: 'heap',
  [EventKind.memoryGrown]: 'a b',
  [EventKind.segmentAdded]: 'a b',
  [EventKind.segmentExtended]: 'a b c',
  [EventKind.segmentTrimmed]: 'a b c',
  [EventKind.segmentRemoved]: 'a b',
  [EventKind.pagesDiscarded]: 'a b',
  [EventKind.memoryMoved]: 'a b',
  [EventKind.chunkSplit]: 'a b c',
  [EventKind.chunksMerged]: 'a b c',
  [EventKind.chunkTaken]: 'a b c',
  [EventKind.chunkReleased]: 'a b',
  [EventKind.burstCarved]: 'a b c',
  [EventKind.blockAllocated]: 'a b',
  [EventKind.blockFreed]: 'a',
  [EventKind.binInserted]: 'detail a b',
  [EventKind.binRemoved]: 'detail a b',
  [EventKind.topChanged]: 'a',
  [EventKind.victimChanged]: 'a',
  [EventKind.poolCreated]: 'detail b c',
  [EventKind.poolDestroyed]: 'detail',
  [EventKind.poolRuled]: 'detail a c',
  [EventKind.blockMade]: 'detail a b',
  [EventKind.blockRetired]: 'detail a b',
  [EventKind.blockInserted]: 'detail a c',
  [EventKind.blockRemoved]: 'detail a c',
  [EventKind.blockMoved]: 'detail a c',
  [EventKind.nodeTaken]: 'detail a c',
  [EventKind.nodeReturned]: 'detail a c',
  [EventKind.batchFetched]: 'detail a b c',
  [EventKind.batchStored]: 'detail a b c',
  [EventKind.threadChanged]: 'a b',
  [EventKind.chunkCached]: 'detail a b c',
  [EventKind.chunkReused]: 'detail a b c',
  [EventKind.cachedMoved]: 'detail a b c',
  [EventKind.cachedEnded]: 'detail a b c',
  [EventKind.mark]: 'detail a b c',
  [EventKind.checkpoint]: 'heap a b',
  [EventKind.eventsLost]: 'a',
  [EventKind.text]: 'detail',
  [EventKind.stringDefined]: 'a',
  [EventKind.siteDefined]: 'a b c',
  [EventKind.siteEntered]: 'a',
  [EventKind.snapshotBegun]: 'a',
  [EventKind.snapshotHeap]: 'heap b',
  [EventKind.snapshotEnded]: '',
};
/** Of what was asked: its request, and where and of whom. */
const kAsked: Readonly<Record<Op, string>> = {
  [Op.allocate]: 'b',
  [Op.deallocate]: 'a',
  [Op.allocateZeroed]: 'b',
  [Op.reallocate]: 'a b',
  [Op.allocateAligned]: 'b c',
  [Op.command]: 'a b c',
  [Op.burstNodes]: 'b c',
  [Op.burstArrays]: 'b c',
  [Op.burstDeallocate]: 'c',
  [Op.trim]: 'b',
  [Op.poolAllocate]: 'b c',
  [Op.poolDeallocate]: 'a c',
  [Op.poolBurst]: 'b c',
  [Op.poolBurstDeallocate]: 'b c',
  [Op.poolTrim]: 'c',
  [Op.poolCreate]: 'b',
  [Op.poolDestroy]: 'c',
  [Op.heapCreate]: '',
  [Op.heapDestroy]: 'heap',
  [Op.smallAllocate]: 'b',
  [Op.smallDeallocate]: 'a',
  [Op.smallSqueeze]: '',
  [Op.smallFlush]: '',
  [Op.mallocFlush]: '',
  [Op.bulkFree]: 'c',
};
/** Of what came of it, where that is not an address and the bytes that can be used. */
const kGiven: Readonly<Partial<Record<Op, string>>> = {
  [Op.burstNodes]: 'b',
  [Op.burstArrays]: 'b',
  [Op.poolBurst]: 'b',
  [Op.poolTrim]: 'b',
  [Op.trim]: 'b',
  [Op.smallSqueeze]: 'b',
  [Op.mallocFlush]: 'b',
  [Op.poolCreate]: 'a',
};

const kFields = ['heap', 'detail', 'a', 'b', 'c'] as const;
const kBase = { seq: 0, heap: 2, detail: 3, a: 0x1000, b: 0x40, c: 0x60 };
type Fields = Partial<Record<(typeof kFields)[number], number>>;
const textOf = (kind: EventKind, fields: Fields = {}) => describeEvent({ ...kBase, kind, ...fields }).text;

/** The fields whose change, other ones being equal, changes the sentence. */
function saidOf(kind: EventKind, fields: Fields, among: readonly (typeof kFields)[number][]): string {
  const values = { ...kBase, ...fields };
  const said = among.filter(
    (field) =>
      textOf(kind, values) !== textOf(kind, { ...values, [field]: values[field] + (field === 'a' ? values.a : 2) }),
  );
  return said.join(' ');
}

test.each(Object.entries(kSaid))(
  'a sentence of kind %s says the fields that matter, and no two kinds are alike',
  (key, said) => {
    const kind = Number(key) as EventKind;
    expect(saidOf(kind, {}, kFields)).toBe(said);
    const same = Object.keys(kSaid).filter((other) => textOf(Number(other) as EventKind) === textOf(kind));
    expect(same).toEqual([key]);
  },
);

test.each(Object.values(Op))('what operation %i asks and gives is said by its fields', (op) => {
  expect(saidOf(EventKind.opBegun, { detail: op }, ['heap', 'a', 'b', 'c'])).toBe(kAsked[op]);
  expect(saidOf(EventKind.opEnded, { detail: op, c: Status.ok }, ['heap', 'a', 'b'])).toBe(kGiven[op] ?? 'a b');
  const alike = Object.values(Op).filter(
    (other) => textOf(EventKind.opBegun, { detail: other }) === textOf(EventKind.opBegun, { detail: op }),
  );
  expect(alike).toEqual([op]);
});

test('each status of a call that failed, each source of a chunk and each way of a command has its own words', () => {
  const different = (texts: readonly string[]) => expect(new Set(texts).size, texts.join('; ')).toBe(texts.length);
  different(Object.values(Status).map((c) => textOf(EventKind.opEnded, { detail: Op.command, c })));
  different(Object.values(Source).map((c) => textOf(EventKind.binSearched, { c })));
  different(
    Object.values(Trial).flatMap((detail) =>
      [0, 0x100].map((works) => textOf(EventKind.commandTried, { detail: detail | works })),
    ),
  );
  different([0, 1].map((detail) => textOf(EventKind.chunksMerged, { detail })));
  different([0, 1].map((detail) => textOf(EventKind.memoryGrown, { detail })));
  different([...Object.values(Shape), 0xff].map((c) => textOf(EventKind.poolShaped, { c })));
});

test('one is one, and nothing is said of what is not there', () => {
  for (const [kind, field] of [
    [EventKind.burstCarved, 'c'],
    [EventKind.blockInserted, 'c'],
    [EventKind.blockRemoved, 'c'],
    [EventKind.nodeTaken, 'c'],
    [EventKind.nodeReturned, 'c'],
    [EventKind.batchFetched, 'b'],
    [EventKind.batchStored, 'b'],
    [EventKind.checkpoint, 'b'],
    [EventKind.eventsLost, 'a'],
    [EventKind.snapshotBegun, 'a'],
    [EventKind.snapshotHeap, 'b'],
    [EventKind.poolShaped, 'b'],
  ] as const) {
    const many = textOf(kind, { [field]: 2 });
    expect(textOf(kind, { [field]: 1 }).replace(/\b1 (\w+(?: \w+)?)/, '2 $1')).not.toBe(many);
    expect(many).toMatch(/\b2 (?:\w+ |sub-)?\w+s\b/);
  }
  for (const [kind, field, word] of [
    [EventKind.topChanged, 'a', /is taken out$/],
    [EventKind.victimChanged, 'a', /is taken out$/],
    [EventKind.siteDefined, 'b', /^(?!.*called from)/],
    [EventKind.nodeTaken, 'b', /^(?!.*its block)/],
    [EventKind.blockMoved, 'c', /comes first/],
    [EventKind.poolShaped, 'b', /^(?!.*sub-block)/],
    [EventKind.heapCreated, 'detail', /is foreign/],
    [EventKind.eventsLost, 'a', /recording began here$/],
    [EventKind.cachedMoved, 'b', /from the central list to thread 96/],
    [EventKind.cachedMoved, 'c', /from thread 64 to the central list/],
    [EventKind.cachedEnded, 'c', /leaves central list 3 /],
  ] as const) {
    expect(textOf(kind, { [field]: 0 })).toMatch(word);
    expect(textOf(kind)).not.toMatch(word);
  }
  for (const op of [Op.deallocate, Op.smallDeallocate]) {
    expect(textOf(EventKind.opBegun, { detail: op, a: 0 })).toMatch(/free nothing$/);
    expect(textOf(EventKind.opBegun, { detail: op })).not.toMatch(/nothing/);
  }
  expect(textOf(EventKind.opEnded, { detail: Op.deallocate, a: 0, c: Status.ok })).toBe('deallocate is done');
  expect(textOf(EventKind.opBegun, { detail: Op.command, a: 0 })).not.toMatch(/block at/);
  expect([0, 1, 2].map((c) => /in place only/.test(textOf(EventKind.opBegun, { detail: Op.reallocate, c })))).toEqual([
    false,
    true,
    false,
  ]);
});

test('a record of a snapshot is named as event.h names it, with its place and size; what event.h does not have is said to be unknown', () => {
  for (const [kind, name] of kWalkNames) {
    const text = textOf((kWalkEvent + kind) as EventKind);
    expect(text).toContain(name.replaceAll('_', ' '));
    expect(saidOf((kWalkEvent + kind) as EventKind, {}, kFields)).toBe('a b');
  }
  expect(textOf(99 as EventKind)).toMatch(/ 99, which is not known$/);
  expect(textOf(EventKind.opBegun, { detail: 77 })).toMatch(/ 77, which is not known$/);
  expect(textOf(EventKind.opEnded, { detail: Op.command, c: 55 })).toMatch(/fails: .*55/);
});

test('what a burst gives is counted in what it gives', () => {
  const given = (op: Op, b: number) => textOf(EventKind.opEnded, { detail: op, b, c: Status.ok });
  expect([Op.burstNodes, Op.burstArrays, Op.poolTrim].map((op) => given(op, 3))).toEqual([
    'burst nodes gives 3 blocks',
    'burst arrays gives 3 blocks',
    'pool trim gave 3 blocks back',
  ]);
  expect(given(Op.poolBurst, 3)).toBe('pool burst gives 3 nodes');
});
