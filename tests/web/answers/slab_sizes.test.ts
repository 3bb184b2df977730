// How large the next slab of a class is foreseen to be, and where it will lie, beside the slabs that malloc makes.

import { expect, test } from 'vitest';
import { searchAtStep, slabBytes } from '../../../web/src/answers/fit_policy.ts';
import { type Addr, bytes } from '../../../web/src/base/brand.ts';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { slabAround } from '../../../web/src/model/state/slab_around.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { decodeEvent, isGrowth } from '../../../web/src/trace/decode.ts';
import { Drive } from '../model/drive.ts';

const kWord = 4;
const kBytes = 40_000; // of blocks of one class: its slabs have grown by then

test.each([8, 16, 24, 48, 64, 80, 112, 128])('blocks of %i bytes come in slabs as large as foreseen', async (block) => {
  const drive = await Drive.start(1);
  const count = Math.ceil(kBytes / block);
  drive.calls.operate(0, { op: 'mallocAllocate', thread: undefined, size: bytes(block), count });
  expect(drive.compare()).toBeUndefined();
  const { trace, history } = drive;
  const made: number[] = [];
  const foreseen: number[] = [];
  let had = 0;
  for (let event = 0; event < trace.count; ++event) {
    if (trace.kind(event) !== EventKind.slabMade) continue;
    const { a, c } = decodeEvent(trace, event);
    if (c === 0) continue; // the table of slabs
    const slab = slabAround(history.head, a);
    foreseen.push(slabBytes(block / 8, kWord, had));
    made.push(slab?.size ?? 0);
    had += slab?.size ?? 0;
  }
  expect(made.length).toBeGreaterThan(9);
  expect(made).toEqual(foreseen);
});

/** Blocks with holes as large as slabs between them: more in a bin than are looked at. */
function makeHoles(drive: Drive, { below }: Random, blocks: Addr[]): void {
  for (let step = 0; step < 80; ++step) {
    const [mem] = below(2) === 0 ? blocks.splice(below(blocks.length), 1) : [];
    if (mem === undefined)
      blocks.push(...drive.calls.operate(0, { op: 'allocate', size: bytes(900 + below(1 << (8 + below(5)))) }).mems);
    else drive.calls.operate(0, { op: 'deallocate', mem });
  }
}

test.each([1, 2])('among holes a slab is cut from the chunk that is foreseen, seed %i', async (seed) => {
  const drive = await Drive.start(seed);
  const random = createRandom(seed);
  const model = new Model(drive.trace);
  const { trace } = drive;
  const heap = drive.calls.heaps[0] ?? 0;
  const blocks: Addr[] = [];
  const counts = { bin: 0, top: 0, victim: 0, grew: 0 };
  for (let round = 0; round < 60; ++round) {
    makeHoles(drive, random, blocks);
    const size = bytes(random.below(129));
    for (let more = 80; more > 0; --more) {
      drive.module.drain();
      const before = trace.count;
      drive.calls.operate(0, { op: 'mallocAllocate', thread: undefined, size, count: 1 });
      drive.module.drain();
      const events = Array.from({ length: trace.count - before }, (_, nth) => before + nth);
      const made = events.find((at) => trace.kind(at) === EventKind.slabMade && decodeEvent(trace, at).c !== 0);
      if (made === undefined) continue;
      model.history.fold();
      const slab = slabAround(model.at(trace.count).state, decodeEvent(trace, made).a);
      if (slab === undefined) throw new Error('no slab');
      const { state } = model.at(before);
      const found = searchAtStep(state, state.heap(heap), slab.size);
      const grew = events.some((event) => isGrowth(trace.kind(event)));
      counts[found?.from ?? 'grew'] += 1;
      const about = `round ${round}: ${slab.size} bytes at ${slab.chunk}, foreseen ${JSON.stringify(found)}`;
      expect(grew, about).toBe(found === undefined);
      if (found === undefined) continue;
      expect(slab.chunk, about).toBeGreaterThanOrEqual(found.chunk);
      expect(slab.chunk + slab.size, about).toBeLessThanOrEqual(found.chunk + found.size);
    }
  }
  expect(counts.bin).toBeGreaterThan(100);
  expect(counts.top).toBeGreaterThan(20);
  expect(counts.grew).toBeGreaterThan(0);
});
