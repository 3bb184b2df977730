// One figure for one thing: bar, Heaps, Sizes, Cache lists, Lists, Sites, Pins and the map count the same chunks and bytes, heap by heap, at
// random moments of scenarios and of random traces. Each place counts in its own way, so that a place with another notion of what a cached
// chunk or a free one is differs here.

import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { kCaches } from '../../../web/src/panels/heaps/part.ts';
import { kLists } from '../../../web/src/panels/lists/part.ts';
import { kPins } from '../../../web/src/panels/pins/part.ts';
import { kSites } from '../../../web/src/panels/sites/part.ts';
import { kSizes, type SizesFrame } from '../../../web/src/panels/sizes/part.ts';
import type { AnswerTo } from '../../../web/src/protocol/answers.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import type { Frame, HeapRow } from '../../../web/src/protocol/frames.ts';
import { ChunkState, kOwnWords, kSlabRest, kSlabTable } from '../../../web/src/protocol/map_frames.ts';
import { partOf, want } from '../../../web/src/protocol/parts.ts';
import { detailOf, heapOf, type Trace } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { someOf } from '../../every.ts';
import { kTruthSeeds } from '../../truth_seeds.ts';
import { RawHeaps } from '../answers/growth_reading.ts';
import { makeEngine } from '../engine/harness.ts';
import { Drive } from '../model/drive.ts';

const counts = { moments: 0, heaps: 0, caches: 0, slabs: 0, classes: 0, sites: 0, pins: 0, raw: 0, goingBack: 0 };
afterAll(() => console.log(`figures that stand in several places: ${JSON.stringify(counts)}`));

type Opened = ReturnType<typeof makeEngine>;
type Rows = SizesFrame['inUse'];
const kNobodys: readonly number[] = [kOwnWords, kSlabRest, kSlabTable];

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((all, value) => all + value, 0);
const countOf = (rows: Rows): number => sum(rows.map(({ count }) => count));
const bytesOf = (rows: Rows): number => sum(rows.map((row) => row.bytes));

const frameOf = ({ frame }: Opened, at: number, heap: number): Promise<Frame> =>
  frame({
    at: { to: 'seq', seq: seq(at) },
    heap,
    map: { origin: addr(0), bytesPerRow: bytes(65_536), rows: 1024, columns: 65_536 },
    parts: {
      ...want(kSizes, true),
      ...want(kCaches, true),
      ...want(kLists, { bin: undefined, pool: undefined, blocks: false }),
      ...want(kSites, { heap, libraries: false }),
      ...want(kPins, { selected: undefined }),
    },
  });

function compareSizes({ status, parts }: Frame, row: HeapRow, what: string): void {
  const sizes = partOf(parts, kSizes);
  const lists = partOf(parts, kLists);
  if (sizes === undefined || lists === undefined) throw new Error(`${what}: no sizes`);
  expect([countOf(sizes.inUse), bytesOf(sizes.inUse)], `${what}: in use`).toEqual([row.chunksInUse, row.inUse]);
  expect([countOf(sizes.ages), bytesOf(sizes.ages)], `${what}: ages`).toEqual([row.chunksInUse, row.inUse]);
  expect(countOf(sizes.cached), `${what}: cached chunks`).toBe(row.chunksCached);
  expect(bytesOf(sizes.cached) + sizes.slabWords, `${what}: cached bytes`).toBe(row.cached);
  if (!status.freeLists) return;
  expect([countOf(sizes.free), bytesOf(sizes.free)], `${what}: free`).toEqual([lists.freeChunks, status.freeBytes]);
  expect(Math.max(0, ...sizes.free.map(({ largest }) => largest)), `${what}: largest free`).toBe(status.largestFree);
  expect(lists.poolsTotal, `${what}: pools`).toBe(row.pools);
}

function compareCaches({ parts }: Frame, row: HeapRow, what: string): void {
  const caches = partOf(parts, kCaches);
  const lists = caches?.cacheLists;
  const sizes = partOf(parts, kSizes);
  if (lists === undefined) expect([row.chunksCached, row.cached], `${what}: no cache`).toEqual([0, 0]);
  else {
    counts.caches += 1;
    if (lists.slabs.count > 0) counts.slabs += 1;
    expect([lists.chunks, lists.bytes], `${what}: cache lists`).toEqual([row.chunksCached, row.cached]);
    expect(sum(lists.rows.map(({ chunks }) => sum(chunks))), `${what}: rows`).toBe(lists.chunks);
    expect(lists.slabs.ownBytes, `${what}: slabs`).toBe(sizes?.slabWords);
  }
  const pools = partOf(parts, kLists)?.pools ?? [];
  for (const { pool, nodes, central, inUse, cached } of caches?.classes ?? []) {
    counts.classes += 1;
    const listed = pools.find((one) => one.pool === pool);
    const free = central + sum(cached);
    expect([nodes, inUse, free], `${what}: class`).toEqual([inUse + free, listed?.nodesInUse, listed?.nodesFree]);
  }
}

function compareMap({ map }: Frame, row: HeapRow, what: string): void {
  const chunks = map?.chunks;
  if (chunks === undefined) return; // too many to be told apart
  let [used, cached] = [0, 0];
  for (let i = 0; i < chunks.count; ++i) {
    if (chunks.heap[i] !== row.id) continue;
    if (chunks.state[i] === ChunkState.inUse || chunks.state[i] === ChunkState.poolBlock) ++used;
    if (chunks.state[i] === ChunkState.cached && !kNobodys.includes(chunks.slab?.[i] ?? 0)) ++cached;
  }
  expect([used, cached], `${what}: chunks on the map`).toEqual([row.chunksInUse, row.chunksCached]);
  const segments = map?.segments.filter(({ heap }) => heap === row.id) ?? [];
  expect([segments.length, sum(segments.map(({ size }) => size))], what).toEqual([row.segments, row.footprint]);
}

async function compareAnswers({ ask }: Opened, { parts }: Frame, row: HeapRow, at: number): Promise<void> {
  const what = `event ${at}, heap ${row.id}`;
  const asked = async (id: 'holds' | 'pins') =>
    (await ask({ type: 'answer', question: { ask: id }, at: seq(at), heap: row.id }, 'answered')).answer;
  const sites = partOf(parts, kSites);
  const holds = (await asked('holds')) as AnswerTo<'holds'>;
  if (sites?.known === true) {
    counts.sites += 1;
    expect(sites.bytes, `${what}: sites`).toBe(holds.figures.size_bytes);
    expect(sum(sites.rows.map(({ count }) => count)), `${what}: sites`).toBeLessThanOrEqual(row.chunksInUse);
  }
  expect([holds.figures.blocks, holds.figures.size_bytes], what).toEqual([row.chunksInUse, row.inUse]);
  const pins = (await asked('pins')) as AnswerTo<'pins'>;
  const panel = partOf(parts, kPins);
  if (!pins.answered || panel === undefined) return;
  counts.pins += 1;
  expect([panel.hole.size, panel.top], `${what}: pins`).toEqual([pins.figures.hole_bytes, pins.figures.top_bytes]);
}

const kWord = 4;
const kPage = 65_536;
/** Of malloc's events about its cache. */
const kMallocs: readonly number[] = [EventKind.chunkCached, EventKind.chunkReused, EventKind.slabMade];
/** Operations of one event, outside of every call (operations.ts, O3). */
const kWhole: readonly number[] = [
  EventKind.nodeTaken,
  EventKind.nodeReturned,
  EventKind.chunkCached,
  EventKind.chunkReused,
];

/** The bar, the legend and the count of operations beside a reading of the raw events by hand, which shares nothing with the model. */
async function compareRaw(engine: Opened, trace: Trace, seed: number, moments: number): Promise<void> {
  const { below } = createRandom(seed);
  const kinds = new Set(Array.from({ length: trace.count }, (_, event) => trace.kind(event)));
  const raw = new RawHeaps(kWord);
  let [event, operations, depth] = [0, 0, 0];
  const at = Array.from({ length: moments }, () => below(trace.count + 1)).sort((one, two) => one - two);
  for (const moment of at) {
    for (; event < moment; ++event) {
      const [head, kind] = [trace.head(event), trace.kind(event)];
      raw.apply(kind, heapOf(head), trace.a(event), trace.b(event), trace.c(event), detailOf(head));
      if (kind === EventKind.opBegun && depth++ === 0) operations += 1;
      else if (kind === EventKind.opEnded) depth -= 1;
      else if (depth === 0 && kWhole.includes(kind)) operations += 1;
    }
    const { status } = await frameOf(engine, moment, 0);
    const what = `event ${moment}`;
    counts.raw += 1;
    expect([status.operations, status.head], what).toEqual([operations, trace.count]);
    expect(status.pools, `${what}: the legend`).toBe(kinds.has(EventKind.poolCreated));
    expect(status.malloc, `${what}: the legend`).toBe([...kinds].some((kind) => kMallocs.includes(kind)));
    for (const row of status.heaps) {
      const used = raw.of(row.id).flatMap((chunks) => chunks.filter((chunk) => chunk.used).map(({ size }) => size));
      expect([row.footprint, row.inUse + row.cached], `${what}, heap ${row.id}`).toEqual([
        raw.footprint(row.id),
        sum(used),
      ]);
    }
    const free = [...raw.chunks].filter(([, chunk]) => !chunk.used);
    const pages = free.map(([address, { size }]) => {
      const first = Math.ceil((address + 3 * kWord) / kPage);
      return Math.max(0, Math.floor((address + size - kWord) / kPage) - first) * kPage;
    });
    expect(status.returnable, `${what}: could go back`).toBe(sum(pages));
    if (status.returnable > 0) counts.goingBack += 1;
  }
}

async function compareMoments(engine: Opened, seed: number, moments: number): Promise<void> {
  const { below } = createRandom(seed);
  const { head } = (await engine.frame()).status;
  for (let nth = 0; nth < moments; ++nth) {
    const at = nth === 0 ? head : 1 + below(head);
    const { heaps } = (await frameOf(engine, at, 0)).status;
    counts.moments += 1;
    for (const { id } of heaps.slice(0, 4)) {
      const frame = await frameOf(engine, at, id);
      const row = frame.status.heaps.find((one) => one.id === id);
      if (row === undefined) throw new Error(`event ${at}: no heap ${id}`);
      const what = `event ${at}, heap ${id}`;
      counts.heaps += 1;
      compareSizes(frame, row, what);
      compareCaches(frame, row, what);
      compareMap(frame, row, what);
      await compareAnswers(engine, frame, row, at);
    }
  }
}

const kRuns =
  kTruthSeeds ??
  someOf(
    [
      [902, 'runMalloc'], // a chunk that top has not joined yet
      [31, 'run'],
      [32, 'runMalloc'],
      [33, 'runMalloc'],
      [34, 'runSmall'],
    ] as const,
    2,
  );

test.each(kRuns)('every place has the same figures, seed %i, %s', async (seed, kind) => {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(900, 55, seed % 2 === 0 ? undefined : 3);
  else drive[kind](900, 55);
  drive.module.drain();
  const engine = makeEngine();
  await engine.ask({ type: 'openTrace', name: 'random', file: encodeTraceFile(drive.trace, 4, {}) }, 'opened');
  await compareMoments(engine, seed, 20);
  await compareRaw(engine, drive.trace, seed, 40);
});

const missing: Readonly<Record<string, string | null>> = await readAvailability();

test.each(someOf(['malloc', 'sqlite', 'thread_caches', 'memory_pools', 'mixed_load'], 2))(
  'so it is in %s',
  async (scenario) => {
    if (typeof missing[scenario] === 'string') return;
    const engine = makeEngine();
    await engine.run(scenario);
    await compareMoments(engine, 35, 12);
  },
);

test.each(['words', 'handles'])('so it is in a recorded program, %s', async (name) => {
  const engine = makeEngine();
  const file = new Uint8Array(await readFile(`web/public/traces/${name}.hgtrace`)).buffer;
  await engine.ask({ type: 'openTrace', name, file }, 'opened');
  await compareMoments(engine, 36, 12);
  expect(counts.sites).toBeGreaterThan(0);
});
