// The order of packets from several threads, and where what is kept begins (web/src/record/packets.ts, record.K1).

import { expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { makePackets, type Packets } from '../../web/src/record/packets.ts';
import { kindOf } from '../../web/src/trace/trace.ts';

/** Events numbered by their a; `snapshot`: the newest snapshot by then. */
const packet = (from: number, count: number, snapshot = 0) => ({
  from,
  count,
  lost: 0,
  snapshot,
  sites: false,
  records: Uint32Array.from(Array.from({ length: count }, (_, nth) => [EventKind.chunkTaken, from + nth, 0, 0]).flat()),
});

/** The numbers of the events that are kept; a loss as the negative number of events. */
function keptBy(packets: Packets): number[] {
  const records = packets.records(0);
  return Array.from({ length: records.length / 4 }, (_, nth) => {
    const [head = 0, a = 0] = records.subarray(nth * 4, nth * 4 + 2);
    return kindOf(head) === EventKind.eventsLost ? -a : a;
  });
}

test('packets that come before their turn wait for it', () => {
  const packets = makePackets();
  packets.setKeep('all', 0);
  for (const [from, count] of [
    [0, 2],
    [5, 1],
    [3, 2],
  ] as const)
    packets.accept(packet(from, count));
  expect(keptBy(packets)).toEqual([0, 1]);
  packets.accept(packet(2, 1));
  expect(keptBy(packets)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a packet of another thread that comes after the order began anew behind it is passed over', () => {
  const packets = makePackets();
  packets.setKeep('all', 0);
  packets.accept(packet(0, 2));
  packets.restart();
  packets.accept(packet(10, 2));
  packets.accept(packet(4, 3));
  expect(keptBy(packets)).toEqual([0, 1, 10, 11]);
});

test('what is kept from the middle on begins with a snapshot', () => {
  const packets = makePackets();
  packets.accept(packet(0, 10));
  packets.setKeep('all', 10);
  packets.accept(packet(10, 4));
  expect(keptBy(packets)).toEqual([-10]);
  packets.accept(packet(14, 4, 16));
  expect(keptBy(packets)).toEqual([-16, 16, 17]);
});
