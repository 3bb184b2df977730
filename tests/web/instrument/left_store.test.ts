// What a recorder keeps of its packets: whole ones are dropped, with the end of a call that lies in the next, and what is left is contiguous.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { LeftStore } from '../../../web/src/instrument/left_store.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import type { Packet } from '../../../web/src/record/recorder_types.ts';
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
