// "Will N bytes fit", beside the real heap: random operations bring it to some state, the model is asked, and then the block is
// allocated for real. Whether the heap grew, and where the block lies, must be what was said.

import { afterAll, expect, it } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { kFree } from '../../../web/src/answers/pins.ts';
import { standingNumber } from '../../../web/src/answers/standing.ts';
import { type Addr, addr, bytes } from '../../../web/src/base/brand.ts';
import { formatAddress, formatBytes } from '../../../web/src/base/format.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { looseChunks } from '../../../web/src/model/queries/loose_chunks.ts';
import { chunkStateOf } from '../../../web/src/model/state/chunk_at.ts';
import type { HeapEntry } from '../../../web/src/model/state/entries.ts';
import type { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { forEachWhole } from '../../../web/src/model/state/slab_around.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo, FitsFigures, Question } from '../../../web/src/protocol/answers.ts';
import type { Operation } from '../../../web/src/protocol/messages.ts';
import { isGrowth } from '../../../web/src/trace/decode.ts';
import { someOf } from '../../every.ts';
import { Drive } from '../model/drive.ts';

const kBatch = 200;
const counts = { asked: 0, yes: 0, no: 0, perhaps: 0, addresses: 0, undecided: 0 };
afterAll(() => console.log(`will it fit, as the real heap: ${JSON.stringify(counts)}`));

/** Sizes about the edges: those of holes that there are, of top, and any. none: the answer for more than there is. */
function sizeFor(below: (n: number) => number, none: AnswerTo<'fits'>): number {
  const { holes } = none.evidence;
  const hole = holes[below(Math.max(1, holes.length))]?.size_bytes ?? 100;
  const sizes = [hole - 16 + below(24), below(1 << (3 + below(9))), none.figures.top_bytes - 32 + below(64)];
  return Math.max(0, sizes[below(4)] ?? below(250_000));
}

/** The sentence has what the figures have, and nothing of what they have not. */
function expectSaid(sentence: string, figures: FitsFigures): void {
  const { fits, from, block_address, largest_free_bytes, top_bytes, growth_bytes, pin_blocks } = figures;
  const parts: readonly (readonly [boolean, string])[] = [
    [true, `${formatBytes(figures.request_bytes)} `],
    [fits === 'yes', from === 'none' ? ' fit without growth.' : ', without growth.'],
    [fits === 'yes' && block_address !== 0, `, at ${formatAddress(addr(block_address))}`],
    [fits !== 'yes' && largest_free_bytes === 0, 'there is no hole'],
    [fits !== 'yes' && largest_free_bytes !== 0, `the largest hole has ${formatBytes(largest_free_bytes)}`],
    [fits !== 'yes' && top_bytes !== 0, `, and top has ${formatBytes(top_bytes)}`],
    [fits === 'no', `it takes ${formatBytes(growth_bytes)} more memory`],
    [fits === 'no' && pin_blocks !== 0, ' less.'],
  ];
  for (const [isSaid, part] of parts) expect(sentence.includes(part), `"${part}" in: ${sentence}`).toBe(isSaid);
}

/** What fits at most fits, and nothing larger does. */
function expectMost(ask: (size: number | undefined) => AnswerTo<'fits'>, asked: FitsFigures): void {
  const { figures, sentence } = ask(undefined);
  const { fits, request_bytes: most } = figures;
  if (fits !== 'yes') return;
  expect(ask(most).figures.fits, sentence).toBe('yes');
  if (asked.fits === 'yes') expect(asked.request_bytes, sentence).toBeLessThanOrEqual(most);
  for (const more of [8, 16, 100, 1000, 10_000])
    expect(ask(most + more).figures.fits, `${sentence} And ${more} more?`).not.toBe('yes');
}

async function agrees(seed: number, rounds: number, run: (drive: Drive) => void, op: 'allocate' | 'mallocAllocate') {
  const drive = await Drive.start(seed);
  const { below } = createRandom(seed + 1);
  const model = new Model(drive.trace);
  const ask = (size: number | undefined): AnswerTo<'fits'> => {
    drive.module.drain();
    model.history.fold();
    const heap = drive.calls.heaps[0] ?? 0;
    const question = size === undefined ? ({ ask: 'fits' } as const) : ({ ask: 'fits', bytes: size } as const);
    return answer({ model, event: drive.trace.count, heap }, question) as AnswerTo<'fits'>;
  };
  for (let round = 0; round < rounds; ++round) {
    run(drive);
    const size = sizeFor(below, ask(2 ** 30));
    const { sentence, figures, evidence } = ask(size);
    expectSaid(sentence, figures);
    if (round % 10 === 0) expectMost(ask, figures);
    const before = drive.trace.count;
    const operation: Operation =
      op === 'allocate' ? { op, size: bytes(size) } : { op, thread: undefined, size: bytes(size), count: 1 };
    const { mems } = drive.calls.operate(0, operation);
    drive.module.drain();
    let grew = false;
    for (let event = before; event < drive.trace.count; ++event) grew ||= isGrowth(drive.trace.kind(event));
    counts.asked += 1;
    counts[figures.fits] += 1;
    if (figures.fits === 'yes') expect(grew, `round ${round}: ${sentence}`).toBe(false);
    if (figures.fits === 'no') expect(grew, `round ${round}: ${sentence}`).toBe(true);
    if (figures.fits === 'yes' && figures.from === 'bin' && figures.block_address === 0) {
      counts.undecided += 1;
      const { holes } = answer(
        { model, event: before, heap: drive.calls.heaps[0] ?? 0 },
        { ask: 'fits', bytes: 2 ** 30 },
      ).evidence;
      const enough = holes.filter(({ size_bytes, is_top }) => !is_top && size_bytes >= figures.needed_bytes).length;
      expect(evidence.holes.filter(({ is_top }) => !is_top).length, `round ${round}: ${sentence}`).toBe(enough);
      expect(Math.min(...evidence.holes.map((hole) => hole.size_bytes))).toBeGreaterThanOrEqual(figures.needed_bytes);
    }
    const isCached = model.at(before).state.heaps.some(({ cached }) => cached > 0);
    if (figures.fits === 'yes' && !isCached) expect(figures.block_address, `round ${round}: ${sentence}`).not.toBe(0);
    if (figures.block_address !== 0) {
      counts.addresses += 1;
      expect(mems[0], `round ${round}: ${sentence}`).toBe(figures.block_address);
    }
    const [mem] = mems;
    if (mem === undefined) continue;
    if (below(3) === 0) continue;
    drive.calls.operate(
      0,
      op === 'allocate' ? { op: 'deallocate', mem } : { op: 'mallocFree', thread: undefined, mem },
    );
  }
  expect(drive.compare()).toBeUndefined();
}

it.each(someOf([1, 2, 3, 5, 8], 2))(
  'a heap serves or grows as said, at the address that was said, seed %i',
  async (seed) => {
    await agrees(seed, kBatch, (drive) => drive.run(40, 55), 'allocate');
    expect(counts.no).toBeGreaterThan(10);
  },
);

it.each(someOf([13, 21, 34, 55]))('and so does malloc with its cache, seed %i', async (seed) => {
  await agrees(seed, kBatch, (drive) => drive.runMalloc(40, 55, undefined), 'mallocAllocate');
  expect(counts.undecided).toBeGreaterThan(0);
});

interface Window {
  readonly size: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly address: number;
}

/** Of all runs of whole chunks of so many bytes the one with the fewest blocks, then with the fewest bytes in them, then the lowest. */
function leastWindow(state: HeapState, heap: HeapEntry, needed: number): Window | undefined {
  let least: Window | undefined;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    const chunks: { at: number; size: number; blocks: number; bytes: number }[] = [];
    forEachWhole(state, segment, (at, granule, size, slab) => {
      const isFree = kFree.has(chunkStateOf(state, granule));
      const isSlab = slab !== undefined && slab.free < slab.blocks;
      const blocks = isSlab ? slab.blocks - slab.free : isFree ? 0 : 1;
      chunks.push({ at, size, blocks, bytes: isSlab ? blocks * slab.blockBytes : isFree ? 0 : size });
    });
    for (const [from, { at: address }] of chunks.entries()) {
      const window = { size: 0, blocks: 0, bytes: 0, address };
      for (const { size, blocks, bytes } of chunks.slice(from)) {
        window.size += size;
        window.blocks += blocks;
        window.bytes += bytes;
        if (window.size >= needed) break;
      }
      if (window.size < needed) break;
      if (
        least === undefined ||
        window.blocks < least.blocks ||
        (window.blocks === least.blocks && window.bytes < least.bytes)
      )
        least = window;
    }
  }
  return least;
}

it.each(someOf([4, 6]))(
  'what is to be freed for a block that does not fit is the least of all there is, and then it fits, seed %i',
  async (seed) => {
    const drive = await Drive.start(seed);
    const { below } = createRandom(seed);
    const heap = drive.calls.heaps[0] ?? 0;
    const model = new Model(drive.trace);
    const mems: Addr[] = [];
    const allocate = (size: number): void => {
      const [mem] = drive.calls.operate(0, { op: 'allocate', size: bytes(size) }).mems;
      if (mem !== undefined) mems.push(mem);
    };
    let freed = 0;
    let slabs = 0;
    for (let round = 0; round < 40; ++round) {
      if (round >= 24) drive.runMalloc(60, 60, undefined);
      for (let step = 0; step < 60; ++step) {
        const [mem] = below(2) === 0 ? mems.splice(below(mems.length), 1) : [];
        if (mem === undefined) allocate(1 << (3 + below(9)));
        else drive.calls.operate(0, { op: 'deallocate', mem });
      }
      drive.module.drain();
      model.history.fold();
      const event = drive.trace.count;
      const { state } = model.at(event);
      const entry = state.heap(heap);
      const ask = (size: number) => answer({ model, event, heap }, { ask: 'fits', bytes: size }) as AnswerTo<'fits'>;
      const { largest_free_bytes, top_bytes } = ask(1).figures;
      const { figures, evidence, sentence } = ask(Math.max(largest_free_bytes, top_bytes) + below(4000));
      if (figures.fits !== 'no') continue;
      const least = leastWindow(state, entry, figures.needed_bytes);
      if (least === undefined) continue; // no segment is as large
      expect([figures.pin_blocks, figures.pin_bytes], sentence).toEqual([least.blocks, least.bytes]);
      expect(evidence.blocks.length, sentence).toBe(figures.pin_blocks);
      expect(evidence.blocks.reduce((sum, { size_bytes }) => sum + size_bytes, 0)).toBe(figures.pin_bytes);
      const isInside = ({ address }: { address: number }) =>
        address >= least.address && address < least.address + least.size;
      expect(evidence.blocks.every(isInside), sentence).toBe(true);
      const pins = evidence.blocks.map(({ address }) => addr(address + entry.wordSize));
      if (!pins.every((mem) => mems.includes(mem))) {
        slabs += 1;
        continue;
      }
      for (const mem of pins)
        drive.calls.operate(0, { op: 'deallocate', mem: mems.splice(mems.indexOf(mem), 1)[0] ?? mem });
      drive.module.drain();
      const before = drive.trace.count;
      allocate(figures.request_bytes);
      drive.module.drain();
      for (let at = before; at < drive.trace.count; ++at) expect(isGrowth(drive.trace.kind(at)), sentence).toBe(false);
      if (pins.length > 0) freed += 1;
    }
    expect(freed).toBeGreaterThan(5);
    expect(slabs).toBeGreaterThan(0);
    expect(drive.compare()).toBeUndefined();
  },
);

it('with threads it is not known whose a free block of a slab is, nor whether a class is young', async () => {
  const drive = await Drive.start(6);
  const take = (size: number, count: number, thread?: number) =>
    drive.calls.operate(0, { op: 'mallocAllocate', thread, size: bytes(size), count });
  const { mems } = take(48, 600);
  mems.forEach((mem, i) => {
    if (i % 2 === 0) drive.calls.operate(0, { op: 'mallocFree', thread: undefined, mem });
  });
  const [own, other] = [96, 48].flatMap((size) => take(size, 1, 2).mems);
  for (const mem of [own, other]) drive.calls.operate(0, { op: 'mallocFree', thread: 2, mem: mem ?? addr(0) });
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const heap = drive.calls.heaps[0] ?? 0;
  const about = (size: number) =>
    (answer({ model, event: drive.trace.count, heap }, { ask: 'fits', bytes: size }) as AnswerTo<'fits'>).figures;
  expect(about(48), 'a chunk of its own, or a block').toMatchObject({ fits: 'yes', from: 'none', block_address: 0 });
  const { top_bytes } = about(200);
  expect(top_bytes, 'a slab of any length fits').toBeGreaterThan(3 * 4096);
  expect(about(40)).toMatchObject({ fits: 'yes', block_address: 0 });
  expect(about(200).fits).toBe('yes');
  expect(about(96), 'the thread has a chunk of its own').toMatchObject({
    fits: 'yes',
    from: 'cache',
    block_address: own,
  });
  expect(take(48, 1, 2).mems).toEqual([other]);
  drive.module.drain();
  model.history.fold();
  expect(about(48).fits, 'no chunk is left').toBe('perhaps');
});

it('the sentence has the address, or the largest hole and what is missing', async () => {
  const drive = await Drive.start(9);
  drive.run(1500, 60);
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const heap = drive.calls.heaps[0] ?? 0;
  const say = (size: number) =>
    answer({ model, event: drive.trace.count, heap }, { ask: 'fits', bytes: size }).sentence.replaceAll('\u202f', ' ');
  expect(say(24)).toMatch(/^24 B fit .*, at 0x\w{4}_\w{4}, without growth\.$/);
  expect(say(400_000)).toMatch(/^391 KiB do not fit: the largest hole has .*, and top has .*; it takes .* more memory/);
});

it('inside a call what the call has taken from its list may fit, and is not said to be too small', async () => {
  const drive = await Drive.start(17);
  drive.run(400, 60);
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const heap = drive.calls.heaps[0] ?? 0;
  let underWay = 0;
  for (let event = 50; event <= drive.trace.count; event++) {
    const { state } = model.at(event);
    const entry = state.heap(heap);
    const { largest } = looseChunks(state, entry, drive.trace);
    if (largest < 64) continue;
    const about = (question: Question & { ask: 'fits' }) =>
      answer({ model, event, heap }, question) as AnswerTo<'fits'>;
    const { figures, sentence } = about({ ask: 'fits', bytes: largest - 16 });
    expect(figures.fits, `event ${event}: ${sentence}`).not.toBe('no');
    if (figures.fits === 'perhaps') {
      underWay += 1;
      expect(sentence).toMatch(/ fit only if the operation under way leaves them: .* on no list until it ends\.$/);
    }
    const most = about({ ask: 'fits' });
    expect(most.figures.request_bytes).toBeGreaterThanOrEqual(largest - 16);
    expect(standingNumber({ ask: 'fits' }, most)).toMatch(/^≤ /);
  }
  expect(underWay).toBeGreaterThan(20);
});
