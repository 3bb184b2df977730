import { describe, expect, it } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import { EventKind, Op, Status } from '../../../web/src/protocol/event_layout.ts';
import type { Wanted } from '../../../web/src/protocol/messages.ts';
import { findEvent } from '../../../web/src/trace/find_event.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

const trace = new Trace();
const events: readonly (readonly [EventKind, number, number, number, number])[] = [
  [EventKind.segmentAdded, 0, 0x1000, 0x1000, 0x1100], // 0
  [EventKind.opBegun, Op.allocate, 0, 100, 0], // 1
  [EventKind.chunkSplit, 0, 0x1100, 0x70, 0xe00], // 2
  [EventKind.chunkTaken, 0, 0x1100, 0x70, 100], // 3
  [EventKind.opEnded, Op.allocate, 0x1104, 108, Status.ok], // 4
  [EventKind.opBegun, Op.allocate, 0, 5_000_000, 0], // 5
  [EventKind.memoryGrown, 0, 1, 1, 5_000_000], // 6: refused
  [EventKind.opEnded, Op.allocate, 0, 0, Status.outOfMemory], // 7
  [EventKind.segmentExtended, 0, 0x1000, 0x1000, 0x2000], // 8
  [EventKind.chunkReleased, 0, 0x1100, 0x70, 0], // 9
];
for (const [kind, detail, a, b, c] of events) trace.appendEvent(headOf(kind, 1, detail), a, b, c);

/** The events found one after the other, from the first or the last moment on. */
function all(wanted: Wanted, by: 1 | -1 = 1): number[] {
  const found: number[] = [];
  for (let from: number | undefined = by > 0 ? 0 : trace.count + 1; from !== undefined; ) {
    const { moment }: { readonly moment: number | undefined } = findEvent(trace, wanted, from, by);
    if (moment !== undefined) found.push(moment - 1);
    from = moment;
  }
  return found;
}

describe('the next event', () => {
  it('that touches an address is any about the chunk around it', () => {
    expect(all({ by: 'address', address: addr(0x1100) })).toEqual([2, 3, 9]);
    expect(all({ by: 'address', address: addr(0x1150) })).toEqual([2, 3, 4, 9]);
    expect(all({ by: 'address', address: addr(0x1800) })).toEqual([2]);
    expect(all({ by: 'address', address: addr(0x9000) })).toEqual([]);
  });

  it('that asks for a size is exactly of it, or of so much and more', () => {
    expect(all({ by: 'size', size: bytes(100), orMore: false })).toEqual([1, 3]);
    expect(all({ by: 'size', size: bytes(1000), orMore: true })).toEqual([5]);
  });

  it('that makes the heap grow, and that fails', () => {
    expect(all({ by: 'growth' })).toEqual([0, 8]);
    expect(all({ by: 'failure' })).toEqual([6, 7]);
  });

  it('that says a text says it in its sentence, however it is written', () => {
    expect(all({ by: 'text', text: 'IS CUT AFTER' })).toEqual([2]);
  });

  it('is found going back as going on', () => {
    for (const wanted of [{ by: 'growth' }, { by: 'failure' }, { by: 'address', address: addr(0x1150) }] as const)
      expect(all(wanted, -1)).toEqual(all(wanted).reverse());
  });

  it('from the moment at which it stands is another one', () => {
    expect(findEvent(trace, { by: 'growth' }, 1, 1).moment).toBe(9);
    expect(findEvent(trace, { by: 'growth' }, 9, -1).moment).toBe(1);
  });
});

describe('an address is touched from the first byte to the last', () => {
  const extents: readonly (readonly [string, EventKind, number, number, number])[] = [
    ['of a chunk', EventKind.chunkTaken, 0x70, 100, 0x70],
    ['of the two parts of a chunk', EventKind.chunkSplit, 0x70, 0x40, 0xb0],
    ['of the elements of a burst', EventKind.burstCarved, 0x20, 5, 0xa0],
    ['of a small block of a foreign heap', EventKind.blockAllocated, 4, 0, 4],
    ['of a block of no bytes, which still has an address', EventKind.blockAllocated, 0, 0, 1],
    ['of what only has an address: a header and a word', EventKind.blockFreed, 0, 0, 16],
  ];
  it.each(extents)('%s', (_, kind, b, c, extent) => {
    const one = new Trace();
    one.appendEvent(headOf(kind, 1, 0), 0x1000, b, c);
    const isTouched = (at: number) => findEvent(one, { by: 'address', address: addr(at) }, 0, 1).moment !== undefined;
    expect([0x0fff, 0x1000, 0x1000 + extent - 1, 0x1000 + extent].map(isTouched)).toEqual([false, true, true, false]);
  });
});

it('a mark is found by its own text, and a chapter by its sentence', () => {
  const marked = new Trace();
  marked.append(textRecords('Level loaded'));
  marked.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  const named = marked.count;
  marked.appendEvent(headOf(EventKind.mark, 0, MarkCode.chapter), 3, 0, 0);
  const momentOf = (text: string) => findEvent(marked, { by: 'text', text }, 0, 1).moment;
  expect([momentOf('level loaded'), momentOf('mark')]).toEqual([named, named + 1]);
});
