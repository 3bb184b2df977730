// The order of packets from several threads, and where what is kept begins (web/src/record/packets.ts, record.K1).

import { expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { makePackets, type Packets } from '../../web/src/record/packets.ts';
import type { Packet } from '../../web/src/record/recorder_types.ts';
import { textRecords } from '../../web/src/trace/texts.ts';
import { headOf, kindOf } from '../../web/src/trace/trace.ts';

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
const keptBy = (packets: Packets): number[] => numbersOf(packets.records(0));

function numbersOf(records: Uint32Array): number[] {
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

test('while nothing is to be kept no packet is, and what was kept goes', () => {
  const packets = makePackets();
  packets.accept(packet(0, 4));
  packets.accept(packet(4, 4, 5));
  expect([packets.keep, keptBy(packets)]).toEqual(['none', []]);
  packets.setKeep('all', 8);
  packets.accept(packet(8, 2, 8));
  expect(keptBy(packets)).toEqual([-8, 8, 9]);
  packets.setKeep('none', 10);
  packets.accept(packet(10, 2, 10));
  expect([packets.keep, keptBy(packets)]).toEqual(['none', [-10]]); // all before is lost
});

test('of a number to keep there are so many events at least, from the last snapshot before them on', () => {
  const packets = makePackets();
  packets.setKeep(6, 0);
  for (let from = 0; from < 20; from += 2) packets.accept(packet(from, 2, from - (from % 4)));
  expect(keptBy(packets)).toEqual([-12, 12, 13, 14, 15, 16, 17, 18, 19]);
  packets.accept(packet(20, 2, 20));
  expect(keptBy(packets)).toEqual([-16, 16, 17, 18, 19, 20, 21]);
});

test('who listens before the first event gets it, though the first packet has a snapshot in its middle', () => {
  const packets = makePackets();
  const got: [from: number, events: number[]][] = [];
  packets.listen(({ from, records }) => got.push([from, numbersOf(records)]), false, 0);
  packets.accept(packet(0, 4, 2));
  packets.accept(packet(4, 2, 2));
  expect(got).toEqual([
    [0, [0, 1, 2, 3]],
    [4, [4, 5]],
  ]);
});

test('who begins late gets the sites that were defined before, once and between the loss and the snapshot', () => {
  const site = [
    ...textRecords('f'),
    ...[headOf(EventKind.stringDefined, 0), 1, 0, 0],
    ...[headOf(EventKind.siteDefined, 0), 1, 0, 1],
  ];
  const packets = makePackets();
  const got: Packet[] = [];
  const heard = (it: Packet) => got.push(it);
  packets.listen(heard, false, 0);
  packets.accept({ ...packet(0, 3), sites: true, records: Uint32Array.from(site) });
  expect(got.map(({ repeated, records }) => [repeated, [...records]])).toEqual([[0, site]]); // it has them already
  got.length = 0;
  const late: Packet[] = [];
  packets.listen((it) => late.push(it), false, 3);
  packets.accept(packet(3, 2));
  expect(late).toEqual([]); // it waits for a snapshot
  packets.accept(packet(5, 3, 6));
  packets.accept(packet(8, 1, 6));
  const [first, second] = late;
  expect(late.map(({ from, repeated }) => [from, repeated])).toEqual([
    [6, 3],
    [8, 0],
  ]);
  expect([...(first?.records ?? [])]).toEqual([...[EventKind.eventsLost, 6, 0, 0], ...site, ...packet(6, 2).records]);
  expect(numbersOf(second?.records ?? new Uint32Array())).toEqual([8]);
  expect(got.map(({ repeated, records }) => [repeated, numbersOf(records)])).toEqual([
    [0, [3, 4]],
    [0, [5, 6, 7]],
    [0, [8]],
  ]);
});
