// What pins a hole, beside a brute-force removal: every set of blocks near a hole is taken away, and the run around it measured.

import { expect, it } from 'vitest';
import { pinsOf } from '../../../web/src/answers/pins.ts';
import { chooseHeap } from '../../../web/src/model/queries/query_lists.ts';
import { chunkStateOf, forEachChunk } from '../../../web/src/model/state/chunk_at.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { PinsPart } from '../../../web/src/panels/pins/part.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { Drive } from '../model/drive.ts';
import { withSites } from '../model/sited_trace.ts';

interface Chunk {
  readonly at: number;
  readonly size: number;
  readonly kind: number;
}
interface Run {
  readonly first: number; // of the segment's chunks
  readonly end: number;
}

const isFree = ({ kind }: Chunk): boolean =>
  kind === ChunkState.free || kind === ChunkState.top || kind === ChunkState.victim;

function chunksOf(drive: Drive): Chunk[][] {
  const state = drive.history.head;
  return state.segments.map((segment) => {
    const chunks: Chunk[] = [];
    forEachChunk(state, segment, (at, granule) =>
      chunks.push({ at, size: state.sizeOf(granule), kind: chunkStateOf(state, granule) }),
    );
    return chunks;
  });
}

/** The runs of chunks that are free, or taken away. */
function runsOf(chunks: readonly Chunk[], gone: ReadonlySet<number>): Run[] {
  const runs: Run[] = [];
  for (let i = 0; i < chunks.length; ++i) {
    const begin = i;
    while (i < chunks.length && (gone.has(i) || isFree(chunks[i] as Chunk))) ++i;
    if (i > begin) runs.push({ first: begin, end: i });
  }
  return runs;
}

/** The first holes, and the last. */
function someRuns(chunks: readonly Chunk[]): Run[] {
  const runs = runsOf(chunks, new Set());
  return [...runs.slice(0, 30), ...runs.slice(30).slice(-10)];
}

const bytesOf = (chunks: readonly Chunk[], { first, end }: Run): number =>
  chunks.slice(first, end).reduce((sum, { size }) => sum + size, 0);

/** The most that taking `count` of the blocks near `hole` away gives. */
function bestRelease(chunks: readonly Chunk[], hole: Run, count: number): number {
  const blocks = chunks.flatMap((chunk, i) => (isFree(chunk) ? [] : [i]));
  const near = [...blocks.filter((i) => i < hole.first).slice(-5), ...blocks.filter((i) => i >= hole.end).slice(0, 5)];
  let best = 0;
  const choose = (from: number, gone: readonly number[]): void => {
    if (gone.length === count) {
      const run = runsOf(chunks, new Set(gone)).find(({ first, end }) => first <= hole.first && end >= hole.end);
      if (run !== undefined) best = Math.max(best, bytesOf(chunks, run));
      return;
    }
    for (let i = from; i < near.length; ++i) choose(i + 1, [...gone, near[i] as number]);
  };
  choose(0, []);
  return best;
}

async function driven(seed: number): Promise<Drive> {
  const drive = await Drive.start(seed);
  drive.run(1_500, 88);
  drive.runMalloc(300, 60, 2);
  expect(drive.compare()).toBeUndefined();
  return drive;
}

function pinsAt({ history }: Drive, selected: number | undefined): PinsPart | undefined {
  const state = history.head;
  return pinsOf(history, state, chooseHeap(state, 0), selected);
}

it.each([3, 17, 4711])('freeing 1, 2 and 3 blocks joins what a brute-force removal finds, seed %i', async (seed) => {
  const drive = await driven(seed);
  let holes = 0;
  for (const chunks of chunksOf(drive)) {
    for (const run of someRuns(chunks)) {
      const first = chunks[run.first] as Chunk;
      const shown = pinsAt(drive, first.at + Math.min(8, first.size - 1));
      expect(shown?.hole).toEqual({ address: first.at, size: bytesOf(chunks, run) });
      for (const { blocks, joined, before } of shown?.releases ?? []) {
        expect(joined, `hole at ${first.at}, ${blocks} blocks`).toBe(bestRelease(chunks, run, blocks));
        expect(before).toBeLessThanOrEqual(blocks);
      }
      const blocks = chunks.filter((chunk) => !isFree(chunk)).length;
      expect(shown?.releases.length).toBe(Math.min(3, blocks));
      holes++;
    }
  }
  expect(holes).toBeGreaterThan(10);
});

it('the blocks named are the nearest on each side, and each says what it would join', async () => {
  const drive = await driven(8);
  for (const chunks of chunksOf(drive)) {
    for (const run of someRuns(chunks)) {
      const shown = pinsAt(drive, (chunks[run.first] as Chunk).at);
      const blocks = chunks.filter((chunk) => !isFree(chunk));
      const at = (chunks[run.first] as Chunk).at;
      const sides = [blocks.filter((block) => block.at < at).reverse(), blocks.filter((block) => block.at > at)];
      for (const [nth, side] of (['before', 'after'] as const).entries()) {
        const pins = shown?.pins.filter((pin) => pin.side === side) ?? [];
        expect(pins.map(({ address }) => address)).toEqual(sides[nth]?.slice(0, 3).map((block) => block.at));
        for (const { nth: count, joined, size } of pins) {
          const gone = new Set((sides[nth] ?? []).slice(0, count).map((block) => chunks.indexOf(block)));
          const joinedRun = runsOf(chunks, gone).find(({ first, end }) => first <= run.first && end >= run.end);
          expect(joined).toBe(joinedRun === undefined ? -1 : bytesOf(chunks, joinedRun));
          expect(joined).toBeGreaterThan(size);
        }
      }
    }
  }
});

it('without a selection it is the largest hole of the heap that is not its top', async () => {
  const drive = await driven(21);
  const heap = chooseHeap(drive.history.head, 0)?.id;
  const { segments } = drive.history.head;
  const sizes = chunksOf(drive).flatMap((chunks, nth) =>
    segments[nth]?.heap !== heap
      ? []
      : runsOf(chunks, new Set())
          .filter(({ first, end }) => chunks.slice(first, end).every(({ kind }) => kind !== ChunkState.top))
          .map((run) => bytesOf(chunks, run)),
  );
  const shown = pinsAt(drive, undefined);
  expect(shown?.hole.size).toBe(Math.max(...sizes));
  expect(shown?.selected).toBe(false);
  // A block beside it leads to a hole that it touches.
  const beside = shown?.pins.find(({ nth }) => nth === 1)?.address;
  expect(pinsAt(drive, beside)?.selected).toBe(true);
  expect(pinsAt(drive, beside)?.hole.size).toBeGreaterThanOrEqual(shown?.hole.size ?? 0);
});

it('a block has the call that made it, where the trace tells, and its age in events', async () => {
  const drive = await driven(5);
  const model = new Model(
    withSites(drive.trace, (operation) => ['main', `made ${operation % 7}@a.cpp:7`, 'operator new(unsigned long)']),
  );
  model.history.fold();
  const { state } = model.at(model.history.head.seq);
  const shown = pinsOf(model.history, state, chooseHeap(state, 0), undefined);
  expect(shown?.pins.length).toBeGreaterThan(0);
  for (const { address, stack, own, age } of shown?.pins ?? []) {
    expect(stack.at(-1)).toBe('main');
    expect(stack[0]).toBe('operator new(unsigned long)');
    expect(own).toMatch(/^made \d@a\.cpp:7$/); // the program's own, not the library's that is innermost
    expect(own).toBe(stack[1]);
    expect(age).toBe(state.seq - (state.born[state.granuleAt(address)] ?? 0));
  }
});

it('a heap without a hole has none', async () => {
  const drive = await Drive.start(1);
  drive.compare();
  expect(pinsAt(drive, undefined)).toBeUndefined();
  expect(pinsAt(drive, 4)).toBeUndefined();
});
