// The malloc front through the engine: by hand, in its story, and after a loss of events.

import { describe, expect, test } from 'vitest';
import { type Addr, addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { EventKind, kRoomList, Op } from '../../../web/src/protocol/event_layout.ts';
import { type CachesFrame, ChunkState } from '../../../web/src/protocol/frames.ts';
import { detailOf } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine, scenarioOf } from './harness.ts';

const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

/** Every held chunk and byte is in exactly one cell. */
function expectBalanced(caches: CachesFrame | undefined) {
  const quick = caches?.quick;
  if (quick === undefined) throw new Error('no malloc front');
  expect(sumOf(quick.rows.flatMap((row) => [...row.chunks]))).toBe(quick.chunks);
  expect(sumOf(quick.rows.flatMap((row) => [...row.bytes]))).toBe(quick.bytes);
  return quick;
}

const malloc = (size: number, count: number, thread?: number) =>
  ({ op: 'mallocAllocate', thread, size: bytes(size), count }) as const;
const free = (mem: Addr, thread?: number) => ({ op: 'mallocFree', thread, mem }) as const;

describe('the malloc front by hand', () => {
  test('what is freed waits, is shown so, and is the next block of its size', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    expect((await frame({ caches: true })).caches?.quick).toBeUndefined();
    const [one = addr(0), two = addr(0)] = (await operate(malloc(60, 2))).mems;
    expect((await operate(free(one))).ok).toBe(true);
    const { status, inspect, caches, explain } = await frame({ inspect: one, caches: true, explain: true });
    expect(inspect).toMatchObject({ state: ChunkState.held, held: { holder: 1, low: inspect?.size } });
    expect(status).toMatchObject({ front: true, held: inspect?.size, verifiedAt: status.head, mismatch: undefined });
    expect(expectBalanced(caches)).toMatchObject({ chunks: 1, flushes: 0 });
    expect(explain?.story.map((part) => part.text).join('')).toMatch(/waits on quick list \d+ of thread 1/);
    const refused = await operate(free(one));
    expect([refused.ok, refused.statusText]).toEqual([false, `no block in use of this heap begins at ${one}`]);
    expect((await operate({ op: 'deallocate', mem: one })).ok).toBe(false);
    expect((await operate(malloc(60, 1))).mems).toEqual([one]);
    expect((await operate({ op: 'deallocate', mem: two })).ok).toBe(true); // every block is a chunk of the heap
    expect((await frame()).status).toMatchObject({ held: 0, mismatch: undefined });
  });

  test('the lists are emptied on demand, and pages go back', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const { mems } = await operate(malloc(3000, 200));
    for (const mem of mems) await operate(free(mem));
    const { held } = (await frame()).status;
    expect(held).toBeGreaterThan(600_000);
    expect((await operate({ op: 'mallocFlush', thread: undefined })).received).toBe(held);
    const quick = expectBalanced((await frame({ caches: true })).caches);
    expect(quick).toMatchObject({ chunks: 0, flushes: 1, lastFlush: { bytes: held, chunks: 200, forced: false } });
    expect((await operate({ op: 'mallocTrim' })).received).toBeGreaterThan(500_000);
    expect((await frame()).status).toMatchObject({ held: 0, inUse: 0, mismatch: undefined });
  });

  test('a block is moved or grows in place, and size 0 frees it', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const [mem = addr(0)] = (await operate(malloc(100, 1))).mems;
    const grown = await operate({ op: 'mallocReallocate', thread: undefined, mem, size: bytes(5000) });
    expect([grown.ok, grown.reused]).toEqual([true, grown.mems[0] === mem]);
    expect(grown.received).toBeGreaterThanOrEqual(5000);
    const now = grown.mems[0] ?? addr(0);
    const freed = await operate({ op: 'mallocReallocate', thread: undefined, mem: now, size: bytes(0) });
    expect([freed.ok, freed.mems]).toEqual([true, []]);
    expect((await frame()).status).toMatchObject({ inUse: 0, mismatch: undefined });
  });

  test('threads have lists of their own, and one that cannot be played is refused', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const { mems } = await operate(malloc(60, 4, 1));
    for (const [i, mem] of mems.entries()) await operate(free(mem, 1 + (i % 2)));
    const quick = expectBalanced((await frame({ caches: true })).caches);
    const of = (thread: number) => sumOf(quick.rows.map((row) => row.chunks[quick.holders.indexOf(thread)] ?? 0));
    expect([quick.acting, of(1), of(2)]).toEqual([2, 2, 2]);
    for (const thread of [0, -1, 1.5, 1_000_000]) expect((await operate(malloc(8, 1, thread))).ok).toBe(false);
    expect((await frame()).status.mismatch).toBeUndefined();
  });
});

describe('the story of malloc', () => {
  test('shows reuse, joining, an emptying before growth, pages going back, and batches through the central lists', async () => {
    const { run, frame, ask } = makeEngine();
    await run('malloc');
    const { status, timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 10 } });
    expect(status).toMatchObject({ mismatch: undefined, lost: 0, verifiedAt: status.head, inUse: 0, held: 0 });
    const begins = [...(timeline?.marks ?? []).map((mark) => mark.seq), status.head];
    const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    /** How many events of a kind a chapter has. */
    const count = (chapter: number, kind: EventKind) => {
      let found = 0;
      for (let at = begins[chapter] ?? 0; at < (begins[chapter + 1] ?? 0); ++at)
        found += trace.kind(at) === kind ? 1 : 0;
      return found;
    };
    /** How many of a chapter's calls of realloc left the block where it was. */
    const stayed = (chapter: number) => {
      let found = 0;
      let mem = 0;
      for (let at = begins[chapter] ?? 0; at < (begins[chapter + 1] ?? 0); ++at) {
        if (detailOf(trace.head(at)) !== Op.reallocate) continue;
        if (trace.kind(at) === EventKind.opBegun && trace.c(at) === 0) mem = trace.a(at);
        else if (trace.kind(at) === EventKind.opEnded && trace.a(at) === mem) {
          found += 1;
          mem = 0;
        }
      }
      return found;
    };
    /** How often a block got room behind it. */
    const rooms = (chapter: number) => {
      let found = 0;
      for (let at = begins[chapter] ?? 0; at < (begins[chapter + 1] ?? 0); ++at)
        found += trace.kind(at) === EventKind.chunkHeld && detailOf(trace.head(at)) === kRoomList ? 1 : 0;
      return found;
    };
    const quickAt = async (at: number | undefined) =>
      expectBalanced((await frame({ at: { to: 'seq', seq: seq(at ?? 0) }, caches: true })).caches);
    expect(count(0, EventKind.chunkHeld)).toBeGreaterThan(150);
    expect([count(1, EventKind.chunkReused), count(1, EventKind.chunkTaken)]).toEqual([300, 0]);
    expect(count(2, EventKind.chunkReleased)).toBeGreaterThan(40); // 24 large ones, and those between them
    expect((await quickAt(begins[3])).flushes).toBe(0);
    const emptied = await quickAt(begins[4]);
    expect(emptied.lastFlush).toMatchObject({ forced: true });
    expect(emptied.lastFlush?.chunks).toBeGreaterThan(1000);
    expect([stayed(5) > 30, stayed(6) > 40]).toEqual([true, true]);
    expect(rooms(6)).toBeGreaterThan(0);
    const footprintAt = async (at: number | undefined) =>
      (await frame({ at: { to: 'seq', seq: seq(at ?? 0) } })).status.footprint;
    expect(await footprintAt(begins[8])).toBeLessThan((await footprintAt(begins[7])) / 2);
    expect(count(8, EventKind.threadChanged)).toBeGreaterThanOrEqual(2);
    expect(count(9, EventKind.heldMoved)).toBeGreaterThan(500);
    expect([...(await quickAt(begins[10])).holders]).toEqual([0, 1, 2, 3]);
  });
});

describe('after a loss in the malloc front', () => {
  const flood = scenarioOf('flood', function* (hands) {
    const mems: Addr[] = [];
    for (let i = 0; i < 12_000; ++i) {
      mems.push(...hands.operate(malloc(40 + (i % 5) * 24, 1)).mems);
      const mem = i % 3 === 0 ? undefined : mems.shift();
      if (mem !== undefined) hands.operate(free(mem));
    }
    yield { chapter: undefined, done: 0.5 };
    for (const mem of mems.slice(0, 3000)) hands.operate(free(mem));
    hands.operate(malloc(64, 500));
    yield { chapter: undefined, done: 1 };
  });

  test('the heap is known again, who holds what too, and later events fit', async () => {
    const { run, frame } = makeEngine({ ring: 'drop', scenarios: [flood] });
    await run('flood');
    const { status, caches } = await frame({ caches: true });
    expect(status.lost).toBeGreaterThan(16_384);
    expect(status).toMatchObject({ mismatch: undefined, verifiedAt: status.head });
    expect(expectBalanced(caches).bytes).toBe(status.held);
  });
});
