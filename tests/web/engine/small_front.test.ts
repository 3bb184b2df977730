// The small front and memory pools through the engine: by hand, told as stories, and after a loss.

import { describe, expect, test } from 'vitest';
import { type Addr, addr, bytes, seq } from '../../../web/src/base/brand.ts';
import type { CachesFrame } from '../../../web/src/panels/heaps/part.ts';
import { EventKind, Shape } from '../../../web/src/protocol/event_layout.ts';
import type { Operation } from '../../../web/src/protocol/messages.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine, partsIn, scenarioOf, wanting } from './harness.ts';

const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

/** P3, as a frame tells it. */
function expectBalanced(caches: CachesFrame | undefined): CachesFrame {
  if (caches === undefined) throw new Error('no caches');
  for (const row of caches.classes) {
    expect(row.cached.length).toBe(caches.threads.length);
    expect(row.nodes).toBe(row.central + sumOf(row.cached) + row.inUse);
  }
  const sizes = caches.classes.map((row) => row.nodeSize);
  expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
  return caches;
}

describe('the small front by hand', () => {
  test('takes from the cache of the thread named, and the frame shows where the nodes are', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const taken = await operate({ op: 'smallAllocate', thread: 2, size: bytes(100), count: 3 });
    expect([taken.ok, taken.mems.length, taken.received]).toEqual([true, 3, 3 * 112]);
    const one = taken.mems[0] ?? addr(0);
    const shown = await frame(wanting({ caches: true, lists: {} }));
    const { caches, lists } = partsIn(shown);
    const { status } = shown;
    const { acting, threads, classes, lastMove } = expectBalanced(caches);
    expect([acting, [...threads]]).toEqual([2, [1, 2]]);
    expect(classes).toMatchObject([{ nodeSize: 112, spans: 1, inUse: 3 }]);
    expect(lastMove).toMatchObject({ thread: 2, direction: 'fetched', count: (classes[0]?.cached[1] ?? 0) + 3 });
    expect(lists?.pools).toMatchObject([{ shape: 'size_class', nodesInUse: 3, blocks: 1 }]);
    expect(status.verifiedAt).toBe(status.head);

    expect((await operate({ op: 'smallDeallocate', thread: 3, mem: one })).ok).toBe(true);
    const after = expectBalanced(partsIn(await frame(wanting({ caches: true }))).caches);
    expect([...(after.classes[0]?.cached ?? [])]).toEqual([0, classes[0]?.cached[1], 1]);
    const { inspect } = partsIn(await frame(wanting({ inspect: one })));
    expect(inspect).toMatchObject({ what: 'node', node: { inUse: false, size: 112 }, small: { lastThread: 3 } });
    expect((await frame()).parts).toEqual({});
  });

  test('flush and squeeze give the span back', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const { mems } = await operate({ op: 'smallAllocate', thread: 1, size: bytes(24), count: 40 });
    for (const mem of mems) await operate({ op: 'smallDeallocate', thread: 2, mem });
    expect((await operate({ op: 'smallSqueeze' })).received).toBe(0); // caches keep their spans
    for (const thread of [1, 2]) await operate({ op: 'smallFlush', thread });
    const flushed = expectBalanced(partsIn(await frame(wanting({ caches: true }))).caches);
    expect(flushed.classes.map((row) => row.nodes - row.central)).toEqual([0]);
    const squeezed = await operate({ op: 'smallSqueeze' });
    expect(squeezed.received).toBeGreaterThan(65_000);
    const shown = await frame(wanting({ caches: true, explain: true }));
    const { caches, explain } = partsIn(shown);
    const { status } = shown;
    expect(expectBalanced(caches).classes.map((row) => row.spans)).toEqual([0]);
    expect(explain?.title).toBe('small front: give every wholly free span back');
    expect(explain?.prose.map((part) => part.text).join('')).toMatch(
      /were in the central list.*In all .* went back\.$/,
    );
    expect(status.mismatch).toBeUndefined();
  });

  test('a block goes back to where it came from: each other pool, the small front and the heap refuse it', async () => {
    const { run, operate, frame, ask } = makeEngine();
    await run('by_hand');
    const shape = { shape: Shape.segregated, nodesPerBlock: 8, maxFreeBlocks: 1, overheadPercent: 0 };
    const backs: ((mem: Addr) => Operation)[] = [];
    const mems: Addr[] = [];
    for (const size of [24, 24, 60]) {
      const { pool = 0 } = await operate({ op: 'poolCreate', nodeSize: bytes(size), ...shape });
      backs.push((mem) => ({ op: 'poolDeallocate', pool, mem }));
      mems.push(...(await operate({ op: 'poolAllocate', pool, count: 1 })).mems);
    }
    backs.push((mem) => ({ op: 'smallDeallocate', thread: 1, mem }));
    mems.push(...(await operate({ op: 'smallAllocate', thread: 1, size: bytes(50), count: 1 })).mems);
    backs.push((mem) => ({ op: 'deallocate', mem }));
    mems.push(...(await operate({ op: 'allocate', size: bytes(100) })).mems);
    const file = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!file.ok) throw new Error(file.error.message);
    const { trace } = file.value;
    const made = Array.from({ length: trace.count }, (_, event) => event).filter(
      (event) => trace.kind(event) === EventKind.poolCreated,
    );
    expect(made.length).toBeGreaterThanOrEqual(3);
    for (const mem of made.map((event) => addr(trace.a(event))))
      for (const back of backs) expect((await operate(back(mem))).ok, `a pool's own memory, ${mem}`).toBe(false);
    for (const wanted of [false, true]) {
      for (const [nth, back] of backs.entries()) {
        for (const [of, mem] of mems.entries()) {
          if ((nth === of) !== wanted) continue;
          const { ok, statusText } = await operate(back(mem));
          expect(ok, `block ${of} to ${nth}: ${statusText}`).toBe(wanted);
          expect((await operate(back(addr(mem + 4)))).ok, `inside of block ${of}`).toBe(false);
        }
      }
    }
    for (const [nth, back] of backs.entries())
      expect((await operate(back(mems[nth] ?? addr(0)))).ok, 'twice').toBe(false);
    expect((await frame()).status.mismatch).toBeUndefined();
  });

  test('what would break it is refused: no block of the front, a thread that cannot be played', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const chunk = (await operate({ op: 'allocate', size: bytes(100) })).mems[0] ?? addr(0);
    const node = (await operate({ op: 'smallAllocate', thread: 1, size: bytes(50), count: 1 })).mems[0] ?? addr(0);
    const large = (await operate({ op: 'smallAllocate', thread: 1, size: bytes(70_000), count: 1 })).mems[0] ?? addr(0);
    for (const mem of [chunk, addr(node + 8), addr(3_000_000_000)]) {
      const refused = await operate({ op: 'smallDeallocate', thread: 1, mem });
      expect([refused.ok, refused.statusText]).toEqual([false, `no block in use of the small front begins at ${mem}`]);
    }
    for (const mem of [node, large]) expect((await operate({ op: 'smallDeallocate', thread: 2, mem })).ok).toBe(true);
    expect((await operate({ op: 'smallDeallocate', thread: 2, mem: node })).ok).toBe(false);
    for (const thread of [0, -1, 1.5, 1_000_000]) {
      expect((await operate({ op: 'smallAllocate', thread, size: bytes(8), count: 1 })).ok).toBe(false);
    }
    expect((await frame()).status.mismatch).toBeUndefined();
  });
});

describe('told stories', () => {
  test('thread caches: batches go round, both squeezes give spans back, at the end nothing is left', async () => {
    const { run, frame, ask } = makeEngine();
    await run('thread_caches');
    const { status, timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 10 } });
    expect(status).toMatchObject({ mismatch: undefined, lost: 0, verifiedAt: status.head });
    for (const mark of timeline?.marks ?? [])
      expectBalanced(partsIn(await frame({ at: { to: 'seq', seq: mark.seq }, ...wanting({ caches: true }) })).caches);
    const squeezeBegins = timeline?.marks[5]?.seq ?? seq(0);
    const { caches } = partsIn(await frame({ at: { to: 'seq', seq: squeezeBegins }, ...wanting({ caches: true }) }));
    expect(sumOf(expectBalanced(caches).classes.flatMap((row) => [...row.cached]))).toBe(0); // flushed
    const end = expectBalanced(partsIn(await frame(wanting({ caches: true }))).caches);
    expect(end.classes.map((row) => row.spans)).toEqual([0, 0, 0, 0]);

    const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const stored = new Map<number, number>(); // thread -> nodes
    const fetched = new Map<number, number>();
    const retired: number[] = [];
    for (let event = 0; event < trace.count; ++event) {
      const kind = trace.kind(event);
      const moved = kind === EventKind.batchFetched ? fetched : kind === EventKind.batchStored ? stored : undefined;
      if (moved !== undefined && event < squeezeBegins) {
        moved.set(trace.c(event), (moved.get(trace.c(event)) ?? 0) + trace.b(event));
      }
      if (kind === EventKind.blockRetired) retired.push(event);
    }
    // The producer fetches what the consumer stores; each holds a few batches at most.
    expect(fetched.get(1)).toBeGreaterThan(5_000);
    expect(stored.get(2)).toBeGreaterThan(4_500);
    const firstSqueeze = retired.filter((event) => event < squeezeBegins + 1_000).length;
    expect(firstSqueeze).toBeGreaterThan(0);
    expect(retired.length).toBeGreaterThan(firstSqueeze);
  });

  test('memory pools: five heaps beside the first, each gone at once', async () => {
    const { run, frame } = makeEngine();
    await run('memory_pools');
    const { timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 10 } });
    const ends = timeline?.marks[4]?.seq ?? seq(0);
    const { heaps } = (await frame({ at: { to: 'seq', seq: ends } })).status;
    expect(heaps.length).toBe(6);
    expect(heaps.slice(1).every((heap) => heap.pools === 1 && heap.chunksInUse > 200 && heap.segments >= 1)).toBe(true);
    expect(sumOf(heaps.map((heap) => heap.inUse))).toBe((await frame({ at: { to: 'seq', seq: ends } })).status.inUse);
    const heap = heaps[1]?.id ?? 0;
    const second = await frame({ at: { to: 'seq', seq: ends }, heap, ...wanting({ lists: {} }) });
    expect(partsIn(second).lists?.pools).toMatchObject([{ shape: 'fixed_size', nodeSize: 24 }]);
    const end = await frame();
    expect(end.status.heaps.map((heap) => [heap.id, heap.inUse])).toEqual([[1, 0]]);
    expect(end.status).toMatchObject({ mismatch: undefined, lost: 0, verifiedAt: end.status.head });
  });
});

describe('after a loss in the small front', () => {
  const flood = scenarioOf('flood', function* (operations) {
    const take = (thread: number, count: number) =>
      operations.operate({ op: 'smallAllocate', thread, size: bytes(40), count }).mems;
    const mems = [...take(1, 500), ...take(2, 700)];
    yield { chapter: undefined, done: 0 };
    for (let i = 0; i < 12_000; ++i) {
      mems.push(...take(1 + (i % 3), 1));
      const mem = mems.shift();
      if (mem !== undefined) operations.operate({ op: 'smallDeallocate', thread: 1 + ((i + 1) % 3), mem });
    }
    yield { chapter: undefined, done: 0.5 };
    for (const mem of mems) operations.operate({ op: 'smallDeallocate', thread: 2, mem });
    for (const thread of [1, 2, 3]) operations.operate({ op: 'smallFlush', thread });
    operations.operate({ op: 'smallSqueeze' });
    take(3, 100);
    yield { chapter: undefined, done: 1 };
  });

  test('the heap is known again, what the caches hold is not, and the frame says so', async () => {
    const { run, frame } = makeEngine({ ring: 'drop', scenarios: [flood] });
    await run('flood');
    const shown = await frame(wanting({ caches: true, lists: {} }));
    const { status } = shown;
    const { caches, lists } = partsIn(shown);
    expect(status.lost).toBeGreaterThan(16_384);
    expect(status).toMatchObject({ mismatch: undefined, verifiedAt: status.head });
    const { classes, undividedSince, threads } = expectBalanced(caches);
    expect(undividedSince).toBeGreaterThan(0);
    expect([...threads]).toEqual([1, 2, 3]);
    expect(classes).toMatchObject([{ nodeSize: 40, inUse: 100 }]);
    expect(sumOf(classes[0]?.cached ?? [1])).toBe(0);
    expect(lists?.pools).toMatchObject([{ shape: 'size_class', nodesInUse: 100 }]);
  });
});
