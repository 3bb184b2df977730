// malloc through the engine: by hand, in its story, and after a loss of events.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Addr, addr, bytes, seq } from '../../../web/src/base/brand.ts';
import type { CachesFrame } from '../../../web/src/panels/heaps/part.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { detailOf } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine, partsIn, scenarioOf, wanting } from './harness.ts';

const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

/** Every cached chunk and byte is in exactly one cell. */
function expectBalanced(caches: CachesFrame | undefined) {
  const lists = caches?.cacheLists;
  if (lists === undefined) throw new Error('no malloc');
  expect(sumOf(lists.rows.flatMap((row) => [...row.chunks]))).toBe(lists.chunks);
  expect(sumOf(lists.rows.flatMap((row) => [...row.bytes])) + lists.slabs.ownBytes).toBe(lists.bytes);
  return lists;
}

const malloc = (size: number, count: number, thread?: number) =>
  ({ op: 'mallocAllocate', thread, size: bytes(size), count }) as const;
const free = (mem: Addr, thread?: number) => ({ op: 'mallocFree', thread, mem }) as const;

describe('malloc by hand', () => {
  test('what is freed is cached, is shown so, and is the next block of its size', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    expect(partsIn(await frame(wanting({ caches: true }))).caches?.cacheLists).toBeUndefined();
    const [one = addr(0), two = addr(0)] = (await operate(malloc(60, 2))).mems;
    expect((await operate(free(one))).ok).toBe(true);
    const shown = await frame(wanting({ inspect: one, caches: true, explain: true }));
    const { inspect, caches, explain } = partsIn(shown);
    const { status } = shown;
    expect(inspect).toMatchObject({ state: ChunkState.cached, cached: { holder: 1, low: inspect?.size } });
    expect(status).toMatchObject({ malloc: true, cached: inspect?.size, verifiedAt: status.head, mismatch: undefined });
    expect(expectBalanced(caches)).toMatchObject({ chunks: 1, flushes: 0 });
    expect(explain?.prose.map((part) => part.text).join('')).toMatch(/goes to cache list \d+ of thread 1/);
    const refused = await operate(free(one));
    expect([refused.ok, refused.statusText]).toEqual([false, `no block in use of this heap begins at ${one}`]);
    expect((await operate({ op: 'deallocate', mem: one })).ok).toBe(false);
    expect((await operate(malloc(60, 1))).mems).toEqual([one]);
    expect((await operate({ op: 'deallocate', mem: two })).ok).toBe(true); // every block is a chunk of the heap
    expect((await frame()).status).toMatchObject({ cached: 0, mismatch: undefined });
  });

  test('the cache is flushed on demand, and pages go back', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const { mems } = await operate(malloc(3000, 200));
    for (const mem of mems) await operate(free(mem));
    const { cached } = (await frame()).status;
    expect(cached).toBeGreaterThan(600_000);
    expect((await operate({ op: 'mallocFlush', thread: undefined })).received).toBe(cached);
    const lists = expectBalanced(partsIn(await frame(wanting({ caches: true }))).caches);
    expect(lists).toMatchObject({ chunks: 0, flushes: 1, lastFlush: { bytes: cached, chunks: 200, nested: false } });
    expect((await operate({ op: 'mallocTrim' })).received).toBeGreaterThan(500_000);
    expect((await frame()).status).toMatchObject({ cached: 0, inUse: 0, mismatch: undefined });
  });

  test('a block is moved or grows in place, and size 0 shrinks it', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const [mem = addr(0)] = (await operate(malloc(100, 1))).mems;
    const grown = await operate({ op: 'mallocReallocate', thread: undefined, mem, size: bytes(5000) });
    expect([grown.ok, grown.reused]).toEqual([true, grown.mems[0] === mem]);
    expect(grown.received).toBeGreaterThanOrEqual(5000);
    const now = grown.mems[0] ?? addr(0);
    const least = await operate({ op: 'mallocReallocate', thread: undefined, mem: now, size: bytes(0) });
    expect([least.ok, least.mems, least.reused]).toEqual([true, [now], true]);
    expect(least.received).toBeLessThan(100);
    await operate({ op: 'mallocFree', thread: undefined, mem: now });
    expect((await frame()).status).toMatchObject({ inUse: 0, mismatch: undefined });
  });

  test('threads have lists of their own, and one that cannot be played is refused', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const { mems } = await operate(malloc(60, 4, 1));
    for (const [i, mem] of mems.entries()) await operate(free(mem, 1 + (i % 2)));
    const lists = expectBalanced(partsIn(await frame(wanting({ caches: true }))).caches);
    const of = (thread: number) => sumOf(lists.rows.map((row) => row.chunks[lists.holders.indexOf(thread)] ?? 0));
    expect([lists.acting, of(1), of(2)]).toEqual([2, 2, 2]);
    for (const thread of [0, -1, 1.5, 1_000_000]) expect((await operate(malloc(8, 1, thread))).ok).toBe(false);
    expect((await frame()).status.mismatch).toBeUndefined();
  });
});

describe('the story of malloc', () => {
  /** Told to its end: its events by chapter, and any moment of it. */
  async function tell() {
    const { run, frame, ask } = makeEngine();
    await run('malloc');
    const { status, timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 10 } });
    const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const begins = [...(timeline?.marks ?? []).map((mark) => mark.seq), status.head];
    const eventsOf = (chapter: number, kind: EventKind) => {
      const found: number[] = [];
      for (let at = begins[chapter] ?? 0; at < (begins[chapter + 1] ?? 0); ++at)
        if (trace.kind(at) === kind) found.push(at);
      return found;
    };
    const count = (chapter: number, kind: EventKind) => eventsOf(chapter, kind).length;
    const operations = (chapter: number, op: Op) =>
      eventsOf(chapter, EventKind.opBegun).filter((at) => detailOf(trace.head(at)) === op);
    const at = (event: number | undefined) =>
      frame({ at: { to: 'seq', seq: seq(event ?? 0) }, ...wanting({ caches: true }) });
    const listsAt = async (event: number | undefined) => expectBalanced(partsIn(await at(event)).caches);
    return { status, trace, begins, eventsOf, count, operations, at, listsAt };
  }
  type Told = Awaited<ReturnType<typeof tell>>;
  let told: Told;
  beforeAll(async () => {
    told = await tell();
  });

  /** Each flush of a chapter: what the call that needed it asked, and the largest free chunk before. */
  async function flushesOf(chapter: number) {
    const { operations, trace, at } = told;
    return Promise.all(
      operations(chapter, Op.mallocFlush).map(async (flush) => {
        const { largestFree, cached } = (await at(flush)).status;
        return { request: trace.b(flush - 1), largestFree, cached };
      }),
    );
  }

  test('ends with nothing in use or cached, and model = heap', () => {
    const { status } = told;
    expect(status).toMatchObject({ mismatch: undefined, lost: 0, verifiedAt: status.head, inUse: 0, cached: 0 });
  });

  test('0: small blocks lie in slabs, each class has its own, and the heap is seldom asked', async () => {
    const { count, eventsOf, trace, listsAt, begins } = told;
    const slabs = eventsOf(0, EventKind.slabMade).filter((at) => trace.c(at) > 0);
    expect(new Set(slabs.map((at) => trace.b(at)))).toEqual(new Set([24, 48, 80, 120]));
    const lists = slabs.map((at) => detailOf(trace.head(at)));
    const taken = eventsOf(0, EventKind.chunkReused).filter((at) => lists.includes(detailOf(trace.head(at))));
    expect(taken.length).toBeGreaterThan(1000);
    const tables = eventsOf(0, EventKind.slabEnded).filter((at) => trace.c(at) === 0); // of where slabs lie: it moved to a larger chunk
    expect(count(0, EventKind.chunkReleased)).toBe(tables.length);
    const { slabs: had, rows } = await listsAt(begins[1]);
    expect(had.count).toBe(slabs.length);
    expect(rows[0]?.list).toBe(0x100 + 3); // the rows of slabs come first, by size
  });

  test('1: a flush ends slabs, and of those with a survivor it leaves a chunk', async () => {
    const { eventsOf, trace, listsAt, begins, at } = told;
    const [ended = 0, ...more] = eventsOf(1, EventKind.slabEnded).filter((event) => trace.c(event) > 0);
    expect(more.length).toBeGreaterThan(10);
    const after = await listsAt(more.at(-1));
    expect(after.slabs.count).toBeLessThan((await listsAt(ended)).slabs.count);
    const { flushes, lastFlush } = await listsAt(begins[2]);
    expect(flushes).toBeGreaterThan(0);
    expect(lastFlush?.bytes).toBeGreaterThan(0);
    expect((await at(begins[2])).status).toMatchObject({ inUse: 0, cached: 0 });
  });

  test('2: freed blocks go to cache lists, and none to the heap', async () => {
    const { count, listsAt, begins } = told;
    expect([count(2, EventKind.chunkCached), count(2, EventKind.chunkReleased)]).toEqual([60, 0]);
    expect([count(2, EventKind.chunkTaken), count(2, EventKind.chunkReused)]).toEqual([120, 0]);
    const { rows } = await listsAt(begins[3]);
    expect(rows.filter(({ chunks }) => sumOf(chunks) > 0).length).toBe(4); // a list for each size class
  });

  test('3: the same size class comes back at once, for requests that differ', async () => {
    const { count, eventsOf, trace, listsAt, begins } = told;
    expect([count(3, EventKind.chunkReused), count(3, EventKind.chunkTaken)]).toEqual([300, 0]);
    const requests = new Map<number, Set<number>>();
    for (const at of eventsOf(3, EventKind.chunkReused)) {
      const list = detailOf(trace.head(at));
      requests.set(list, (requests.get(list) ?? new Set()).add(trace.c(at)));
    }
    expect([...requests.values()].map(({ size }) => size)).toEqual([4, 4, 4, 4]);
    expect((await listsAt(begins[4])).flushes).toBe((await listsAt(begins[3])).flushes);
  });

  test('4: behind free memory a block joins it, and only the first of its class is cached', () => {
    const { count } = told;
    expect([count(4, EventKind.chunkReleased), count(4, EventKind.chunkCached)]).toEqual([47, 25]); // 24 wide ones, which waited
    expect(count(4, EventKind.cachedEnded)).toBe(24);
    expect(count(4, EventKind.chunksMerged)).toBeGreaterThan(40);
  });

  test('5: before memory grows the cache is flushed, inside the call that no free chunk could serve', async () => {
    const flushes = await flushesOf(5);
    expect(flushes.length).toBe(1);
    for (const { request, largestFree } of flushes) expect(largestFree).toBeLessThan(request);
    expect(told.count(5, EventKind.memoryGrown)).toBeGreaterThan(0);
    expect((await told.listsAt(told.begins[6])).lastFlush).toMatchObject({ nested: true });
  });

  test('6: when the program asks for other sizes the cache is flushed, though there was enough free memory', async () => {
    const flushes = (await flushesOf(6)).filter(({ cached }) => cached > 400_000);
    expect(flushes.length).toBe(1);
    for (const { request, largestFree } of flushes) {
      expect(largestFree).toBeGreaterThan(request);
      expect(request).toBeGreaterThanOrEqual(3000);
    }
    const { count, listsAt, begins } = told;
    expect([count(6, EventKind.memoryGrown), count(6, EventKind.segmentExtended)]).toEqual([0, 0]);
    expect(count(6, EventKind.cachedEnded)).toBeGreaterThan(1000);
    expect(count(6, EventKind.chunksMerged)).toBeGreaterThan(800);
    expect((await listsAt(begins[7])).chunks).toBe(0);
  });

  test('7: an aligned block is cached when it is freed, and serves the next such request', () => {
    const { operations, count } = told;
    expect(operations(7, Op.allocateAligned).length).toBe(40);
    expect([count(7, EventKind.chunkTaken), count(7, EventKind.chunkReused)]).toEqual([1, 39]);
  });

  test('8: a vector that grows by realloc stays where it is', () => {
    const { operations, eventsOf, trace } = told;
    const starts = operations(8, Op.reallocate).map((at) => trace.a(at));
    const ends = eventsOf(8, EventKind.opEnded).filter((at) => detailOf(trace.head(at)) === Op.reallocate);
    expect(starts.length).toBe(44);
    expect(ends.map((at) => trace.a(at))).toEqual(starts);
  });

  test('9: pages go back', async () => {
    const { at, begins } = told;
    const footprintAt = async (event: number | undefined) => (await at(event)).status.footprint;
    expect(await footprintAt(begins[10])).toBeLessThan((await footprintAt(begins[9])) / 2);
  });

  test('10: each thread fills and uses its own cache', async () => {
    const { count, listsAt, begins } = told;
    expect(count(10, EventKind.threadChanged)).toBe(2);
    expect([count(10, EventKind.cachedMoved), count(10, EventKind.chunkReused) > 100]).toEqual([0, true]);
    const { holders, rows } = await listsAt(begins[11]);
    expect([...holders]).toEqual([0, 1, 2, 3]); // the central lists are used later
    const chunks = [...holders.keys()].map((i) => sumOf(rows.map((row) => row.chunks[i] ?? 0)));
    expect([chunks[0], ...chunks.slice(1).map((some) => some > 0)]).toEqual([0, true, true, true]);
  });

  test('11: a full cache is handed over whole, and the other thread fetches batches of about 2 KiB', async () => {
    const { eventsOf, trace, at } = told;
    const moves = eventsOf(11, EventKind.cachedMoved);
    const handed = moves.filter((event) => trace.b(event) === 2 && trace.c(event) === 0);
    const fetched = moves.filter((event) => trace.b(event) === 0 && trace.c(event) === 1);
    expect([handed.length > 1000, fetched.length > 1000]).toEqual([true, true]);
    const first = handed[0] ?? 0;
    const had = expectBalanced(partsIn(await at(first)).caches);
    const mine = sumOf(had.rows.map((row) => row.bytes[had.holders.indexOf(2)] ?? 0));
    expect(mine).toBeGreaterThan(255 * 1024);
    let run = 0;
    const runs: number[] = [];
    for (const [i, event] of fetched.entries()) {
      if (fetched[i - 1] !== event - 1 && run > 0) runs.push(run);
      run = fetched[i - 1] === event - 1 ? run + 1 : 1;
    }
    expect(Math.max(...runs)).toBeLessThanOrEqual(20); // 2 KiB of the smallest messages
    expect(runs.length).toBeGreaterThan(100);
  });

  test('12: each thread flushes its cache, and the central lists', async () => {
    const { operations, listsAt, begins } = told;
    expect(operations(12, Op.mallocFlush).length).toBeGreaterThanOrEqual(3);
    expect((await listsAt(begins[13])).chunks).toBe(0);
  });
});

describe('after a loss in malloc', () => {
  const flood = scenarioOf('flood', function* (operations) {
    const mems: Addr[] = [];
    for (let i = 0; i < 12_000; ++i) {
      mems.push(...operations.operate(malloc(40 + (i % 5) * 24, 1)).mems);
      const mem = i % 3 === 0 ? undefined : mems.shift();
      if (mem !== undefined) operations.operate(free(mem));
    }
    yield { chapter: undefined, done: 0.5 };
    for (const mem of mems.slice(0, 3000)) operations.operate(free(mem));
    operations.operate(malloc(64, 500));
    yield { chapter: undefined, done: 1 };
  });

  test('the heap is known again, who has what too, and later events fit', async () => {
    const { run, frame } = makeEngine({ ring: 'drop', scenarios: [flood] });
    await run('flood');
    const shown = await frame(wanting({ caches: true }));
    const { status } = shown;
    const { caches } = partsIn(shown);
    expect(status.lost).toBeGreaterThan(16_384);
    expect(status).toMatchObject({ mismatch: undefined, verifiedAt: status.head });
    const { bytes: cached, slabs } = expectBalanced(caches);
    expect(slabs.count).toBeGreaterThan(0);
    expect(cached).toBe(status.cached);
  });
});
