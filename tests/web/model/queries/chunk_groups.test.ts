import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { groupChunks } from '../../../../web/src/model/queries/chunk_groups.ts';
import { queryMap } from '../../../../web/src/model/queries/query_map.ts';
import { queryOverview } from '../../../../web/src/model/queries/query_overview.ts';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { Drive } from '../drive.ts';
import { withSites } from '../sited_trace.ts';

const drive = await Drive.start(31);
drive.run(2_000, 90);
drive.module.drain();
const stackOf = (operation: number) => ['main@app.c:3', `leaf_${operation % 3}@src/app.c:9`, 'operator new', 'malloc'];
const history = new History(withSites(drive.trace, stackOf));
history.fold();
const state = history.head;
const from = Math.min(...state.segments.map(({ base }) => base));
const to = Math.max(...state.segments.map(({ base, size }) => base + size));
const viewport = { origin: addr(from), bytesPerRow: bytes(4096), rows: Math.ceil((to - from) / 4096), columns: 800 };
const kCells = 400; // finer than the pages that summaries are of
const pages = new PageSummary();
const { chunks } = queryMap(state, pages, viewport, { memoryBytes: to, touchedNode: undefined });
if (chunks === undefined) throw new Error('too many chunks for single ones');

test('by size: each chunk in use is in the group of its size, every other one in none', () => {
  const { group, names } = groupChunks(history, state, chunks, 'size');
  for (let nth = 0; nth < chunks.count; ++nth) {
    const size = chunks.size[nth] ?? 0;
    const wanted = chunks.state[nth] !== ChunkState.inUse ? 0 : Math.max(1, Math.ceil((Math.log2(size) - 6) / 2) + 1);
    expect(group[nth]).toBe(Math.min(wanted, names.length));
  }
});

test("by call site: a chunk has the name of the program's own function that made it", () => {
  const { group, names } = groupChunks(history, state, chunks, 'site');
  expect(names.filter((name) => name !== '').sort()).toEqual(['leaf_0 (app.c)', 'leaf_1 (app.c)', 'leaf_2 (app.c)']);
  let named = 0;
  for (let nth = 0; nth < chunks.count; ++nth) {
    const born = state.born[state.granuleAt(chunks.address[nth] ?? 0)] ?? 0;
    const leaf = history.sites.stack(history.sites.ofEvent(born, history.operations))[2];
    const name = names[(group[nth] ?? 0) - 1];
    expect(name).toBe(chunks.state[nth] === ChunkState.inUse ? leaf?.replace('@src/app.c:9', ' (app.c)') : undefined);
    if (name !== undefined) named++;
  }
  expect(named).toBeGreaterThan(100);
});

test('the overview counts every byte of chunks in use once', () => {
  const overview = queryOverview(state, pages, kCells);
  if (overview === undefined) throw new Error('there are segments');
  expect([overview.from, overview.to]).toEqual([from, to]);
  expect(overview.from + overview.cellBytes * kCells).toBeGreaterThanOrEqual(overview.to);
  const cells = new Float64Array(kCells);
  for (const segment of state.segments)
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunks.state[chunks.address.indexOf(at)];
      if (kind !== ChunkState.inUse) return;
      for (let byte = at; byte < at + state.sizeOf(granule); byte += 4) {
        const cell = Math.floor((byte - from) / overview.cellBytes);
        cells[cell] = (cells[cell] ?? 0) + 4;
      }
    });
  overview.cells.inUse.forEach((share, cell) => {
    expect(Math.abs(share - ((cells[cell] ?? 0) / overview.cellBytes) * 255)).toBeLessThanOrEqual(1);
  });
});

test('a name keeps its place while others come, though none of its chunks is in view', () => {
  const own = new History(withSites(drive.trace, stackOf));
  own.fold();
  const all = groupChunks(own, own.head, chunks, 'site');
  const only = (name: string) => {
    const nths = [...all.group.keys()].filter((nth) => all.names[(all.group[nth] ?? 0) - 1] === name);
    const pick = (values: ArrayLike<number>) => Uint32Array.from(nths, (nth) => values[nth] ?? 0);
    const { address, size, state: states } = chunks;
    const some = {
      ...chunks,
      count: nths.length,
      address: pick(address),
      size: pick(size),
      state: Uint8Array.from(pick(states)),
    };
    return some;
  };
  const anew = new History(withSites(drive.trace, stackOf));
  anew.fold();
  const namesOf = (name: string) => groupChunks(anew, anew.head, only(name), 'site').names.slice(0, 2);
  expect(namesOf('leaf_1 (app.c)')[0]).toBe('leaf_1 (app.c)');
  expect(namesOf('leaf_0 (app.c)')).toEqual(['leaf_1 (app.c)', 'leaf_0 (app.c)']);
});
