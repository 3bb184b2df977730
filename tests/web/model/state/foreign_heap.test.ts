// A foreign heap (event.h, P7) in the model, against a naive twin: a map of blocks by address, at every kind of place in time.

import { describe, expect, it } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { createRandom } from '../../../../web/src/base/random.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import { queryMap } from '../../../../web/src/model/queries/query_map.ts';
import { chunkContaining, forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import type { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { Model } from '../../../../web/src/model/time/model.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';

const kPage = 65_536;
const kSegment = 16 * kPage;

type Blocks = ReadonlyMap<number, number>;

const add = (trace: Trace, kind: EventKind, detail: number, a: number, b: number, c = 0): void =>
  trace.appendEvent(headOf(kind, 1, detail), a, b, c);

function beginForeign(trace: Trace): void {
  add(trace, EventKind.heapCreated, 0, 0, 8);
  add(trace, EventKind.segmentAdded, 0, 0, kSegment, 0);
}

/** A program of many calls; what it holds after each event. */
function program(events: number): { readonly trace: Trace; readonly moments: Blocks[] } {
  const random = createRandom(7).unit;
  const trace = new Trace();
  const moments: Blocks[] = [new Map()];
  let blocks = new Map<number, number>();
  let memory = kSegment;
  const note = () => {
    while (moments.length < trace.count) moments.push(moments[moments.length - 1] as Blocks);
    moments.push(new Map(blocks));
  };
  beginForeign(trace);
  note();
  while (trace.count < events) {
    const address = 1024 + 4 * Math.floor(random() * 4_000) * 4; // 16 apart
    const skewed = address + (Math.floor(address / 16) % 2) * 4; // a half of them at multiples of 4 only
    const size = Math.floor(random() * 16);
    blocks = new Map(blocks);
    const what = random();
    if (what < 0.55) {
      add(trace, EventKind.opBegun, Op.allocate, 0, size);
      add(trace, EventKind.blockAllocated, 0, skewed, size, 8); // now and then where a block is
      blocks.set(skewed, size);
      note();
      add(trace, EventKind.opEnded, Op.allocate, skewed, size);
    } else if (what < 0.99) {
      const known = [...blocks.keys()];
      const begin = what < 0.95 ? known[Math.floor(random() * known.length)] : 512; // nothing is at 512
      if (begin === undefined) continue;
      const freed = begin + (what < 0.8 ? 0 : Math.floor(random() * 16)); // blocks lie so far apart that it is in no other
      add(trace, EventKind.opBegun, Op.deallocate, freed, 0);
      add(trace, EventKind.blockFreed, 0, freed, 0);
      if (freed === begin || freed - begin < (blocks.get(begin) ?? 0)) blocks.delete(begin);
      note();
      add(trace, EventKind.opEnded, Op.deallocate, 0, 0);
    } else {
      add(trace, EventKind.segmentExtended, 0, 0, memory, memory + kPage);
      memory += kPage;
    }
    note();
  }
  return { trace, moments };
}

/** What the model has: addresses, and the program's own sizes, by which places are not found. */
function blocksOf(state: HeapState): Map<number, number> {
  const found = new Map<number, number>();
  for (const segment of state.segments)
    forEachChunk(state, segment, (at, granule) => found.set(at, state.bytesOf(granule)));
  return found;
}

const byAddress = (blocks: Blocks): Blocks => new Map([...blocks].sort(([a], [b]) => a - b));

const bytesOf = (blocks: Blocks): number => [...blocks.values()].reduce((sum, size) => sum + size, 0);

describe('a foreign heap', () => {
  it('has the blocks of a naive twin, wherever one goes in time', () => {
    const { trace, moments } = program(3_000);
    const model = new Model(trace);
    model.history.fold();
    expect(model.history.broken).toBeUndefined();
    const random = createRandom(11).unit;
    for (let i = 0; i < 300; ++i) {
      const seq = i === 0 ? trace.count : Math.floor(random() * (trace.count + 1));
      const { state } = model.at(seq);
      const twin = moments[seq] as Blocks;
      expect(blocksOf(state)).toEqual(byAddress(twin));
      expect(state.inUse).toBe(bytesOf(twin));
    }
  });

  it('is restored from keyframes', () => {
    const { trace, moments } = program(200);
    const often = new Trace();
    for (let i = 0; i < trace.count; ++i) often.appendEvent(trace.head(i), trace.a(i), trace.b(i), trace.c(i));
    while (often.count < 200_000) add(often, EventKind.mark, 0, 0, 0); // three keyframes
    const model = new Model(often);
    model.history.fold();
    expect(model.history.keyframes.length).toBeGreaterThan(2);
    const { state } = model.at(150_000);
    expect(blocksOf(state)).toEqual(byAddress(moments[trace.count] as Blocks));
    expect(model.at(1).state.inUse).toBe(0);
    expect(blocksOf(model.at(199_000).state)).toEqual(byAddress(moments[trace.count] as Blocks));
  });

  const folded = (...events: readonly (readonly [EventKind, number, number, number?])[]): History => {
    const trace = new Trace();
    beginForeign(trace);
    for (const [kind, a, b, c] of events) add(trace, kind, 0, a, b, c);
    const history = new History(trace);
    history.fold();
    return history;
  };

  it('gives memory back down to the end of its last block, and not further', () => {
    const end = kSegment - 2 * kPage;
    const trimmedTo = (size: number) =>
      folded([EventKind.blockAllocated, end - 64, 64, 8], [EventKind.segmentTrimmed, 0, kSegment, size]);
    expect(trimmedTo(end).broken).toBeUndefined();
    expect(trimmedTo(end).head.footprint).toBe(end);
    expect(trimmedTo(end - 8).broken?.text).toBe('the segment at 0 still has blocks');
  });

  it('loses its segment when its last block is gone, and not before', () => {
    const block = [EventKind.blockAllocated, 0x1000, 64, 8] as const;
    const removed = [EventKind.segmentRemoved, 0, kSegment, 0] as const;
    const full = folded(block, removed);
    expect(full.broken?.text).toBe('the segment at 0 still has blocks');
    expect(full.head.footprint).toBe(kSegment);
    const empty = folded(block, [EventKind.blockFreed, 0x1000, 0], removed);
    expect(empty.broken).toBeUndefined();
    expect([empty.head.segments.length, empty.head.footprint]).toEqual([0, 0]);
  });

  it('grows up to the next segment, and not into it', () => {
    const next = kSegment + 2 * kPage;
    const grownTo = (size: number) =>
      folded([EventKind.segmentAdded, next, kPage, next], [EventKind.segmentExtended, 0, kSegment, size]);
    expect(grownTo(next).broken).toBeUndefined();
    expect(grownTo(next).head.footprint).toBe(next + kPage);
    expect(grownTo(next + 8).broken?.text).toMatch(/the segment at 0 cannot grow/);
  });

  it('shows blocks and leaves what is between them empty', () => {
    const trace = new Trace();
    beginForeign(trace);
    add(trace, EventKind.blockAllocated, 0, 0x1000, 13, 8);
    add(trace, EventKind.blockAllocated, 0, 0x1010, 40, 8);
    const model = new Model(trace);
    model.history.fold();
    const { state, pages } = model.at(trace.count);
    const view = { origin: addr(0), rows: 16, bytesPerRow: bytes(4096), columns: 512 };
    const map = queryMap(state, pages, view, { memoryBytes: kSegment, touchedNode: undefined });
    expect([...(map.chunks?.address ?? [])]).toEqual([0x1000, 0x1010]);
    expect([...(map.chunks?.size ?? [])]).toEqual([13, 40]);
    expect(chunkContaining(state, 0x1020)).toBe(0x1010);
    expect(chunkContaining(state, 0x1040)).toBeUndefined();
    const inspected = queryInspect(model.history, state, addr(0x1000), undefined);
    expect(inspected.request).toBe(13);
    expect(inspected.usable).toBe(inspected.size);
    expect(queryInspect(model.history, state, addr(0x1040), undefined).what).toBe('outside');
  });

  it('has neighbours in their own segment only, though another one lies directly beside it', () => {
    const history = folded(
      [EventKind.segmentAdded, kSegment, kSegment, kSegment],
      [EventKind.blockAllocated, kSegment - 64, 64, 8],
      [EventKind.blockAllocated, kSegment, 32, 8],
      [EventKind.blockAllocated, kSegment + 32, 32, 8],
    );
    expect(history.broken).toBeUndefined();
    const beside = (address: number) => {
      const { previous, next } = queryInspect(history, history.head, addr(address), undefined);
      return [previous?.address, next?.address];
    };
    expect(beside(kSegment - 64)).toEqual([undefined, undefined]);
    expect(beside(kSegment)).toEqual([undefined, kSegment + 32]);
    expect(beside(kSegment + 32)).toEqual([kSegment, undefined]);
  });

  it.each<[string, readonly [EventKind, number, number, number, number], RegExp]>([
    ['chunks in it', [EventKind.chunkTaken, 0, 0x1000, 32, 20], /of a foreign heap only blocks are told/],
    ['a pool in it', [EventKind.poolCreated, 1, 0x1000, 32, 20], /of a foreign heap only blocks are told/],
    ['a block beyond memory', [EventKind.blockAllocated, 0, kSegment - 8, 9, 8], /a block of 9 bytes at/],
    ['a block at an odd address', [EventKind.blockAllocated, 0, 0x1001, 9, 1], /at 4097 is impossible/],
    ['two blocks in 8 bytes', [EventKind.blockAllocated, 0, 0x2004, 4, 4], /begins beside 8196 already/],
  ])('refuses %s', (_, [kind, detail, a, b, c], message) => {
    const trace = new Trace();
    beginForeign(trace);
    add(trace, EventKind.blockAllocated, 0, 0x2000, 4, 4);
    add(trace, kind, detail, a, b, c);
    const model = new Model(trace);
    model.history.fold();
    expect(model.history.broken?.text).toMatch(message);
  });
});
