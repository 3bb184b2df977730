// The ring of a linked program, emptied by its own JavaScript: every event once, in order, in packets and in the file.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind, kRecorderStateLayout, kRingLayout } from '../../../web/src/protocol/event_layout.ts';
import { headNow } from '../../../web/src/record/linked/session.ts';
import {
  type Place,
  setFirstBatch,
  takeAtLook,
  takeUpTo,
  writtenRecords,
} from '../../../web/src/record/linked/take.ts';
import type { TakenPacket } from '../../../web/src/record/packets.ts';

const kCapacity = 64;
const kPlace: Place = { ring: 1024, state: 2048 };
const kRecords = 4096;
const kLap = 3072;
const kNext = 3080;
const shared = globalThis as { wasmMemory?: { buffer: ArrayBuffer } };
let words: Uint32Array;
let head = 0;

/** As the program's glue has it. */
beforeEach(() => {
  shared.wasmMemory = { buffer: new ArrayBuffer(65_536) };
  words = new Uint32Array(shared.wasmMemory.buffer);
  head = 0;
  ring('capacity', kCapacity);
  ring('records', kRecords);
  state('next', kNext);
  state('lap', kLap);
});
afterEach(() => {
  delete shared.wasmMemory;
  vi.restoreAllMocks();
});

const ring = (field: keyof typeof kRingLayout, value: number) => {
  words[(kPlace.ring + kRingLayout[field]) / 4] = value;
};
const state = (field: keyof typeof kRecorderStateLayout, value: number) => {
  words[(kPlace.state + kRecorderStateLayout[field]) / 4] = value;
};
const isSnapshotDue = () => words[(kPlace.ring + kRingLayout.snapshotDue) / 4] === 1;

/** Events whose a is their number. */
function write(count: number): void {
  for (let left = count; left > 0; --left, ++head)
    words.set([EventKind.mark, head, 0, 0], kRecords / 4 + (head % kCapacity) * 4);
  ring('headLow', head % 2 ** 32);
  ring('headHigh', Math.floor(head / 2 ** 32));
  const inLap = head % kCapacity;
  words[kNext / 4] = kRecords + inLap * 16;
  words[kLap / 4] = (head - inLap) % 2 ** 32;
  words[kLap / 4 + 1] = Math.floor((head - inLap) / 2 ** 32);
}

const take = (): TakenPacket[] => {
  const packets: TakenPacket[] = [];
  takeUpTo(head, kPlace, (packet) => packets.push(packet));
  return packets;
};
const numbers = (records: Uint32Array) => Array.from({ length: records.length / 4 }, (_, nth) => records[nth * 4 + 1]);

describe('packets', () => {
  test.each([0, 2 ** 32 - 300])(
    'have every event once, and what was overwritten by its number (from event %i)',
    (first) => {
      head = first;
      write(0);
      ring('tailLow', first % 2 ** 32);
      ring('tailHigh', Math.floor(first / 2 ** 32));
      state('posts', 1);
      state('sites', 1);
      const { below } = createRandom(11);
      let taken = first;
      let lossy = 0;
      for (let turn = 0; turn < 200; ++turn) {
        write(below(10) === 0 ? 0 : below(90));
        expect(headNow(kPlace)).toBe(head);
        const [packet, ...more] = take();
        expect(more).toEqual([]);
        if (head === taken) expect(packet).toBeUndefined();
        else {
          const lost = Math.max(0, head - taken - kCapacity);
          expect(packet).toMatchObject({ from: taken + lost, count: head - taken - lost, lost, sites: true });
          const events = Array.from({ length: head - taken - lost }, (_, nth) => (taken + lost + nth) % 2 ** 32);
          expect(numbers(packet?.records ?? new Uint32Array())).toEqual([...(lost > 0 ? [lost] : []), ...events]);
          expect((packet?.records[0] ?? 0) & 0xff).toBe(lost > 0 ? EventKind.eventsLost : EventKind.mark);
          lossy += lost > 0 ? 1 : 0;
        }
        taken = head;
        expect(take()).toEqual([]); // all was taken
      }
      expect(lossy).toBeGreaterThan(10);
    },
  );

  test('are none where nobody wants them, and what was written meanwhile is passed over', () => {
    write(5);
    expect(take()).toEqual([]);
    state('posts', 1);
    expect(take()).toEqual([]);
    write(2);
    expect(take()[0]).toMatchObject({ from: 5, count: 2, sites: false });
  });
});

describe('the next batch', () => {
  const batch = () => words[(kPlace.state + kRecorderStateLayout.batch) / 4];
  const look = () => words[(kPlace.ring + kRingLayout.batch) / 4];

  test('is what came in a twentieth of a second before, whether or not anybody wants it', () => {
    let now = 2 ** 32 - 2; // the state has 32 bits of it
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    ring('capacity', 16_384);
    setFirstBatch(words, kPlace);
    expect(batch()).toBe(1);
    const later = (ms: number, events: number) => {
      write(events);
      now += ms;
      take();
      return batch();
    };
    expect([later(0, 1), later(1, 2), later(4, 4)]).toEqual([2, 4, 8]);
    expect(Array.from({ length: 6 }, () => later(1, 16_384)).at(-1)).toBe(512);
    expect(later(100, 600)).toBe(300);
    expect(later(1000, 10)).toBe(1);
    expect(Array.from({ length: 14 }, () => later(1, 16_384)).at(-1)).toBe(16_384);
  });

  test('is taken before it is full where the program slows down: at the first look behind a twentieth of a second', () => {
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    ring('capacity', 16_384);
    state('posts', 1);
    state('batch', 16_384);
    write(2560);
    now = 50;
    take();
    expect([batch(), look()]).toEqual([2560, 10]);
    const taken: TakenPacket[] = [];
    const found = [20, 40].map((ms) => {
      write(10);
      now += ms;
      takeAtLook(kPlace, (packet) => taken.push(packet));
      return [look(), taken.length];
    });
    expect(found).toEqual([
      [20, 0],
      [1, 1],
    ]);
    expect([taken[0]?.from, taken[0]?.count, batch()]).toEqual([2560, 20, 16]);
  });
});

describe('a snapshot is due', () => {
  beforeEach(() => state('posts', 1));

  test('behind a loss', () => {
    write(kCapacity);
    take();
    expect(isSnapshotDue()).toBe(false);
    write(kCapacity + 1);
    take();
    expect(isSnapshotDue()).toBe(true);
  });

  test.each([
    { every: 0, size: 0, events: 60, due: false },
    { every: 20, size: 0, events: 19, due: false },
    { every: 20, size: 0, events: 20, due: true },
    { every: 20, size: 15, events: 34, due: false }, // the snapshot's own records are none that it is behind
    { every: 20, size: 15, events: 35, due: true },
    { every: 10, size: 25, events: 49, due: false }, // it would more than double what is written
    { every: 10, size: 25, events: 50, due: true },
  ])(
    'after so many events as are wished for, beyond its own size: $every, $size, $events',
    ({ every, size, events, due }) => {
      write(3);
      take();
      ring('snapshotLow', 3);
      ring('snapshotRecords', size);
      state('every', every);
      write(events);
      expect(take()[0]?.snapshot).toBe(3);
      expect(isSnapshotDue()).toBe(due);
    },
  );
});

test('the file has what was taken, a loss among it, and its records are counted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-take-'));
  const path = join(folder, 'run.hgtrace');
  const file = openSync(path, 'w');
  try {
    state('file', file + 1);
    state('writtenLow', 2 ** 32 - 6);
    write(5);
    expect(take()).toEqual([]); // of the file alone
    expect(writtenRecords(words, kPlace)).toBe(2 ** 32 - 1);
    const first = readFileSync(path).length;
    write(kCapacity + 3);
    state('posts', 1);
    expect(take()[0]?.records).toHaveLength(4 * (kCapacity + 1));
    expect(writtenRecords(words, kPlace)).toBe(2 ** 32 + kCapacity);
    const bytes = readFileSync(path);
    const behind = new Uint32Array(bytes.subarray(first).slice().buffer);
    const lost = behind.findIndex((word, nth) => word === EventKind.eventsLost && behind[nth + 1] === 3);
    const records = behind.subarray(lost, lost + 4 * (kCapacity + 1));
    expect(numbers(records)).toEqual([3, ...Array.from({ length: kCapacity }, (_, nth) => 8 + nth)]);
    expect(first).toBeGreaterThanOrEqual(5 * 16);
    closeSync(file);
    write(1);
    take(); // it cannot be written any more
    expect(words[(kPlace.state + kRecorderStateLayout.file) / 4]).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
