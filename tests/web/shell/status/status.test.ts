import { describe, expect, test } from 'vitest';
import { bytes, seq } from '../../../../web/src/base/brand.ts';
import type { StatusFrame } from '../../../../web/src/protocol/frames.ts';
import { badgeOf } from '../../../../web/src/shell/status/badge.ts';
import { freeTexts } from '../../../../web/src/shell/status/free_texts.ts';
import { goesBackText, returnableText } from '../../../../web/src/shell/status/returnable_text.ts';

const good: StatusFrame = {
  seq: seq(50_000),
  head: seq(50_000),
  operations: 1,
  operationsTotal: 1,
  inUse: bytes(0),
  cached: bytes(0),
  malloc: false,
  pools: false,
  footprint: bytes(0),
  returnable: bytes(0),
  freeLists: true,
  largestFree: bytes(0),
  freeBytes: bytes(0),
  fragmentation: 0,
  lost: 0,
  lostAt: seq(0),
  verifiedAt: seq(48_212),
  mismatch: undefined,
  before: 0,
  waiting: undefined,
  broken: false,
  damage: undefined,
  live: true,
  heaps: [],
};

test('what could go back is said with the unit once where it is the same, and not at all where it is nothing', () => {
  const kMiB = 1 << 20;
  const text = (returnable: number, footprint: number) =>
    returnableText({ returnable: bytes(returnable), footprint: bytes(footprint) }).replaceAll('\u202f', ' ');
  expect(text(64 * kMiB, 112 * kMiB)).toBe('64 of 112 MiB could go back');
  expect(text(640 << 10, 2 * kMiB)).toBe('640 KiB of 2 MiB could go back');
  expect(text(0, kMiB)).toBe('');
  const answer = (returnable: number, heaps: number) =>
    goesBackText({
      returnable: bytes(returnable),
      footprint: bytes(2 * kMiB),
      heaps: Array.from({ length: heaps }),
    } as never).replaceAll('\u202f', ' ');
  expect(answer(640 << 10, 1)).toMatch(/^640 KiB of 2 MiB could go back: pages .* --shrink/);
  expect(answer(640 << 10, 2)).toMatch(/^Of all heaps, 640 KiB of 2 MiB could go back/);
  expect(answer(0, 1)).toMatch(/^Nothing could go back here/);
  expect(returnableText(undefined)).toBe('');
});

test('what is free is a figure where the trace has free lists, and not zero where it is not known', () => {
  const free = { ...good, largestFree: bytes(2048), fragmentation: 0.25 };
  expect(freeTexts(free)).toEqual({ largest: '2\u202fKiB', fragmentation: '25\u202f%' });
  expect(freeTexts({ ...free, freeLists: false })).toEqual({ largest: '–', fragmentation: '–' });
});

describe('the badge', () => {
  test('names the event at which the walk agreed', () => {
    expect(badgeOf(good)).toEqual({ badge: 'verified', text: 'model = heap, verified at 48,212' });
  });

  test('of a file that is no trace does not say that it is damaged; of one of which nothing can be read it says that', () => {
    const nothing = { ...good, head: seq(0), damage: 'half: the file was cut inside its header' };
    expect(badgeOf({ ...nothing, isTrace: false }).text).toBe('not a heapglass trace');
    expect(badgeOf(nothing).text).toBe('damaged: no event can be read');
    expect(badgeOf({ ...nothing, head: seq(1) }).text).toBe('damaged: not all can be shown');
  });

  test('of a program whose own allocator cannot be walked promises no walk', () => {
    const blocks = { ...good, verifiedAt: undefined };
    expect(badgeOf({ ...blocks, freeLists: false })).toEqual({ badge: 'waiting', text: 'no walk to compare with' });
    expect(badgeOf(blocks).text).toBe('not yet verified');
  });

  test('is never green before a walk', () => {
    expect(badgeOf({ ...good, verifiedAt: undefined }).badge).toBe('waiting');
    expect(badgeOf(undefined).badge).toBe('waiting');
  });

  test('a mismatch outweighs an earlier agreement and lost events', () => {
    expect(badgeOf({ ...good, mismatch: 'chunk 0x10: size', lost: 3 }).badge).toBe('mismatch');
  });

  test('lost events are counted, not hidden behind green', () => {
    const lost = { ...good, lost: 1234, lostAt: seq(48_212) };
    expect(badgeOf(lost)).toEqual({ badge: 'lost', text: '1,234 events lost' });
    expect(badgeOf({ ...lost, verifiedAt: undefined }).badge).toBe('lost');
  });

  test('a proof behind a loss holds, and the loss is still counted', () => {
    expect(badgeOf({ ...good, lost: 1234, lostAt: seq(48_211) })).toEqual({
      badge: 'verified',
      text: 'model = heap, verified at 48,212; 1,234 events lost before',
    });
  });
});
