import { expect, test } from 'vitest';
import { CommandFlag, EventKind, Op, Source, Status, Trial } from '../../../web/src/protocol/event_layout.ts';
import { describeEvent } from '../../../web/src/trace/describe.ts';

const say = (kind: EventKind, detail: number, a: number, b: number, c: number) => {
  const { text, emphasis } = describeEvent({ seq: 0, kind, heap: 1, detail, a, b, c });
  return [
    text.replaceAll('\u2009', ' '),
    emphasis === undefined ? undefined : text.slice(...emphasis).replaceAll('\u2009', ' '),
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
