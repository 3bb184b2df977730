// Bytes on the map, from a real heap: where they are legible, and what stands there.

import { expect, test } from 'vitest';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { kDarkTheme } from '../../../web/src/dom/palette.ts';
import { groupColours } from '../../../web/src/map/group_colours.ts';
import { bytesOf } from '../../../web/src/map/map_bytes.ts';
import type { MapFrame, MapViewport } from '../../../web/src/protocol/map_frames.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { makeEngine } from '../engine/harness.ts';

async function heapWithWords() {
  const engine = makeEngine();
  await engine.run('by_hand');
  const allocate = async (size: number) =>
    (await engine.operate({ op: 'allocate', size: bytes(size) })).mems[0] ?? addr(0);
  const [one, gone, last] = [await allocate(60), await allocate(60), await allocate(60)];
  await engine.operate({ op: 'write', at: one, word: 0xdead_beef });
  await engine.operate({ op: 'deallocate', mem: gone });
  const viewport = (bytesPerRow: number): MapViewport => ({
    origin: addr(one - (one % 16)),
    bytesPerRow: bytes(bytesPerRow),
    rows: 16,
    columns: 640,
  });
  return { ...engine, one, gone, last, viewport };
}

const mapOf = async (frame: Promise<{ readonly map: MapFrame | undefined }>): Promise<MapFrame> => {
  const { map } = await frame;
  if (map === undefined) throw new Error('there is no map');
  return map;
};

test('the bytes of every block in view stand behind its header, those of a free chunk between links and foot', async () => {
  const { frame, viewport, one, gone, last } = await heapWithWords();
  const runs = bytesOf(await mapOf(frame({ map: viewport(16) })), kDarkTheme);
  expect(runs.map(({ from }) => from)).toEqual(expect.arrayContaining([one, gone + 8, last]));
  const at = (address: number) => runs.find(({ from }) => from === address);
  expect([...(at(one)?.values.subarray(0, 4) ?? [])]).toEqual([0xef, 0xbe, 0xad, 0xde]);
  expect(at(gone + 8)?.values.length).toBe(64 - 3 * 4 - 4);
});

test('farther away, or at a moment before, none are read', async () => {
  const { frame, viewport } = await heapWithWords();
  expect((await mapOf(frame({ map: viewport(64) }))).bytes).toBeUndefined();
  const before = await mapOf(frame({ map: viewport(16), at: { to: 'seq', seq: seq(20) } }));
  expect(before.chunks?.state).toContain(ChunkState.inUse);
  expect([before.bytes, bytesOf(before, kDarkTheme)]).toEqual([undefined, []]);
});

test('the bytes of a block stand on the colour that its chunk has: of its age, of its group, of what is free', async () => {
  const { frame, viewport, one, gone } = await heapWithWords();
  const grounds = async (request: Parameters<typeof frame>[0]) => {
    const map = await mapOf(frame({ map: viewport(16), ...request }));
    const runs = bytesOf(map, kDarkTheme);
    const groundAt = (address: number) => runs.find(({ from }) => from === address)?.ground;
    return { map, block: groundAt(one), free: groundAt(gone + 8) };
  };
  const byAge = await grounds({});
  expect(kDarkTheme.ageColours).toContain(byAge.block);
  const bySize = await grounds({ colour: 'size' });
  const { groups, chunks } = bySize.map;
  const group = groups?.group[chunks?.address.indexOf(one - 4) ?? -1] ?? 0;
  expect(group).toBeGreaterThan(0);
  expect(bySize.block).toBe(groupColours(kDarkTheme, 'size').colours[group]);
  expect(bySize.block).not.toBe(byAge.block);
  expect([byAge.free, bySize.free]).toEqual([kDarkTheme.css.free, kDarkTheme.css.free]);
});
