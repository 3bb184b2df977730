// The tenses of an explanation at random moments of random traces: what is said to have happened has happened on the map of the same
// moment, what is to come has not, and a call is "under way" until its last event.

import { afterAll, expect, it } from 'vitest';
import { addr, seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import type { Trace } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { someOf } from '../../every.ts';
import { makeEngine, partsIn, wanting } from '../engine/harness.ts';
import { Drive } from '../model/drive.ts';

const counts = {
  moments: 0,
  underWay: 0,
  given: 0,
  toGive: 0,
  made: 0,
  stayed: 0,
  moved: 0,
  retired: 0,
  retiring: 0,
  cached: 0,
};
afterAll(() => console.log(`what is said to have happened: ${JSON.stringify(counts)}`));

const kUsed: readonly number[] = [ChunkState.inUse, ChunkState.poolBlock];
type Opened = ReturnType<typeof makeEngine>;

/** How many calls are open behind the events before each moment. */
function depths(trace: Trace): Int32Array {
  const depth = new Int32Array(trace.count + 1);
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    depth[event + 1] = (depth[event] ?? 0) + (kind === EventKind.opBegun ? 1 : kind === EventKind.opEnded ? -1 : 0);
  }
  return depth;
}

/** Whether the program has the block at the address at that moment, and which state its chunk has. */
async function blockAt(engine: Opened, at: number, address: number) {
  const screen = await engine.frame({ at: { to: 'seq', seq: seq(at) }, ...wanting({ inspect: addr(address) }) });
  const { inspect } = partsIn(screen);
  const isUsed = inspect !== undefined && kUsed.includes(inspect.state) && inspect.node?.inUse !== false;
  return { isUsed, state: inspect?.state, isNode: inspect?.node !== undefined };
}

const addressIn = (text: string): number => Number.parseInt(text.replaceAll('_', ''), 16);

/** A sentence, what it is counted as, and whether the block it names is in use where it stands. */
const kSentences: readonly (readonly [
  RegExp,
  Exclude<keyof typeof counts, 'moments' | 'underWay' | 'cached'>,
  boolean,
])[] = [
  [/block at 0x([\d_a-f]+)[^.]* was given back/, 'given', false],
  [/node at 0x([\d_a-f]+)[^.]* was given back/, 'given', false],
  [/(?:block|node) at 0x([\d_a-f]+)[^.]* is to be given back/, 'toGive', true],
  [/The (?:block|span) at 0x([\d_a-f]+)[^:,]*[:,] (?:so )?its \S+\s\S+ went back/, 'retired', false],
  [/The (?:block|span) at 0x([\d_a-f]+)[^:,]*[:,] (?:so )?its \S+\s\S+ go back/, 'retiring', true],
  [/The (?:block|result) is at 0x([\d_a-f]+)[ .]/, 'made', true],
  [/The block at 0x([\d_a-f]+) shall have .* It stayed where it was/, 'stayed', true],
  [/The block at 0x([\d_a-f]+) shall have .* It moved/, 'moved', false],
];

async function compareTenses(engine: Opened, at: number, depth: Int32Array): Promise<void> {
  const { explain } = partsIn(await engine.frame({ at: { to: 'seq', seq: seq(at) }, ...wanting({ explain: true }) }));
  if (explain === undefined) return;
  const said = explain.prose.map((part) => (typeof part === 'string' ? part : part.text)).join('');
  const what = `event ${at}: ${explain.title}. ${said}`;
  counts.moments += 1;
  const isOpen = (depth[at] ?? 0) > 0;
  expect(explain.title.endsWith('(under way)'), what).toBe(isOpen);
  if (isOpen) counts.underWay += 1;
  for (const [sentence, count, inUse] of kSentences) {
    const [text, address] = sentence.exec(said) ?? [];
    if (text === undefined || address === undefined) continue;
    const block = await blockAt(engine, at, addressIn(address));
    if (text.startsWith('node') && !block.isNode) continue; // its block is no longer one of the pool
    counts[count] += 1;
    expect(block.isUsed, what).toBe(inUse);
  }
  const cached = /The chunk at 0x([\d_a-f]+), [^,]*, goes to cache list/.exec(said)?.[1];
  if (cached === undefined || said.includes('to the central lists')) return;
  counts.cached += 1;
  expect((await blockAt(engine, at, addressIn(cached) + 4)).state, what).toBe(ChunkState.cached);
}

const kRuns = someOf<readonly [number, 'run' | 'runMalloc' | 'runSmall']>(
  [
    [31, 'run'],
    [32, 'runMalloc'],
    [33, 'runSmall'],
    [34, 'runMalloc'],
    [35, 'run'],
  ],
  3,
);

it.each(kRuns)('what is said to have happened has, seed %i, %s', async (seed, kind) => {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(900, 55, undefined);
  else drive[kind](900, 55);
  drive.module.drain();
  const engine = makeEngine();
  await engine.ask({ type: 'openTrace', name: 'random', file: encodeTraceFile(drive.trace, 4, {}) }, 'opened');
  const depth = depths(drive.trace);
  const { below } = createRandom(seed);
  for (let nth = 0; nth < 300; ++nth) await compareTenses(engine, 1 + below(drive.trace.count), depth);
});
