// The explanation beside the map, at random moments of random traces: what it says was given back is not in use, what is only to be
// given back still is, results appear when there are any, its figures are the state's, and the lit line is the moment's.

import { afterAll, expect, it } from 'vitest';
import { seq } from '../../../../web/src/base/brand.ts';
import { formatAddress, formatBytes } from '../../../../web/src/base/format.ts';
import { createRandom } from '../../../../web/src/base/random.ts';
import { chunkStateOf } from '../../../../web/src/model/state/chunk_at.ts';
import type { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { Model } from '../../../../web/src/model/time/model.ts';
import { titleAt } from '../../../../web/src/panels/chunk/explain.ts';
import type { ExplainFrame } from '../../../../web/src/panels/chunk/part.ts';
import { explainQuery } from '../../../../web/src/panels/chunk/query.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { detailOf, type Trace } from '../../../../web/src/trace/trace.ts';
import { kEvery } from '../../../every.ts';
import { kTruthSeeds } from '../../../truth_seeds.ts';
import { Drive } from '../../model/drive.ts';

const counts = {
  moments: 0,
  given: 0,
  toGive: 0,
  retired: 0,
  retiring: 0,
  resized: 0,
  placed: 0,
  victims: 0,
  grew: 0,
  lines: 0,
  searches: 0,
};
afterAll(() => console.log(`explanations, as the state: ${JSON.stringify(counts)}`));

const addressIn = (text: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : parse(found);
};

const parse = (address = ''): number => Number.parseInt(address.replace('_', ''), 16);
const kUsed: readonly number[] = [ChunkState.inUse, ChunkState.poolBlock];

function isInUse(state: HeapState, mem: number): boolean {
  const granule = state.granuleAt(mem - 4); // of a slab's block too: its address names the word before it
  if ((state.chunks[granule] ?? 0) === 0 || state.addressOf(granule) !== mem - 4) return false;
  return chunkStateOf(state, granule) === ChunkState.inUse;
}

/** The call around the last event that has happened: its first event, and whether it has ended. Read by hand. */
function callAt(trace: Trace, at: number): { readonly begin: number; readonly hasEnded: boolean } | undefined {
  let depth = 0;
  let begin: number | undefined;
  let hasEnded = false;
  for (let event = Math.max(0, at - 4000); event < at; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.opBegun && depth++ === 0) {
      begin = event;
      hasEnded = false;
    } else if (kind === EventKind.opEnded && depth > 0 && --depth === 0) hasEnded = true;
  }
  return begin === undefined ? undefined : { begin, hasEnded };
}

/** Whether a slab comes before the end of the call, of which `from` is inside. */
function makesSlab(trace: Trace, from: number): boolean {
  for (let event = from, depth = 1; depth > 0 && event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.slabMade) return true;
    if (kind === EventKind.opBegun) depth += 1;
    if (kind === EventKind.opEnded) depth -= 1;
  }
  return false;
}

function compare(model: Model, at: number): void {
  const { trace, history } = model;
  explainQuery.prepare?.(model, true, at);
  const { state } = model.at(at);
  const explain = explainQuery.query({ history, state, heap: undefined, memory: undefined }, true);
  const call = callAt(trace, at);
  if (explain === undefined || call === undefined || explain.lines[0]?.kind !== EventKind.opBegun) return;
  const story = explain.prose.map(({ text }) => text).join('');
  const what = `event ${at}: ${explain.title} | ${story}`;
  counts.moments += 1;
  expect(explain.title.endsWith('(under way)'), what).toBe(!call.hasEnded);
  expect(explain.at, what).toBe(at);
  compareLines(explain, call.begin, at, what);
  compareBlocks(call.hasEnded, state, story, what);
  // A search has only found what serves: nothing of it is taken or cut before the next event.
  if (trace.kind(at - 1) === EventKind.binSearched) {
    counts.searches += 1;
    expect(story, what).not.toMatch(/(was taken whole|was cut, to stay|gave)[^:;.]*\.$/);
    if (detailOf(trace.head(call.begin)) === Op.allocate)
      expect(story.includes('A slab is to be made'), what).toBe(makesSlab(trace, at));
  }
  const grew = [...Array(at - call.begin).keys()].some((i) => isStep(trace.kind(call.begin + i)));
  expect(/At event [\d,]+ /.test(story), what).toBe(grew && detailOf(trace.head(call.begin)) !== Op.mallocFlush);
  if (grew) counts.grew += 1;
}

const isStep = (kind: number): boolean =>
  [EventKind.memoryGrown, EventKind.segmentAdded, EventKind.segmentExtended].some((step) => step === kind);

/** The lit line is the one whose number the bar shows, and it is the last that has happened. */
function compareLines({ lines }: ExplainFrame, begin: number, at: number, what: string): void {
  const lit = lines.filter(({ seq }) => seq === at);
  if (lit.length === 0) return; // marks between two calls
  expect(lit.length, what).toBe(1);
  expect(lines.filter(({ seq }) => seq <= at).length, what).toBeLessThanOrEqual(at - begin);
  counts.lines += 1;
}

function compareBlocks(hasEnded: boolean, state: HeapState, story: string, what: string): void {
  const given = addressIn(story, /^The block at 0x(\w{4}_\w{4}) was given back\./);
  const toGive = addressIn(story, /^The block at 0x(\w{4}_\w{4}) is to be given back\./);
  const placed = addressIn(story, /The block is at 0x(\w{4}_\w{4})\.$/);
  if (given !== undefined) {
    counts.given += 1;
    expect(isInUse(state, given), what).toBe(false);
  }
  if (toGive !== undefined) {
    counts.toGive += 1;
    expect(isInUse(state, toGive), what).toBe(true);
  }
  if (placed !== undefined) {
    counts.placed += 1;
    expect(hasEnded, what).toBe(true);
    expect(isInUse(state, placed), `${what} ${formatAddress(placed)}`).toBe(true);
  }
  compareRetired(state, story, what);
  for (const [, old, way] of story.matchAll(/The block at 0x(\w{4}_\w{4}) shall have .* It (stayed|moved)/g)) {
    counts.resized += 1;
    expect(isInUse(state, parse(old)), what).toBe(way === 'stayed');
  }
  const victim = / (\d[\d.]*.(?:B|KiB|MiB)) are the next victim\. The block is at \S+\.$/u.exec(story)?.[1];
  if (victim !== undefined) {
    counts.victims += 1;
    const heap = state
      .livingHeaps()
      .find((entry) => entry.victim !== 0 && formatBytes(state.sizeOf(state.granuleAt(entry.victim))) === victim);
    expect(heap, `${what} ${victim}`).toBeDefined();
  }
}

const isRetired = (kind: number): boolean => kind === EventKind.blockRetired;

/** Blocks that pools gave up: their memory has gone back when the heap has taken it, an event or more later. */
function compareRetired(state: HeapState, story: string, what: string): void {
  for (const [, at, way] of story.matchAll(
    /(?:block|span) at 0x(\w{4}_\w{4}) was wholly free[^.]*, so its \S+\s\S+ (went|go) back/g,
  )) {
    counts[way === 'went' ? 'retired' : 'retiring'] += 1;
    const granule = state.granuleAt(parse(at) - 4);
    const isThere = (state.chunks[granule] ?? 0) !== 0 && state.addressOf(granule) === parse(at) - 4;
    expect(isThere && kUsed.includes(chunkStateOf(state, granule)), what).toBe(way === 'go');
  }
}

const kRuns: readonly (readonly [seed: number, kind: 'run' | 'runMalloc' | 'runSmall'])[] = kTruthSeeds ?? [
  [1, 'run'],
  [2, 'run'],
  [3, 'runMalloc'],
  [4, 'runMalloc'],
  [345692, 'runMalloc'], // a free that first makes room in the cache
  [5, 'runSmall'],
];

it.each(kRuns)('says what is, in the tense of the moment, seed %i, %s', async (seed, kind) => {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(1500, 55, undefined);
  else drive[kind](1500, 55);
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const { below } = createRandom(seed);
  for (let i = 0; i < (kEvery ? 500 : 60); ++i) compare(model, 1 + below(drive.trace.count));
  // Moments behind the first blocks that pools gave up, and about the first growths.
  const retired = [...Array(drive.trace.count).keys()].filter((event) => isRetired(drive.trace.kind(event)));
  for (const event of retired.slice(0, kEvery ? 40 : 8))
    for (let on = 1; on < 5; ++on) compare(model, Math.min(event + on, drive.trace.count));
  for (let nth = 0; nth < Math.min(kEvery ? 40 : 12, model.history.growthSteps.count); ++nth) {
    const step = model.history.growthSteps.at(nth);
    for (let at = Math.max(1, step - 2); at <= Math.min(step + 6, drive.trace.count); ++at) compare(model, at);
  }
});

it('an explanation that has stayed while time ran says of which moment it is', () => {
  const frame = { at: seq(2425), title: 'allocate 101 B (under way)' };
  expect(titleAt(frame, seq(2425))).toBe('allocate 101 B (under way)');
  expect(titleAt(frame, seq(2673))).toBe('at event 2,425: allocate 101 B (under way)');
});
