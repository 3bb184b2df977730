// What the inspector says of blocks in slabs, beside the calls: the program knows which blocks it has, and the events where slabs lie.

import { expect, test } from 'vitest';
import { answer } from '../../../../web/src/answers/answer.ts';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import { blocksInUse, forEachWhole, slabAround } from '../../../../web/src/model/state/slab_around.ts';
import { Model } from '../../../../web/src/model/time/model.ts';
import { kindText, rowsOf, stateLine } from '../../../../web/src/panels/chunk/inspector_words.ts';
import type { AnswerTo } from '../../../../web/src/protocol/answers.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { Drive } from '../../model/drive.ts';

const kSize = 44; // blocks of 48 bytes
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

async function someBlocks(keeps: (i: number) => boolean) {
  const drive = await Drive.start(1);
  const malloc = (size: number, count: number) =>
    drive.calls.operate(0, { op: 'mallocAllocate', thread: undefined, size: bytes(size), count }).mems;
  const mems = malloc(kSize, 400);
  const kept = mems.filter((_, i) => keeps(i));
  for (const mem of mems) if (!kept.includes(mem)) drive.calls.operate(0, { op: 'mallocFree', thread: undefined, mem });
  expect(drive.compare()).toBeUndefined();
  const { history } = drive;
  const inspect = (at: number) => queryInspect(history, history.head, addr(at), undefined);
  return { drive, mems, kept: new Set<number>(kept), inspect, history };
}

test('a block says in which slab it lies, how many of it are free, and begins where the program has it', async () => {
  const { mems, kept, inspect } = await someBlocks((i) => i % 3 !== 0);
  const slabs = new Map<number, number>(); // by chunk: blocks that the program has
  let blocks = 0;
  for (const mem of mems) {
    const { chunk, usable, slab, state } = inspect(mem);
    if (slab === undefined) continue; // of a class that was young
    blocks += 1;
    expect([chunk, usable, slab.part, slab.blockBytes]).toEqual([mem, 48, 'block', 48]);
    expect(state).toBe(kept.has(mem) ? ChunkState.inUse : ChunkState.cached);
    slabs.set(slab.chunk, (slabs.get(slab.chunk) ?? 0) + (kept.has(mem) ? 1 : 0));
  }
  expect([blocks > 300, slabs.size > 5]).toEqual([true, true]);
  for (const mem of mems) {
    const frame = inspect(mem);
    const { slab } = frame;
    if (slab === undefined) continue;
    const free = slab.blocks - (slabs.get(slab.chunk) ?? 0);
    expect(slab.free).toBe(free);
    const words = `in a slab of ${slab.blocks} blocks of 48 B, ${free === 0 ? 'none' : free === slab.blocks ? 'all' : free} of them free`;
    expect(plain(stateLine(frame))).toBe(`${kept.has(mem) ? 'in use' : 'cached'} · ${words}`);
    expect(kindText(frame)).toBe('Block');
    expect(rowsOf(frame).find(({ name }) => name === 'slab')?.link).toBe(slab.chunk);
  }
});

test('the words of a slab are the slab, with the header that the heap knows it by', async () => {
  const { mems, inspect } = await someBlocks(() => true);
  const slab = inspect(mems.at(-1) ?? 0).slab;
  if (slab === undefined) throw new Error('no slab');
  const own = inspect(slab.chunk);
  expect([kindText(own), own.size % 1024, own.headerWord]).toEqual(['Slab', 0, (own.size | 3) >>> 0]);
  expect(plain(stateLine(own))).toMatch(
    /^cached · the words of a slab of \d+ blocks of 48 B, (none|\d+) of them free$/,
  );
  const rest = inspect(slab.chunk + own.size - 8);
  expect(plain(stateLine(rest))).toMatch(/^cached · the rest of a slab of \d+ blocks/);
});

test('a slab beside a hole is one pin, and costs each of its blocks in use', async () => {
  const { drive, history, kept } = await someBlocks(() => true);
  const { head: state } = history;
  const blocks = new Set<number>();
  for (const segment of state.segments) {
    forEachWhole(state, segment, (at, _, size, slab) => {
      if (slab === undefined || slab.blocks === 0) return;
      expect([slab.chunk, slab.size]).toEqual([at, size]);
      const inUse = blocksInUse(state, slab);
      expect(inUse.length).toBe(slab.blocks - slab.free);
      for (const [begin] of inUse) blocks.add(begin);
      for (const [begin] of inUse) expect(slabAround(state, begin - 4)).toEqual(slab);
    });
  }
  expect([...blocks].every((mem) => kept.has(mem))).toBe(true);
  expect(blocks.size).toBeGreaterThan(300);
  const model = new Model(drive.trace);
  model.history.fold();
  const { top } = state.heap(1);
  const asked = answer({ model, event: drive.trace.count, heap: 1 }, { ask: 'pins', address: top });
  const { figures, evidence } = asked as AnswerTo<'pins'>;
  expect(figures.pin_blocks).toBeGreaterThan(1);
  expect(evidence.blocks.length).toBe(figures.pin_blocks);
  for (const { address } of evidence.blocks)
    drive.calls.operate(0, {
      op: 'mallocFree',
      thread: undefined,
      mem: addr(blocks.has(address) ? address : address + 4),
    });
  drive.calls.operate(0, { op: 'mallocFlush', thread: undefined });
  drive.calls.operate(0, { op: 'mallocFlush', thread: undefined });
  expect(drive.compare()).toBeUndefined();
  const end = history.head;
  expect(end.sizeOf(end.granuleAt(end.heap(1).top))).toBeGreaterThanOrEqual(figures.joined_bytes);
});
