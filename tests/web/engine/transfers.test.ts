import { expect, test } from 'vitest';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { transfersOf } from '../../../web/src/engine/transfers.ts';
import { kNothing, kWholeMap, makeEngine, partsIn, wanting } from './harness.ts';

test('a frame gives all its buffers away, each once, and none of them is linear memory', async () => {
  const { run, ask, operate } = makeEngine();
  await run('by_hand');
  const mem = (await operate({ op: 'allocate', size: bytes(64) })).mems[0] ?? addr(0);
  const frame = {
    ...kNothing,
    map: kWholeMap,
    ...wanting({ inspect: mem, lists: { bin: 3 }, explain: true }),
    timeline: { from: seq(0), to: 'head', columns: 10 },
  } as const;
  const reply = await ask({ type: 'frame', frame }, 'frame');
  const buffers = transfersOf(reply);
  const { map, timeline } = reply.frame;
  const { inspect, lists } = partsIn(reply.frame);
  const arrays = [
    ...Object.values(map?.empty ?? {}),
    ...Object.values(map?.chunks ?? {}),
    ...Object.values(map?.blocks ?? {}),
    ...Object.values(map?.nodes ?? {}),
    inspect?.bytes,
    timeline?.inUseMin,
    timeline?.inUseMax,
    timeline?.occupiedMax,
    timeline?.footprint,
    lists?.binChain?.address,
    lists?.binChain?.size,
  ].filter((part) => ArrayBuffer.isView(part));
  expect(arrays.length).toBe(3 + 5 + 6 + 4 + 7);
  expect(new Set(buffers)).toEqual(new Set(arrays.map((array) => array.buffer)));
  expect(buffers.length).toBe(arrays.length);
  expect(Math.max(...buffers.map((buffer) => buffer.byteLength))).toBeLessThan(65_536);
  const clone = structuredClone(reply, { transfer: buffers });
  expect(clone.frame.map?.chunks?.count).toBeGreaterThan(0);
  expect(inspect?.bytes?.length).toBe(0); // given away
  expect((await ask({ type: 'verify' }, 'verified')).mismatch).toBeUndefined(); // the engine kept what it needs
  expect(partsIn((await ask({ type: 'frame', frame }, 'frame')).frame).inspect?.bytes?.length).toBeGreaterThan(0);
});

test("the rows of malloc's cache lists, which lie deepest, are given away too", async () => {
  const { run, ask, operate } = makeEngine();
  await run('by_hand');
  const made = await operate({ op: 'mallocAllocate', thread: undefined, size: bytes(60), count: 2 });
  for (const mem of made.mems) await operate({ op: 'mallocFree', thread: undefined, mem });
  const reply = await ask({ type: 'frame', frame: { ...kNothing, ...wanting({ caches: true }) } }, 'frame');
  const rows = partsIn(reply.frame).caches?.cacheLists?.rows ?? [];
  expect(rows.length).toBeGreaterThan(0);
  const buffers = new Set(transfersOf(reply));
  expect(
    rows.every(
      ({ chunks, bytes }) => buffers.has(chunks.buffer as ArrayBuffer) && buffers.has(bytes.buffer as ArrayBuffer),
    ),
  ).toBe(true);
});
