// Every figure and every state on the screen at random moments of random traces: the bar, the map, the strip beside it, the words beside
// the pointer, the inspector. Each is asked for apart, as the page does, and all have to say the same.

import { afterAll, expect, it } from 'vitest';
import { addr, bytes, type Seq, seq } from '../../../web/src/base/brand.ts';
import { formatAddress, formatBytes } from '../../../web/src/base/format.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { findAt } from '../../../web/src/map/map_marks.ts';
import { describe as describeAt } from '../../../web/src/map/map_words.ts';
import { headerParts, rowsOf, stateLine } from '../../../web/src/panels/chunk/inspector_words.ts';
import type { InspectFrame } from '../../../web/src/panels/chunk/part.ts';
import type { Frame, TimelineFrame } from '../../../web/src/protocol/frames.ts';
import { type ChunkMarks, ChunkState, type MapFrame, type MapViewport } from '../../../web/src/protocol/map_frames.ts';
import type { FrameRequest } from '../../../web/src/protocol/messages.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { someOf } from '../../every.ts';
import { kTruthSeeds } from '../../truth_seeds.ts';
import { makeEngine, partsIn, wanting } from '../engine/harness.ts';
import { Drive } from '../model/drive.ts';

const counts = { moments: 0, hovered: 0, nodes: 0, free: 0, cached: 0, links: 0, births: 0, lives: 0, compared: 0 };
afterAll(() => console.log(`what stands on the screen, as all else on it: ${JSON.stringify(counts)}`));

const kUsed: readonly number[] = [ChunkState.inUse, ChunkState.poolBlock];
const kStateWords: Readonly<Record<number, readonly [map: string, inspector: string]>> = {
  [ChunkState.free]: ['free', 'free'],
  [ChunkState.inUse]: ['in use', 'in use'],
  [ChunkState.top]: ['top', 'top'],
  [ChunkState.victim]: ['free, designated victim', 'designated victim'],
  [ChunkState.poolBlock]: ['pool block', 'in use, holds a block'],
  [ChunkState.cached]: ['cached', 'cached'],
};

async function open(drive: Drive) {
  const engine = makeEngine();
  await engine.ask({ type: 'openTrace', name: 'random', file: encodeTraceFile(drive.trace, 4, {}) }, 'opened');
  return engine;
}
type Opened = Awaited<ReturnType<typeof open>>;

interface Screen {
  readonly at: Seq;
  readonly frame: Frame;
  readonly map: MapFrame;
  readonly chunks: ChunkMarks;
  readonly what: string;
}

/** The whole of memory, in rows as wide as the heap needs. */
async function screenAt(engine: Opened, at: number): Promise<Screen> {
  const viewport: MapViewport = { origin: addr(0), bytesPerRow: bytes(65_536), rows: 256, columns: 65_536 };
  const frame = await engine.frame({ at: { to: 'seq', seq: seq(at) }, map: viewport, overview: 97 });
  const { map, status } = frame;
  if (map?.chunks === undefined) throw new Error(`no chunks at event ${at}`);
  expect(status.damage, `event ${at}`).toBeUndefined();
  return { at: seq(at), frame, map, chunks: map.chunks, what: `event ${at}` };
}

const sumOf = ({ chunks }: Screen, heap: number, states: readonly number[]): number =>
  chunks.size.reduce(
    (sum, size, index) =>
      chunks.heap[index] === heap && states.includes(chunks.state[index] ?? -1) ? sum + size : sum,
    0,
  );

/** The bar: of the heap beside it, what the map shows of that heap. */
function compareBar(screen: Screen): void {
  const { frame, map, what } = screen;
  const [heap] = frame.status.heaps;
  if (heap === undefined) return;
  const segments = map.segments.filter((segment) => segment.heap === heap.id);
  expect(heap.inUse, `${what}: in use`).toBe(sumOf(screen, heap.id, kUsed));
  expect(heap.cached, `${what}: cached`).toBe(sumOf(screen, heap.id, [ChunkState.cached]));
  expect(heap.footprint, `${what}: footprint`).toBe(segments.reduce((sum, { size }) => sum + size, 0));
  expect(frame.status.fragmentation, what).toBeCloseTo(
    frame.status.freeBytes === 0 ? 0 : 1 - frame.status.largestFree / frame.status.freeBytes,
  );
  expect(frame.status.largestFree, what).toBeLessThanOrEqual(frame.status.freeBytes);
}

/** The strip: the same bytes as the map, as far as a share of 255 steps can say. */
function compareStrip({ frame, chunks, what }: Screen): void {
  const { overview } = frame;
  if (overview === undefined) return;
  const { cells, cellBytes } = overview;
  const used = (shares: Uint8Array): number => shares.reduce((sum, share) => sum + (share / 255) * cellBytes, 0);
  const all = chunks.size.reduce((sum, size, at) => sum + (kUsed.includes(chunks.state[at] ?? -1) ? size : 0), 0);
  const seen = used(cells.inUse) + used(cells.pool);
  expect(Math.abs(seen - all), `${what}: the strip`).toBeLessThanOrEqual((2 * cells.inUse.length * cellBytes) / 255);
}

/** What stands beside the pointer and in the inspector, of one address. */
async function compareAddress(engine: Opened, at: number, screen: Screen, address: number): Promise<void> {
  const { map, what: when } = screen;
  const { inspect } = partsIn(
    await engine.frame({ at: { to: 'seq', seq: seq(at) }, ...wanting({ inspect: addr(address) }) }),
  );
  const found = findAt(map, address);
  const hovered = describeAt(map, found, address);
  if (inspect === undefined || found.chunk === undefined || hovered === undefined) return;
  const what = `${when}, ${formatAddress(addr(address))}: ${hovered.lines[0]} | ${stateLine(inspect)}`;
  counts.hovered += 1;
  const [onMap, inPanel] = kStateWords[found.chunk.state] ?? ['', ''];
  if (inspect.slab?.part === 'own') return; // on the map the slab's words are a mark of their own, here they are the slab
  expect([inspect.chunk, inspect.size, inspect.state], what).toEqual([
    found.chunk.address,
    found.chunk.size,
    found.chunk.state,
  ]);
  if (found.node !== undefined) {
    counts.nodes += 1;
    expect(inspect.node, what).toMatchObject({ address: found.node.address, size: found.node.size });
    expect(hovered.lines[0]?.includes('in use'), what).toBe(inspect.node?.inUse);
    expect(stateLine(inspect).startsWith(inspect.node?.inUse ? 'in use' : 'free'), what).toBe(true);
    return;
  }
  const shown =
    inspect.slab === undefined || inspect.slab.part === 'block'
      ? onMap
      : inspect.slab.blocks === 0
        ? 'where malloc notes slabs'
        : 'the rest of a slab';
  expect(hovered.lines[0], what).toBe(`${shown}, ${formatBytes(inspect.size)}`);
  expect(hovered.lines.includes('in a slab'), what).toBe(inspect.slab?.part === 'block');
  if (inspect.what !== 'chunk') return;
  expect(stateLine(inspect).startsWith(inPanel), what).toBe(true);
  compareInspector(inspect, screen, at, what);
}

function compareHeader(inspect: InspectFrame, what: string): void {
  const [size, , , inUse] = headerParts(inspect);
  expect(Number.parseInt(size?.text.split('0x')[1] ?? '', 16), `${what}: header`).toBe(inspect.size);
  expect(inUse?.text.endsWith('1'), `${what}: C`).toBe(kUsed.includes(inspect.state));
}

function compareInspector(inspect: InspectFrame, { chunks }: Screen, at: number, what: string): void {
  const index = chunks.address.indexOf(inspect.chunk);
  const rows = new Map(rowsOf(inspect).map(({ name, text }) => [name, text]));
  expect(rows.get('size'), what).toBe(formatBytes(chunks.size[index] as never));
  const { previous, next } = inspect;
  if (previous !== undefined)
    expect([previous.address, previous.size, previous.state], `${what}: previous`).toEqual([
      chunks.address[index - 1],
      chunks.size[index - 1],
      chunks.state[index - 1],
    ]);
  if (next !== undefined)
    expect([next.address, next.size, next.state], `${what}: next`).toEqual([
      chunks.address[index + 1],
      chunks.size[index + 1],
      chunks.state[index + 1],
    ]);
  if (inspect.slab !== undefined) expect([inspect.headerWord, inspect.usable], what).toEqual([0, inspect.size]);
  else compareHeader(inspect, what);
  if (inspect.bin !== undefined) {
    counts.free += 1;
    expect(inspect.size, `${what}: bin`).toBeGreaterThanOrEqual(inspect.bin.low);
    expect(inspect.size, `${what}: bin`).toBeLessThanOrEqual(inspect.bin.high);
    if (inspect.nextFree !== undefined) {
      counts.links += 1;
      const linked = chunks.address.indexOf(inspect.nextFree);
      expect(chunks.state[linked], `${what}: next free`).toBe(ChunkState.free);
    }
  }
  if (inspect.cached !== undefined) {
    counts.cached += 1;
    expect(inspect.state, what).toBe(ChunkState.cached);
  }
  if (inspect.request !== undefined) {
    counts.births += 1;
    expect(inspect.request, `${what}: request`).toBeLessThanOrEqual(inspect.usable);
    expect(inspect.bornAt, `${what}: born`).toBeLessThanOrEqual(at);
  }
  for (const line of inspect.life) {
    counts.lives += 1;
    expect(line.seq, `${what}: life`).toBeLessThanOrEqual(at); // nothing of the future stands there
  }
}

/** The time line: at the moment exactly what the bar has, and in the columns around it no less and no more than that. */
async function compareTimeline(engine: Opened, { at, frame: { status }, what }: Screen, random: number): Promise<void> {
  const columns = 1 + (random % 9);
  const [from, to] = [seq(Math.max(0, at - (random % 4000))), seq(at + ((random >> 3) % 4000))];
  const timelineOf = async (timeline: FrameRequest['timeline']) =>
    (await engine.frame({ at: { to: 'seq', seq: at }, timeline })).timeline as TimelineFrame;
  const here = await timelineOf({ from: at, to: at, columns: 1 });
  const shown = [here.inUseMin[0], here.inUseMax[0], here.occupiedMax[0], here.footprint[0]];
  const occupied = status.inUse + status.cached;
  expect(shown, what).toEqual([status.inUse, status.inUse, occupied, status.footprint]);
  const around = await timelineOf({ from, to, columns });
  const share = (at - around.from) / Math.max(1, around.to - around.from);
  const column = Math.min(columns - 1, Math.floor(share * columns));
  const least = Math.min(...around.inUseMin.slice(Math.max(0, column - 1), column + 2));
  const most = (values: Float64Array) => Math.max(...values.slice(Math.max(0, column - 1), column + 2));
  expect(least, what).toBeLessThanOrEqual(status.inUse);
  expect(most(around.inUseMax), what).toBeGreaterThanOrEqual(status.inUse);
  expect(most(around.occupiedMax), what).toBeGreaterThanOrEqual(occupied);
  expect(most(around.footprint), what).toBeGreaterThanOrEqual(status.footprint);
}

/** Two moments compared: what is in use at each is what the map shows there. */
async function compareMoments(engine: Opened, one: Screen, other: Screen, random: number): Promise<void> {
  const [since, now] = [one.at, other.at];
  const { compare } = partsIn(await engine.frame({ at: { to: 'seq', seq: now }, ...wanting({ since }) }));
  if (compare === undefined) throw new Error(`nothing compared at event ${now}`);
  const inUse = ({ chunks }: Screen): number =>
    chunks.size.reduce((sum, size, at) => sum + (kUsed.includes(chunks.state[at] ?? -1) ? size : 0), 0);
  const what = `events ${since} and ${now}`;
  expect(compare.gone.bytes + compare.both.bytes - compare.grown, what).toBe(inUse(one));
  expect(compare.added.bytes + compare.both.bytes, what).toBe(inUse(other));
  const { largest } = compare.added;
  const shown = largest[random % largest.length];
  if (shown === undefined) return;
  counts.compared += 1;
  const at = other.chunks.address.indexOf(shown.address);
  expect([other.chunks.size[at], kUsed.includes(other.chunks.state[at] ?? -1)], what).toEqual([shown.size, true]);
}

const kRuns: readonly (readonly [seed: number, kind: 'run' | 'runMalloc' | 'runSmall'])[] =
  kTruthSeeds ??
  someOf<readonly [number, 'run' | 'runMalloc' | 'runSmall']>(
    [
      [11, 'run'],
      [345692, 'runMalloc'], // a realloc under way that has cut its chunk
      [14, 'runSmall'],
      [12, 'run'],
      [13, 'runMalloc'],
    ],
    3,
  );

it.each(kRuns)('bar, map, strip, pointer and inspector say the same, seed %i, %s', async (seed, kind) => {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(900, 55, undefined);
  else drive[kind](900, 55);
  drive.module.drain();
  const engine = await open(drive);
  const { below } = createRandom(seed);
  let before: Screen | undefined;
  for (let nth = 0; nth < (kind === 'runSmall' ? 30 : 120); ++nth) {
    const at = 1 + below(drive.trace.count);
    const screen = await screenAt(engine, at);
    counts.moments += 1;
    compareBar(screen);
    compareStrip(screen);
    await compareTimeline(engine, screen, below(1 << 20));
    if (before !== undefined) await compareMoments(engine, before, screen, below(10));
    before = screen;
    const { chunks } = screen;
    for (let pointed = 0; pointed < 6 && chunks.count > 0; ++pointed) {
      const chunk = below(chunks.count);
      await compareAddress(
        engine,
        at,
        screen,
        (chunks.address[chunk] ?? 0) + below(Math.min(chunks.size[chunk] ?? 1, 4096)),
      );
    }
  }
});
