// The figures of the answers beside those that stand on the screen at the same moment: bar, map, time line, panels, explanation. At random
// moments of random traces, and of a program whose break ends inside a page.

import { afterAll, expect, test } from 'vitest';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { formatBytes } from '../../../web/src/base/format.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { freeText } from '../../../web/src/panels/lists/bins.ts';
import type { AnswerTo, QuestionId } from '../../../web/src/protocol/answers.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { makeEngine, partsIn, wanting } from '../engine/harness.ts';
import { Drive } from '../model/drive.ts';

const counts = { moments: 0, betweenCalls: 0, inBins: 0, growths: 0, memory: 0, explained: 0 };
afterAll(() => console.log(`the answers, as the screen beside them: ${JSON.stringify(counts)}`));

type Opened = ReturnType<typeof makeEngine>;

async function open(seed: number, kind: 'run' | 'runMalloc' | 'runSmall'): Promise<Opened> {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(900, 55, undefined);
  else drive[kind](900, 55);
  drive.module.drain();
  const engine = makeEngine();
  await engine.ask({ type: 'openTrace', name: 'random', file: encodeTraceFile(drive.trace, 4, {}) }, 'opened');
  return engine;
}

async function run(scenario: string): Promise<Opened> {
  const engine = makeEngine();
  await engine.run(scenario);
  return engine;
}

async function asked<Ask extends QuestionId>(
  { ask }: Opened,
  id: Ask,
  at: number,
  heap: number,
): Promise<AnswerTo<Ask>> {
  const { answer } = await ask({ type: 'answer', question: { ask: id }, at: seq(at), heap }, 'answered');
  return answer as AnswerTo<Ask>;
}

const screenAt = (engine: Opened, at: number, heap: number) =>
  engine.frame({
    at: { to: 'seq', seq: seq(at) },
    heap,
    map: { origin: addr(0), bytesPerRow: bytes(65_536), rows: 256, columns: 64 },
    timeline: { from: seq(Math.max(0, at - 1)), to: seq(at), columns: 1 },
    ...wanting({ lists: {}, explain: true, sizes: true }),
  });
type Screen = Awaited<ReturnType<typeof screenAt>>;

const countOf = (rows: readonly { readonly count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

/** Free memory: the bar, the list of bins, the sizes, and the two questions about it. */
async function compareFree(engine: Opened, screen: Screen, heap: number, at: number): Promise<void> {
  const what = `event ${at}, heap ${heap}`;
  const { status } = screen;
  const { lists, explain } = partsIn(screen);
  if (lists === undefined) throw new Error(`${what}: no lists`);
  const pins = await asked(engine, 'pins', at, heap);
  const fits = await asked(engine, 'fits', at, heap);
  expect(pins.figures.free_bytes, `${what}: free`).toBe(status.freeBytes);
  expect(fits.figures.top_bytes, `${what}: top`).toBe(pins.figures.top_bytes);
  expect(lists.freeChunks, `${what}: free chunks`).toBeGreaterThanOrEqual(pins.figures.free_pieces);
  const isUnderWay = explain?.title.endsWith('(under way)') ?? false;
  if (isUnderWay) return;
  counts.betweenCalls += 1;
  if (countOf(lists.bins) !== lists.freeChunks) counts.inBins += 1;
  expect(lists.freeChunks, `${what}: free chunks`).toBe(pins.figures.free_pieces);
  expect(freeText(lists.bins, lists.freeChunks).split(' ')[0] ?? '', what).toBe(
    pins.figures.free_pieces === 0 ? '' : pins.figures.free_pieces.toLocaleString('en-US'),
  );
  expect(Math.max(pins.figures.top_bytes, fits.figures.largest_free_bytes), `${what}: largest`).toBe(
    status.largestFree,
  );
}

/** Used memory: the bar, the time line and the two questions about it. */
async function compareUsed(engine: Opened, { status, timeline }: Screen, at: number): Promise<void> {
  const what = `event ${at}`;
  const sum = (key: 'inUse' | 'footprint' | 'chunksInUse') => status.heaps.reduce((all, row) => all + row[key], 0);
  expect([status.inUse, status.footprint], what).toEqual([sum('inUse'), sum('footprint')]);
  expect(timeline?.footprint[0], `${what}: time line`).toBeGreaterThanOrEqual(status.footprint);
  for (const ask of ['holds', 'leaked'] as const) {
    for (const { id, inUse, chunksInUse } of status.heaps) {
      const { figures } = await asked(engine, ask, at, id);
      expect([figures.size_bytes, figures.blocks], `${what}: ${ask}, heap ${id}`).toEqual([inUse, chunksInUse]);
    }
    const { figures } = await asked(engine, ask, at, 0);
    expect([figures.size_bytes, figures.blocks], `${what}: ${ask}`).toEqual([sum('inUse'), sum('chunksInUse')]);
  }
}

/** A growth: the bar and the map at the moment that its call found, and behind the call; and what is said of the call there. */
async function compareGrowth(engine: Opened, at: number): Promise<void> {
  const { figures, evidence, sentence } = await asked(engine, 'grew', at, 0);
  if (figures.latest === null) return;
  counts.growths += 1;
  // The page goes to evidence.event: asked there again, the question has the same answer.
  const again = await asked(engine, 'grew', evidence.event, 0);
  expect(again.sentence, `asked at event ${at}, and again at ${evidence.event}`).toBe(sentence);
  expect([again.figures.growths, again.figures.next_event]).toEqual([figures.growths, figures.next_event]);
  const { heap, call_event, footprint_from_bytes, footprint_to_bytes, memory_from_bytes, memory_to_bytes } =
    figures.latest;
  for (const [event, footprint, memory] of [
    [call_event, footprint_from_bytes, memory_from_bytes],
    [evidence.to_event, footprint_to_bytes, memory_to_bytes],
  ] as const) {
    const screen = await screenAt(engine, event, heap);
    const what = `the growth of event ${figures.latest.event}, seen at ${event}`;
    expect(screen.status.heaps.find(({ id }) => id === heap)?.footprint ?? 0, what).toBe(footprint);
    if (memory === 0) continue;
    counts.memory += 1;
    expect(screen.map?.memoryBytes, `${what}: memory`).toBe(memory);
    const said = partsIn(screen)
      .explain?.prose.map((part) => (typeof part === 'string' ? part : part.text))
      .join('');
    if (said === undefined || event === call_event || said.split('Linear memory grew to').length !== 2) continue;
    counts.explained += 1;
    expect(said, what).toContain(`Linear memory grew to ${formatBytes(memory)}.`);
  }
}

async function compareMoments(engine: Opened, seed: number, moments: number): Promise<void> {
  const { below } = createRandom(seed);
  const { head } = (await engine.frame()).status;
  for (let nth = 0; nth < moments; ++nth) {
    const random = seq(1 + below(head));
    const behind = { to: 'step', from: random, by: 1, unit: 'operation' } as const; // every second moment is between two calls
    const at = nth % 2 === 0 ? random : (await engine.frame({ at: behind })).status.seq;
    const screen = await screenAt(engine, at, 0);
    const heap = screen.status.heaps[below(screen.status.heaps.length)]?.id;
    if (heap === undefined) continue;
    counts.moments += 1;
    await compareFree(engine, await screenAt(engine, at, heap), heap, at);
    await compareUsed(engine, screen, at);
    await compareGrowth(engine, at);
  }
}

test.each([
  [21, 'run'],
  [22, 'run'],
  [23, 'runMalloc'],
  [24, 'runSmall'],
] as const)('an answer and the screen beside it have the same figures, seed %i, %s', async (seed, kind) => {
  await compareMoments(await open(seed, kind), seed, kind === 'runSmall' ? 20 : 60);
});

const missing: Readonly<Record<string, string | null>> = await readAvailability();

test.each(['sqlite', 'lua', 'malloc'])('so they have in %s, whose memory is a break that moves', async (scenario) => {
  if (typeof missing[scenario] === 'string') return;
  await compareMoments(await run(scenario), 25, 25);
});
