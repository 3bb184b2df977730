// How large the next slab of a class is foreseen to be, and where it will lie, beside the slabs that malloc makes.

import { expect, test } from 'vitest';
import { searchAtStep, slabBytes } from '../../../web/src/answers/fit_policy.ts';
import { type Addr, addr, bytes } from '../../../web/src/base/brand.ts';
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

test.each([0, 8, 16, 24, 512, 1016])(
  'a hole as large as a slab is one, if its block begins %i bytes before a step',
  async (lead) => {
    const size = 1024 + (lead === 8 ? lead + 1024 : lead); // what is cut off in front is a chunk, of 16 bytes or more
    for (const has of [size - 8, size]) {
      const drive = await Drive.start(1);
      const model = new Model(drive.trace);
      const take = (op: 'allocate' | 'mallocAllocate', asked: number): Addr =>
        drive.calls.operate(0, { op, size: bytes(asked), thread: undefined, count: 1 }).mems[0] ?? addr(0);
      /** The chunk of the next slab of this class, and how many blocks it has. */
      const nextSlab = () => {
        for (let more = 200; more > 0; --more) {
          const before = drive.trace.count;
          take('mallocAllocate', 16);
          drive.module.drain();
          for (let at = before; at < drive.trace.count; ++at) {
            const { kind, a, c } = decodeEvent(drive.trace, at);
            if (kind === EventKind.slabMade && c !== 0) return { chunk: a, blocks: c };
          }
        }
        throw new Error('no slab');
      };
      for (let left = nextSlab().blocks; left > 1; --left) take('mallocAllocate', 16);
      const first = take('allocate', 5000 - kWord); // from top, as is all that follows
      take('allocate', 3072 - ((first + 5000 + lead) % 1024) - kWord);
      const hole = take('allocate', has - kWord);
      expect((hole + lead) % 1024).toBe(0);
      take('allocate', 3000);
      drive.calls.operate(0, { op: 'deallocate', mem: hole });
      drive.module.drain();
      model.history.fold();
      const { state } = model.at(drive.trace.count);
      const found = searchAtStep(state, state.heap(drive.calls.heaps[0] ?? 0), 1024);
      expect(found?.from).toBe(has === size ? 'bin' : 'top');
      expect(nextSlab().chunk === hole - kWord + size - 1024).toBe(has === size);
    }
  },
);
