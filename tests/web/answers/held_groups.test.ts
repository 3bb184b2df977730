// Who holds the memory, of traces without call stacks: beside a grouping of the walk's chunks by hand.

import { afterAll, expect, test } from 'vitest';
import { allBlocks, answer } from '../../../web/src/answers/answer.ts';
import { bytes } from '../../../web/src/base/brand.ts';
import { formatBytes } from '../../../web/src/base/format.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { percent } from '../../../web/src/document/words.ts';
import { chunkStateOf, forEachChunk } from '../../../web/src/model/state/chunk_at.ts';
import type { HeapState } from '../../../web/src/model/state/heap_state.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo } from '../../../web/src/protocol/answers.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { meaningsOf } from '../../../web/src/shell/ask/answer_key.ts';
import { Drive } from '../model/drive.ts';

const counts = { moments: 0, pool: 0, size: 0, old: 0 };
afterAll(() => console.log(`who holds, without call stacks: ${JSON.stringify(counts)}`));

interface Block {
  readonly at: number;
  readonly size: number;
  readonly born: number;
  readonly group: string;
}

function blocksIn(state: HeapState, heap: number): readonly Block[] {
  const blocks: Block[] = [];
  for (const segment of state.segments) {
    if (heap !== 0 && segment.heap !== heap) continue;
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      const size = state.sizeOf(granule);
      const born = state.born[granule] ?? 0;
      if (kind === ChunkState.poolBlock) blocks.push({ at, size, born, group: `pool ${state.tag[granule]}` });
      else if (kind === ChunkState.inUse) blocks.push({ at, size, born, group: `size ${size.toString(2).length}` });
    });
  }
  return blocks;
}

const bytesOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { size }) => sum + size, 0);

function compare(made: AnswerTo<'holds'>, blocks: readonly Block[], what: string): void {
  const { figures, evidence, answered, sentence } = made;
  expect(answered, what).toBe(blocks.length === 0); // who: still open
  if (figures.group === null) {
    expect(blocks, what).toEqual([]);
    return;
  }
  const { group } = figures;
  counts.moments += 1;
  counts[group.by] += 1;
  const groups = new Map<string, Block[]>();
  for (const block of blocks) {
    const own = groups.get(block.group);
    if (own === undefined) groups.set(block.group, [block]);
    else own.push(block);
  }
  const most = Math.max(...[...groups.values()].map(bytesOf));
  const lit = blocks.filter(({ at }) => at === evidence.blocks[0]?.address)[0]?.group ?? '';
  const own = groups.get(lit) ?? [];
  expect([group.size_bytes, group.blocks], what).toEqual([most, own.length]);
  expect(bytesOf(own), what).toBe(most);
  expect([group.least_bytes, group.most_bytes], what).toEqual([
    Math.min(...own.map(({ size }) => size)),
    Math.max(...own.map(({ size }) => size)),
  ]);
  expect(group.share, what).toBeCloseTo(most / bytesOf(blocks));
  const addresses = new Set(own.map(({ at }) => at));
  expect(
    evidence.blocks.every(({ address }) => addresses.has(address)),
    what,
  ).toBe(true);
  expect(evidence.blocks.length, what).toBe(Math.min(own.length, 1024));
  expect(sentence.slice(...made.deciding), what).toBe(percent(group.share));
  expect(sentence, what).toContain(formatBytes(bytesOf(blocks)));
}

/** leaked: the old ones, oldest first. */
function compareOld(made: AnswerTo<'leaked'>, blocks: readonly Block[], event: number, what: string): void {
  const { figures, evidence, sentence, deciding } = made;
  const old = blocks.filter(({ born }) => born < Math.floor(event / 2));
  if (figures.old === null) {
    expect(old, what).toEqual([]);
    return;
  }
  counts.old += 1;
  expect([figures.old.blocks, figures.old.size_bytes], what).toEqual([old.length, bytesOf(old)]);
  expect(sentence.slice(...deciding), what).toBe(percent(bytesOf(old) / bytesOf(blocks)));
  const births = old.map(({ born }) => born + 1).sort((one, two) => one - two);
  expect(figures.old.oldest_event, what).toBe(births[0]);
  expect(
    evidence.blocks.map(({ born_event }) => born_event),
    what,
  ).toEqual(births.slice(0, 1024));
}

test.each([
  [31, 'run'],
  [32, 'runMalloc'],
  [33, 'runSmall'],
] as const)('the pool or the sizes with the most bytes are the answer, seed %i, %s', async (seed, kind) => {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(8000, 70, undefined);
  else drive[kind](3000, 70);
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const { below } = createRandom(seed);
  for (let nth = 0; nth < 40; ++nth) {
    const event = nth === 0 ? drive.trace.count : 1 + below(drive.trace.count);
    for (const heap of [0, 1]) {
      const asked = { model, event, heap };
      const made = answer(asked, { ask: 'holds' }) as AnswerTo<'holds'>;
      const blocks = blocksIn(model.at(event).state, heap);
      compare(made, blocks, `event ${event}, heap ${heap}: ${made.sentence}`);
      const leaked = answer(asked, { ask: 'leaked' }) as AnswerTo<'leaked'>;
      compareOld(leaked, blocks, event, `event ${event}, heap ${heap}: ${leaked.sentence}`);
    }
  }
});

test('of more blocks than an answer names all are lit', async () => {
  const drive = await Drive.start(34);
  const heap = drive.calls.heaps[0] ?? 0;
  for (let nth = 0; nth < 1500; ++nth) drive.calls.operate(heap, { op: 'allocate', size: bytes(1100 + (nth % 3)) });
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const asked = { model, event: drive.trace.count, heap: 0 };
  const made = answer(asked, { ask: 'holds' }) as AnswerTo<'holds'>;
  compare(made, blocksIn(model.at(asked.event).state, 0), made.sentence);
  const all = allBlocks(asked, { ask: 'holds' }, made);
  expect(all?.size.reduce((sum, size) => sum + size, 0)).toBe(made.figures.group?.size_bytes);
  expect(meaningsOf({ ...made, all })).toEqual([{ sign: 'lit', text: '1,500 blocks, the rest fades' }]);
  const leaked = answer(asked, { ask: 'leaked' }) as AnswerTo<'leaked'>;
  const { old } = leaked.figures;
  expect(old?.blocks).toBeGreaterThan(700);
  expect(meaningsOf({ ...leaked, all })).toEqual([{ sign: 'lit', text: `${old?.blocks} blocks, the rest fades` }]);
});

test('of more old blocks than an answer names all are lit', async () => {
  const drive = await Drive.start(35);
  const heap = drive.calls.heaps[0] ?? 0;
  for (let nth = 0; nth < 2600; ++nth) drive.calls.operate(heap, { op: 'allocate', size: bytes(40) });
  drive.module.drain();
  const model = new Model(drive.trace);
  model.history.fold();
  const asked = { model, event: drive.trace.count, heap: 0 };
  const leaked = answer(asked, { ask: 'leaked' }) as AnswerTo<'leaked'>;
  compareOld(leaked, blocksIn(model.at(asked.event).state, 0), asked.event, leaked.sentence);
  const all = allBlocks(asked, { ask: 'leaked' }, leaked);
  expect(leaked.figures.old?.blocks).toBeGreaterThan(1024);
  expect(all?.size.reduce((sum, size) => sum + size, 0)).toBe(leaked.figures.old?.size_bytes);
});
