import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import type { PoolEntry } from '../../../web/src/model/state/entries.ts';
import { kGranuleStep } from '../../../web/src/model/state/frame_table.ts';
import { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { captureKeyframe } from '../../../web/src/model/state/keyframe.ts';
import { TimeTravel } from '../../../web/src/model/time/time_travel.ts';
import { kEventNames, kSmallStatsLayout, Shape } from '../../../web/src/protocol/event_layout.ts';
import { someOf } from '../../every.ts';
import { Drive } from './drive.ts';

const kRounds = 60;

async function aLongRun(seed: number): Promise<Drive> {
  const drive = await Drive.start(seed);
  for (let round = 0; round < kRounds; ++round) {
    drive.run(250, round % 20 < 12 ? 70 : 35);
    expect(drive.compare()).toBeUndefined();
  }
  return drive;
}

/** Events alone lead to the end, back to nothing, and to the same end again. */
function expectUndoable({ history }: Drive): void {
  const end = captureKeyframe(history.head);
  history.keyframes.splice(0);
  const travel = new TimeTravel(history);
  travel.seek(history.head.seq);
  expect(captureKeyframe(travel.state)).toEqual(end);
  travel.seek(0);
  const empty = new HeapState();
  empty.wordSize = travel.state.wordSize;
  expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(empty));
  expect(travel.state.chunks.every((word, at) => at % kGranuleStep !== 0 || word === 0)).toBe(true);
  expect(travel.state.nodes.every((word) => word === 0)).toBe(true);
  expect(travel.state.pageStarts.every((count) => count === 0)).toBe(true);
  travel.seek(history.head.seq);
  expect(captureKeyframe(travel.state)).toEqual(end);
}

describe('the model and the real heap', () => {
  test.each(someOf([1, 2, 3]))('are equal after every round of random operations, seed %i', async (seed) => {
    const drive = await aLongRun(seed);
    expect([...drive.performed].sort()).toEqual([
      'allocate',
      'allocateAligned',
      'burstDeallocate',
      'burstNodes',
      'command',
      'deallocate',
      'poolAllocate',
      'poolCreate',
      'poolDeallocate',
      'poolDestroy',
      'poolTrim',
      'reallocate',
      'trim',
    ]);
    drive.releaseAll();
    expect(drive.compare()).toBeUndefined();
    expect(drive.history.head.inUse).toBe(0);
  });

  test.each(someOf([1, 2, 3]))(
    'are equal while played threads use the small front and memory pools, seed %i',
    async (seed) => {
      const drive = await Drive.start(seed);
      for (let round = 0; round < 40; ++round) {
        drive.runSmall(120, round % 20 < 12 ? 65 : 30);
        expect(drive.compare()).toBeUndefined();
      }
      for (const op of ['smallAllocate', 'smallDeallocate', 'smallFlush', 'smallSqueeze', 'memoryPoolDestroy']) {
        expect(drive.performed).toContain(op);
      }
      const { head } = drive.history;
      const classes = head.pools.filter((pool) => pool.shape === Shape.sizeClass);
      expect(classes.length).toBeGreaterThan(10);
      expect(classes.some((pool) => (pool.cached?.size ?? 0) > 1 && pool.central > 0)).toBe(true);
      drive.releaseAll();
      expect(drive.compare()).toBeUndefined();
      expect(
        classes.map(({ blocks, central, cached, nodesInUse }) => [blocks, central, cached?.size ?? 0, nodesInUse]),
      ).toEqual(classes.map(() => [0, 0, 0, 0]));
      expect(drive.calls.heaps.length).toBe(1);
      expectUndoable(drive);
    },
  );

  test('the small front counts what the model counts: in use, cached and central', async () => {
    const drive = await Drive.start(9);
    drive.runSmall(1_500, 70);
    expect(drive.compare()).toBeUndefined();
    const { module, history } = drive;
    module.call((functions) => functions.hg_small_get_stats(module.scratch));
    const stat = (field: keyof typeof kSmallStatsLayout) =>
      module.views.word(module.scratch + kSmallStatsLayout[field]);
    const classes = history.head.pools.filter((pool) => pool.shape === Shape.sizeClass);
    const sum = (of: (pool: PoolEntry) => number) => classes.reduce((all, pool) => all + of(pool), 0);
    const cached = (pool: PoolEntry) => [...(pool.cached?.values() ?? [])].reduce((all, count) => all + count, 0);
    expect(stat('spans')).toBe(sum((pool) => pool.blocks));
    expect(stat('inUse')).toBe(sum((pool) => pool.nodesInUse * pool.nodeSize));
    expect(stat('central')).toBe(sum((pool) => pool.central * pool.nodeSize));
    expect(stat('cached')).toBe(sum((pool) => cached(pool) * pool.nodeSize));
    expect(stat('cached')).toBeGreaterThan(0);
  });

  const played: readonly (readonly [seed: number, threads: number | undefined])[] = [
    [1, undefined],
    [3, 4],
    [2, undefined],
    [4, 4],
  ];
  test.each(someOf(played, 2))('are equal while malloc caches chunks, seed %i, threads %s', async (seed, threads) => {
    const drive = await Drive.start(seed);
    for (let round = 0; round < 40; ++round) {
      drive.runMalloc(200, round % 20 < 12 ? 60 : 30, threads);
      expect(drive.compare()).toBeUndefined();
    }
    const { history } = drive;
    const lists = [...history.head.heap(1).cacheLists.values()];
    expect(lists.length).toBeGreaterThan(10);
    const holders = new Set(lists.map(({ holder }) => holder)).size;
    expect(threads === undefined ? holders === 1 : holders > 2).toBe(true);
    expect(history.malloc.flushEnds.count).toBeGreaterThan(5);
    expect(history.malloc.moves.count > 100).toBe(threads !== undefined);
    drive.releaseMalloced(threads);
    expect(drive.compare()).toBeUndefined();
    expect(history.head).toMatchObject({ inUse: 0, cached: 0 });
    expect(history.head.heap(1)).toMatchObject({ chunksCached: 0, chunksInUse: 0, cached: 0 });
    expectUndoable(drive);
  });

  test('undo to zero gives the empty state, and applying again the same end', async () => {
    const drive = await aLongRun(4);
    expectUndoable(drive);
  });

  test('seek(n) equals replay from zero, from any place and across keyframes', async () => {
    const { history } = await aLongRun(5);
    const random = createRandom(6);
    expect(history.keyframes.length).toBeGreaterThan(1);
    const travel = new TimeTravel(history);
    for (let i = 0; i < 12; ++i) {
      const seq = random.below(history.head.seq + 1);
      travel.seek(seq);
      const replay = new TimeTravel(Object.assign(Object.create(history), { keyframes: [] }));
      replay.seek(seq);
      if (travel.state.sliver !== 0) continue;
      expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(replay.state));
    }
  });

  test('every kind of event that the allocator writes was seen', async () => {
    const drive = await aLongRun(7);
    drive.runSmall(2_000, 60);
    expect(drive.compare()).toBeUndefined();
    drive.releaseAll();
    drive.module.drain();
    const threads = await Drive.start(8);
    threads.runMalloc(4_000, 50, 3);
    expect(threads.compare()).toBeUndefined();
    const alone = await Drive.start(10);
    alone.runMalloc(4_000, 50, undefined);
    expect(alone.compare()).toBeUndefined();
    const seen = new Set<string>();
    for (const { trace } of [drive, threads, alone]) {
      for (let seq = 0; seq < trace.count; ++seq) seen.add(kEventNames.get(trace.kind(seq)) ?? 'unknown');
    }
    const host =
      /^(mark|checkpoint|events_lost|pages_discarded|memory_moved|state_kept|state_reset|text|(string|site)_\w+|snapshot_\w+|block_(allocated|freed))$/;
    expect([...kEventNames.values()].filter((name) => !seen.has(name) && !host.test(name))).toEqual([]);
  });
});
