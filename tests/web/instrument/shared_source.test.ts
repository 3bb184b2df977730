// What threads wrote into the memory that they share, taken by one of them: buffers as the recorder's text links them.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { kBuffer, kShared, makeSharedMemory } from '../../../web/src/instrument/shared_layout.ts';
import { lockOf } from '../../../web/src/instrument/shared_lock.ts';
import { SharedBuffers } from '../../../web/src/instrument/shared_source.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../web/src/trace/trace.ts';

const kFirst = 6 * 65_536; // behind the tables

/** The recorder: records go where `at` says, and behind a full buffer into the next. */
function makeRecorder() {
  const memory = makeSharedMemory();
  memory.grow(4 * kBuffer.pages);
  const words = new Uint32Array(memory.buffer);
  const set = (name: keyof typeof kShared, value: number) => {
    words[kShared[name] / 4] = value;
  };
  const get = (name: keyof typeof kShared) => words[kShared[name] / 4] ?? 0;
  set('first', kFirst);
  set('buffer', kFirst);
  set('at', kFirst + kBuffer.head);
  return {
    memory,
    lose: (count: number) => set('lost', get('lost') + count),
    put(number: number): void {
      if (get('at') === get('buffer') + kBuffer.bytes) {
        const next = words[get('buffer') / 4] || get('buffer') + kBuffer.bytes;
        words[get('buffer') / 4] = next;
        set('buffer', next);
        set('at', next + kBuffer.head);
      }
      words.set([number, 1, 2, 3], get('at') / 4);
      set('at', get('at') + 16);
    },
    isLocked: () => get('lock') !== 0,
  };
}

test('records of several buffers come once and in order, and what was lost once behind them', () => {
  const { memory, put, lose } = makeRecorder();
  const source = new SharedBuffers(lockOf(memory), memory);
  expect(source.take()).toBeUndefined();
  const { below } = createRandom(5);
  const found: number[] = [];
  let sent = 0;
  let lost = 0;
  let records = 0;
  for (let turn = 0; turn < 12; ++turn) {
    for (let left = below(40_000); left > 0; --left) put(sent++);
    const more = below(3);
    if (more > 0) lose(more);
    expect([source.count, source.taken]).toEqual([records + sent - found.length, records]);
    const taken = source.take();
    expect(taken?.from).toBe(records);
    for (let at = 0; at < (taken?.records.length ?? 0); at += 4) {
      records += 1;
      const [head = 0, a = 0] = taken?.records.subarray(at, at + 2) ?? [];
      if (head === headOf(EventKind.eventsLost, 0) && at + 4 === taken?.records.length && more > 0) lost += a - more;
      else found.push(head);
    }
    expect(lost).toBe(0); // each loss is said in its turn
    expect(source.take()).toBeUndefined();
  }
  expect(found).toEqual(Array.from({ length: sent }, (_, nth) => nth));
  expect(sent).toBeGreaterThan(100_000);
});

test('the lock is had while something is written together, once more inside, and by nobody afterwards', () => {
  const { memory, isLocked } = makeRecorder();
  const source = new SharedBuffers(lockOf(memory), memory);
  const seen: boolean[] = [];
  source.together(() => {
    source.together(() => seen.push(isLocked(), source.isHeldHere));
    seen.push(isLocked());
  });
  expect(seen).toEqual([true, true, true]);
  expect([isLocked(), source.isHeldHere]).toEqual([false, false]);
  expect(() =>
    source.together(() => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect([isLocked(), source.isHeldHere]).toEqual([false, false]);
});

test('who never gets the lock goes on without', () => {
  const { memory, put } = makeRecorder();
  new Int32Array(memory.buffer)[kShared.lock / 4] = 1; // of a thread that was ended
  put(4);
  const source = new SharedBuffers(lockOf(memory), memory);
  expect(source.take()?.records[0]).toBe(4);
  expect(new Int32Array(memory.buffer)[kShared.lock / 4]).toBe(1);
});
