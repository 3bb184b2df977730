// What a recorder keeps of its packets: whole ones are dropped, with the end of a call that lies in the next, and what is left is contiguous.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { LeftStore } from '../../../web/src/instrument/left_store.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import type { Keep, Packet } from '../../../web/src/record/recorder_types.ts';
import { headOf, kEventWords, kindOf } from '../../../web/src/trace/trace.ts';

/** Calls that give blocks at rising addresses, three events each. */
function calls(count: number): Uint32Array {
  const words: number[] = [];
  for (let nth = 1; nth <= count; ++nth) {
    words.push(...[headOf(EventKind.opBegun, 1, Op.allocate), 0, 16, 0]);
    words.push(...[headOf(EventKind.blockAllocated, 1), nth * 32, 16, 0]);
    words.push(...[headOf(EventKind.opEnded, 1, Op.allocate), nth * 32, 16, 0]);
  }
  return Uint32Array.from(words);
}

/** The addresses of the blocks in these records. */
const blocksIn = (records: Uint32Array): number[] => {
  const found: number[] = [];
  for (let at = 0; at < records.length; at += kEventWords)
    if (kindOf(records[at] ?? 0) === EventKind.blockAllocated) found.push(records[at + 1] ?? 0);
  return found;
};

function pastOf(store: LeftStore): Packet[] {
  const packets: Packet[] = [];
  store.listen((packet) => packets.push(packet), true, 0).end();
  return packets;
}

test.each([1, 2, 3])(
  'wherever packets are cut, what is kept begins with a call, behind the blocks of all before, seed %i',
  (seed) => {
    const { below } = createRandom(seed);
    const store = new LeftStore();
    store.setKeep(30);
    const all = calls(200);
    const count = all.length / kEventWords;
    let dropped = 0;
    for (let from = 0; from < count; ) {
      const to = Math.min(count, from + 1 + below(12));
      store.accept({ from, records: all.subarray(from * kEventWords, to * kEventWords) });
      from = to;
      const [first, ...kept] = pastOf(store);
      if (first?.repeated === undefined) continue; // all is kept
      dropped += 1;
      let next = first.from;
      for (const packet of kept) {
        expect(packet.from).toBe(next);
        next += packet.records.length / kEventWords;
      }
      expect(next).toBe(to);
      expect(to - first.from).toBeLessThan(30 + 2 * 12);
      if (kept.length > 0) expect(kindOf(kept[0]?.records[0] ?? 0)).toBe(EventKind.opBegun);
      const found = [first, ...kept].flatMap(({ records }) => blocksIn(records));
      expect(found).toEqual(blocksIn(all.subarray(0, to * kEventWords)));
      expect(store.parts(0).flatMap(blocksIn)).toEqual(found);
    }
    expect(dropped).toBeGreaterThan(50);
  },
);

/** A store that keeps so much and was given calls, one a packet: three events each. */
function storeOf(count: number, keep: Keep = 'all') {
  const store = new LeftStore();
  store.setKeep(keep);
  const all = calls(count);
  const give = (nth: number) =>
    store.accept({ from: nth * 3, records: all.subarray(nth * 3 * kEventWords, (nth + 1) * 3 * kEventWords) });
  const heard: Packet[] = [];
  return { store, all, give, heard, listener: (packet: Packet) => void heard.push(packet) };
}
const lostIn = ({ records }: { readonly records: Uint32Array }): number[] =>
  kindOf(records[0] ?? 0) === EventKind.eventsLost ? [records[1] ?? 0] : [];

test('in a pause nothing is kept and nobody hears of it, and behind it are the blocks that live then', () => {
  const { store, all, give, heard, listener } = storeOf(6);
  store.listen(listener, false, 0);
  expect(store.isPaused).toBe(false);
  give(0);
  give(1);
  store.pause(6);
  expect(store.isPaused).toBe(true);
  give(2);
  give(3);
  expect(heard).toHaveLength(2);
  expect(store.parts(0).flatMap(blocksIn)).toEqual([32, 64]);
  store.resume(12);
  expect(store.isPaused).toBe(false);
  give(4);
  expect(heard).toHaveLength(4);
  const [, , anew, last] = heard;
  expect([anew?.from, lostIn(anew ?? { records: new Uint32Array() })]).toEqual([12, [6]]);
  expect(blocksIn(anew?.records ?? all)).toEqual([32, 64, 96, 128]);
  expect(last?.from).toBe(12);
  expect(store.parts(0).flatMap(blocksIn)).toEqual([32, 64, 32, 64, 96, 128, 160]);
});

test('who listens amid a pause gets the blocks that live then', () => {
  const { store, give, heard, listener } = storeOf(6);
  give(0);
  store.pause(3);
  give(1);
  store.listen(listener, false, 6);
  expect(heard.map(({ from, records }) => [from, blocksIn(records)])).toEqual([[6, [32, 64]]]);
});

test('a pause without events leaves no gap, and what was not paused is not resumed', () => {
  const { store, give, heard, listener } = storeOf(3);
  store.listen(listener, true, 0);
  give(0);
  store.resume(3);
  store.pause(3);
  store.resume(3);
  give(1);
  expect(heard.map(({ from, repeated }) => [from, repeated])).toEqual([
    [0, undefined],
    [3, undefined],
  ]);
});

test('who listens gets what is kept, or else what lives now, and nothing before the first event', () => {
  const { store, give, heard, listener } = storeOf(4);
  for (const past of [true, false]) store.listen(listener, past, 0).end();
  expect(heard).toEqual([]);
  give(0);
  give(1);
  const all = store.listen(listener, true, 6);
  expect(heard.map(({ from }) => from)).toEqual([0, 3]);
  all.end();
  give(2);
  expect(heard).toHaveLength(2);
  store.listen(listener, false, 9);
  expect(heard.slice(2).map((packet) => [packet.from, blocksIn(packet.records), lostIn(packet)])).toEqual([
    [9, [32, 64, 96], [9]],
  ]);
  give(3);
  expect(heard).toHaveLength(4);
});

test('of the events the last are kept, all, or none, and the blocks of the others in front of them', () => {
  const keptBy = (keep: Keep) => {
    const { store, give } = storeOf(5, keep);
    for (let nth = 0; nth < 5; ++nth) give(nth);
    const [first, ...kept] = pastOf(store);
    expect(store.keep).toBe(keep);
    expect(store.parts(0).flatMap(blocksIn)).toEqual([32, 64, 96, 128, 160]);
    return [first?.from, first?.repeated !== undefined, kept.map(({ from }) => from)];
  };
  expect(keptBy('all')).toEqual([0, false, [3, 6, 9, 12]]);
  expect(keptBy(6)).toEqual([9, true, [9, 12]]);
  expect(keptBy(7)).toEqual([6, true, [6, 9, 12]]);
  expect(keptBy('none')).toEqual([15, true, []]);
});

test('from an event on there is its part of what is kept', () => {
  const { store, give } = storeOf(4, 6);
  for (let nth = 0; nth < 4; ++nth) give(nth);
  const counts = (from: number) => store.parts(from).map(({ length }) => length / kEventWords);
  const words = (from: number) => store.parts(from).map((part) => kindOf(part[0] ?? 0));
  expect(counts(7)).toEqual([2, 3]);
  expect(words(7)).toEqual([EventKind.blockAllocated, EventKind.opBegun]);
  expect(counts(9)).toEqual([3]);
  expect(counts(11)).toEqual([1]);
  expect(counts(12)).toEqual([]);
  expect(counts(6).slice(1), 'what is repeated is before them').toEqual([3, 3]);
});

test('where all events go to a file nothing is kept, and what lives is not known', () => {
  const { store, give, heard, listener } = storeOf(3);
  give(0);
  store.passOn(listener);
  give(1);
  expect([heard.map(({ from }) => from), store.keep, store.parts(0)]).toEqual([[3], 'none', []]);
  const late: Packet[] = [];
  for (const past of [true, false]) store.listen((packet) => late.push(packet), past, 6);
  expect(late.map((packet) => [packet.from, [...packet.records]])).toEqual([
    [6, [EventKind.eventsLost, 6, 0, 0]],
    [6, [EventKind.eventsLost, 6, 0, 0]],
  ]);
  expect(() => store.pause(6)).toThrow(/which blocks live/);
  expect(() => store.setKeep('all')).toThrow(/which blocks live/);
  expect(() => store.setKeep('none')).not.toThrow();
});
