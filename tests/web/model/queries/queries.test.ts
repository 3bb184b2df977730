import { beforeAll, describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { binRange } from '../../../../web/src/model/queries/bin_ranges.ts';
import { queryCells } from '../../../../web/src/model/queries/query_cells.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import {
  chooseHeap,
  queryBinChain,
  queryBins,
  queryLargestFree,
  queryPoolBlocks,
  queryPools,
} from '../../../../web/src/model/queries/query_lists.ts';
import { queryMap } from '../../../../web/src/model/queries/query_map.ts';
import { queryTimeline } from '../../../../web/src/model/queries/query_timeline.ts';
import { chunkContaining, chunkStateOf } from '../../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../../web/src/model/state/chunk_table.ts';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import type { InspectFrame } from '../../../../web/src/panels/chunk/part.ts';
import { EventKind, kHeapStatsLayout, Shape } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState, type MapViewport } from '../../../../web/src/protocol/map_frames.ts';
import { Drive } from '../drive.ts';

let drive: Drive;
beforeAll(async () => {
  drive = await Drive.start(11);
  drive.run(9_000, 88);
  const options = { nodeSize: bytes(24), nodesPerBlock: 100, maxFreeBlocks: 2, overheadPercent: 0 };
  const { pool = 0 } = drive.calls.operate(0, { op: 'poolCreate', shape: Shape.adaptive, ...options });
  drive.calls.operate(0, { op: 'poolAllocate', pool, count: 1_234 });
  expect(drive.compare()).toBeUndefined();
});

const kFacts = { memoryBytes: 0, touchedNode: undefined };
const headState = () => drive.history.head;
const firstHeap = () => {
  const heap = chooseHeap(headState(), 0);
  if (heap === undefined) throw new Error('no heap');
  return heap;
};
function viewOf(bytesPerRow: number, rows: number, columns: number): MapViewport {
  const origin = addr(headState().segments[0]?.base ?? 0);
  return { origin, bytesPerRow: bytes(bytesPerRow), rows, columns };
}

describe('the map', () => {
  test('in chunks covers each segment without gap or overlap', () => {
    const { chunks, segments } = queryMap(headState(), new PageSummary(), viewOf(65_536, 256, 1000), kFacts);
    if (chunks === undefined) throw new Error('too many chunks');
    expect(chunks.count).toBeGreaterThan(200);
    let inside = 0;
    for (const segment of segments) {
      const firstChunk = headState().segmentAt(segment.base)?.firstChunk ?? 0;
      let at = firstChunk;
      for (let i = 0; i < chunks.count; ++i) {
        const address = chunks.address[i] ?? 0;
        if (address < segment.base || address >= segment.base + segment.size) continue;
        expect(address).toBe(at);
        expect(chunks.heap[i]).toBe(segment.heap);
        at += chunks.size[i] ?? 0;
        ++inside;
      }
      expect(at).toBe(segment.base + segment.size - 4);
    }
    expect(inside).toBe(chunks.count);
  });

  test('in a window has the chunk that begins before it and none behind it', () => {
    const whole = queryMap(headState(), new PageSummary(), viewOf(65_536, 256, 1000), kFacts).chunks;
    const address = whole?.address[200] ?? 0;
    const size = whole?.size[200] ?? 0;
    const viewport = { origin: addr(address + 4), bytesPerRow: bytes(size), rows: 1, columns: 100 };
    const { chunks } = queryMap(headState(), new PageSummary(), viewport, kFacts);
    expect([...(chunks?.address ?? [])]).toEqual([address, whole?.address[201]]);
  });

  test.each([1024, 4096, 16_384, 65_536])('in cells of %i bytes counts the same as in cells of 256', (cellBytes) => {
    const columns = 262_144 / cellBytes;
    const each = cellBytes / 256;
    const coarse = queryCells(headState(), new PageSummary(), viewOf(262_144, 6, columns)); // from the pyramid
    const detailed = queryCells(headState(), new PageSummary(), viewOf(262_144, 6, 1024)); // from chunks
    for (const part of ['inUse', 'cached', 'pool', 'free', 'top'] as const) {
      for (let cell = 0; cell < 6 * columns; ++cell) {
        const among = detailed[part].subarray(cell * each, (cell + 1) * each);
        const mean = among.reduce((sum, share) => sum + share, 0) / each;
        expect(Math.abs(mean - (coarse[part][cell] ?? 0))).toBeLessThanOrEqual(2);
      }
    }
    expect(coarse.pool.some((share) => share > 50)).toBe(true);
    expect(coarse.free.some((share) => share > 0)).toBe(true);
  });

  test('in cells shows the age of the youngest block of each cell, from pages as from chunks', () => {
    const pages = queryCells(headState(), new PageSummary(), viewOf(65_536 * 4, 6, 64));
    const chunks = queryCells(headState(), new PageSummary(), viewOf(65_536 * 4, 6, 1024));
    const youngest = Array.from(pages.age, (_, cell) => Math.min(...chunks.age.subarray(cell * 16, cell * 16 + 16)));
    expect([...pages.age]).toEqual(youngest);
    expect(new Set(youngest).size).toBeGreaterThan(8);
    // A cell of one block's own: of its age, whatever lies in the same page.
    const birth = (cell: number) => new Set(chunks.age.subarray(cell * 16, cell * 16 + 16)).size;
    expect(youngest.some((_, cell) => birth(cell) > 2)).toBe(true);
  });

  test('opens blocks into sub-blocks and nodes when they are wide enough', () => {
    const pool = queryPools(headState(), firstHeap()).pools.find((row) => row.shape === 'adaptive' && row.blocks > 5);
    if (pool === undefined) throw new Error('no adaptive pool');
    const entry = headState().pool(pool.pool);
    const block = queryPoolBlocks(headState(), entry).address[0] ?? 0;
    const viewport = {
      origin: addr(block - 4),
      bytesPerRow: bytes(1024),
      rows: 1 + Math.ceil(entry.blockBytes / 1024),
      columns: 1024,
    };
    const { blocks, nodes } = queryMap(headState(), new PageSummary(), viewport, kFacts);
    const at = blocks.address.indexOf(block);
    expect(blocks.nodes[at]).toBe(pool.nodesPerBlock);
    const inBlock = [...nodes.address].filter((node) => node >= block && node < block + entry.blockBytes);
    expect(inBlock.length).toBe(pool.nodesPerBlock);
    const subBlocks = [...nodes.subBlocks].filter((sub) => sub >= block && sub < block + entry.blockBytes);
    expect(subBlocks.length).toBe(pool.subBlocks);
    const far = { ...viewport, bytesPerRow: bytes(1024 * 1024) };
    expect(queryMap(headState(), new PageSummary(), far, kFacts).nodes.count).toBe(0);
  });
});

describe('lists', () => {
  test('bins, their chains, top and victim hold all free bytes; the statistics of the heap agree', () => {
    const heap = firstHeap();
    const { module, calls } = drive;
    module.call((functions) => functions.hg_heap_get_stats(calls.heapPointer(0) ?? 0, module.scratch));
    const stat = (field: keyof typeof kHeapStatsLayout) => module.views.word(module.scratch + kHeapStatsLayout[field]);
    let free = 0;
    for (const row of queryBins(headState(), heap)) {
      const chain = queryBinChain(headState(), heap, row.bin);
      expect(chain.address.length).toBe(row.count);
      const { low, high } = binRange(row.bin, 4);
      expect([...chain.size].every((size) => size >= low && size <= high)).toBe(true);
      free += chain.size.reduce((sum, size) => sum + size, 0);
    }
    for (const at of [heap.top, heap.victim]) if (at !== 0) free += headState().sizeOf(headState().granuleAt(at));
    expect([free, heap.free, heap.inUse]).toEqual([stat('freeBytes'), stat('freeBytes'), stat('inUse')]);
    expect(queryLargestFree(headState(), heap)).toBe(stat('largestFree'));
  });

  test('bin ranges follow each other without gap, and every insertion fits its own', () => {
    for (const wordSize of [4, 8] as const) {
      for (let bin = 1; bin < 300; ++bin) {
        expect(binRange(bin, wordSize).low).toBe(binRange(bin - 1, wordSize).high + 2 * wordSize);
      }
    }
    const { trace } = drive;
    for (let seq = 0; seq < trace.count; ++seq) {
      if (trace.kind(seq) !== EventKind.binInserted) continue;
      const { low, high } = binRange(trace.head(seq) >>> 16, 4);
      expect(trace.b(seq) >= low && trace.b(seq) <= high).toBe(true);
    }
  });

  test('the blocks of a pool: the tree first, fewest free nodes first, and all of them', () => {
    const pools = queryPools(headState(), firstHeap()).pools;
    expect(pools.length).toBeGreaterThan(1);
    for (const row of pools) {
      const blocks = queryPoolBlocks(headState(), headState().pool(row.pool));
      expect(blocks.address.length).toBe(row.blocks);
      const tree = [...blocks.freeNodes.subarray(0, blocks.treeCount)];
      expect(tree).toEqual([...tree].sort((one, other) => one - other));
      expect(blocks.freeNodes.reduce((sum, count) => sum + count, 0)).toBe(row.nodesFree);
    }
  });
});

describe('one address', () => {
  test('finds its chunk from any byte of it, huge ones too', () => {
    const state = headState();
    for (const segment of state.segments) {
      let at = segment.firstChunk;
      while (at < segment.base + segment.size - 4) {
        const size = state.sizeOf(state.granuleAt(at));
        for (const inside of [at, at + 1, at + size - 1]) expect(chunkContaining(state, inside)).toBe(at);
        at += size;
      }
      expect(chunkContaining(state, segment.base)).toBeUndefined();
    }
    expect(chunkContaining(state, 16)).toBeUndefined();
  });

  test('is told as memory has it: header, neighbours, request, birth', () => {
    const state = headState();
    const memory = drive.module.views.views.u8;
    let inUse = 0;
    const own = state.segments.filter((segment) => segment.heap === firstHeap().id);
    const starts = own.map((segment) => segment.firstChunk);
    let at: number | undefined = starts.shift();
    for (let i = 0; i < 400 && at !== undefined; ++i) {
      const fromMemory = queryInspect(drive.history, state, addr(at + 5), memory);
      const fromModel = queryInspect(drive.history, state, addr(at + 5), undefined);
      expect(fromMemory.headerFrom).toBe('memory');
      expect(fromModel.headerWord).toBe(fromMemory.headerWord);
      expect(fromMemory.chunk).toBe(at);
      expect(fromMemory.bytes?.length).toBe(Math.min(256, fromMemory.size));
      if (fromMemory.state === ChunkState.inUse && fromMemory.request !== undefined) {
        expect(fromMemory.request).toBeLessThanOrEqual(fromMemory.usable);
        ++inUse;
      }
      if (fromMemory.bin !== undefined) {
        const chain = queryBinChain(state, firstHeap(), fromMemory.bin.bin);
        const nth = chain.address.indexOf(at);
        expect([fromMemory.prevFree, fromMemory.nextFree]).toEqual([chain.address[nth - 1], chain.address[nth + 1]]);
      }
      expect(fromMemory.life.length).toBeGreaterThan(0);
      expect(fromMemory.life[0]?.seq).toBe(fromMemory.bornAt);
      const { next }: InspectFrame = fromMemory;
      if (next !== undefined) expect(next.state).toBe(chunkStateOf(state, state.granuleAt(next.address)));
      at = next === undefined ? starts.shift() : next.address;
    }
    expect(inUse).toBeGreaterThan(50);
  });
});

describe('time', () => {
  test('the timeline is what replaying gives, column by column', () => {
    const { history } = drive;
    const values = [0];
    const travel = new TimeTravel(history);
    const kLast = 3_000;
    for (let seq = 1; seq <= kLast; ++seq) {
      travel.seek(seq);
      values.push(travel.state.inUse);
    }
    for (const columns of [1, 7, 100, 3_000]) {
      const frame = queryTimeline(history, 0, kLast, columns, [], () => undefined);
      for (let i = 0; i < columns; ++i) {
        const among = values.slice(Math.round((kLast * i) / columns), Math.round((kLast * (i + 1)) / columns) + 1);
        expect([frame.inUseMin[i], frame.inUseMax[i]]).toEqual([Math.min(...among), Math.max(...among)]);
      }
    }
    const all = queryTimeline(history, 0, history.head.seq, 1, [], () => undefined);
    let peak = 0;
    for (let seq = 0; seq <= history.head.seq; ++seq) peak = Math.max(peak, history.inUse.at(seq));
    expect([all.inUseMax[0], all.footprint[0]]).toEqual([peak, expect.any(Number)]);
    expect(all.footprint[0]).toBeGreaterThanOrEqual(peak);
  });

  test('every operation can be explained, without a word missing', () => {
    const { history, trace } = drive;
    const titles = new Set<string>();
    for (let seq = 1; seq < trace.count; seq += 97) {
      const explain = explainOperation(history, seq);
      if (explain === undefined) continue;
      const story = explain.prose.map((part) => part.text).join('');
      expect(`${explain.title} ${story}`).not.toMatch(/undefined|NaN|\[object/);
      expect(explain.lines.some((line) => line.seq === seq)).toBe(true);
      if (explain.lines.length < 160) expect(explain.lines[0]?.depth).toBe(0);
      titles.add(explain.title.split(' ')[0] ?? '');
    }
    expect([...titles]).toEqual(expect.arrayContaining(['allocate', 'free', 'command', 'make', 'take', 'return']));
  });

  test('a story tells what was asked, what served it and where the rest went', () => {
    const { history, trace } = drive;
    let found = false;
    for (let seq = 0; seq < trace.count && !found; ++seq) {
      if (trace.kind(seq) !== EventKind.chunkSplit) continue;
      const explain = explainOperation(history, history.operations.around(seq)?.[1] ?? seq);
      const story = explain?.prose.map((part) => part.text).join('') ?? '';
      found = /^\d.* were requested\. With its header that is a chunk of .*, which belongs in bin \d+\./.test(story);
      if (found) {
        expect(story).toMatch(/top|victim|larger|best/);
        expect(explain?.prose.some((part) => part.strong)).toBe(true);
        expect(story).toMatch(/The block is at 0x[0-9a-f_]+\.$/);
      }
    }
    expect(found).toBe(true);
    expect(explainOperation(history, 0)).toBeUndefined();
  });
});

test('in-use counters equal a count over all chunks', () => {
  const state = headState();
  let inUse = 0;
  for (const segment of state.segments) {
    for (let at = segment.firstChunk; at < segment.base + segment.size - 4; at += state.sizeOf(state.granuleAt(at))) {
      const granule = state.granuleAt(at);
      if (((state.chunks[granule] ?? 0) & kInUse) !== 0) inUse += state.sizeOf(granule);
    }
  }
  expect(state.inUse).toBe(inUse);
});
