import { expect, test } from 'vitest';
import { bytes } from '../../../web/src/base/brand.ts';
import { HeapCalls } from '../../../web/src/wasm/heap_calls.ts';
import { LiveModule, type RingMode } from '../../../web/src/wasm/live_module.ts';

const kCapacity = 16_384;

async function start(mode: RingMode) {
  const taken = { parts: [] as Uint32Array[], lost: 0, drains: 0 };
  const module = await LiveModule.start('heap', mode, {
    append: (records) => {
      taken.parts.push(records.slice());
    },
    lost: (count) => {
      taken.lost += count;
    },
  });
  const calls = new HeapCalls(module);
  const work = (operations: number) => {
    for (let i = 0; i < operations; ++i) {
      const mem = calls.operate(0, { op: 'allocate', size: bytes(20 + (i % 50)) }).mems[0];
      if (mem !== undefined && i % 3 !== 0) calls.operate(0, { op: 'deallocate', mem });
    }
  };
  const records = () => Buffer.concat(taken.parts.map((part) => Buffer.from(part.buffer)));
  return { module, taken, work, records };
}

test('lossless: everything arrives, however late the reader comes', async () => {
  const late = await start('lossless');
  late.work(20_000);
  late.module.drain();
  const often = await start('lossless');
  for (let i = 0; i < 400; ++i) {
    // the same operations, in parts that make the runs wrap at many places
    often.work(0);
    often.module.drain();
  }
  often.work(20_000);
  often.module.drain();
  expect(late.taken.lost).toBe(0);
  expect(late.records().length).toBeGreaterThan(kCapacity * 16);
  expect(late.records().equals(often.records())).toBe(true);
});

test('an unread run that wraps is taken in two block copies, in order', async () => {
  const often = await start('drop');
  let most = 0;
  for (let i = 0; i < 60; ++i) {
    const before = often.taken.parts.length;
    often.work(1_000);
    often.module.drain();
    most = Math.max(most, often.taken.parts.length - before);
  }
  const once = await start('lossless');
  for (let i = 0; i < 60; ++i) once.work(1_000);
  once.module.drain();
  expect(most).toBe(2);
  expect(often.taken.lost).toBe(0);
  expect(often.records().equals(once.records())).toBe(true);
});

test('drop: a late reader gets the newest records and the number of those overwritten', async () => {
  const drop = await start('drop');
  drop.work(20_000);
  drop.module.drain();
  const lossless = await start('lossless');
  lossless.work(20_000);
  lossless.module.drain();
  const all = lossless.records();
  expect(drop.taken.lost).toBe(all.length / 16 - kCapacity);
  expect(drop.records().equals(all.subarray(all.length - kCapacity * 16))).toBe(true);
});

test('a drained ring gives nothing again', async () => {
  const { module, taken, work } = await start('drop');
  work(10);
  module.drain();
  const parts = taken.parts.length;
  module.drain();
  expect(taken.parts.length).toBe(parts);
});
