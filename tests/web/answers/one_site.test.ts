// What one call site holds: against a naive twin that asks for each block's stack by itself, and of a real program's trace.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allBlocks, answer } from '../../../web/src/answers/answer.ts';
import { known } from '../../../web/src/answers/ask.ts';
import { rangesOf as rangesOfSite } from '../../../web/src/answers/one_site.ts';
import { frameParts, isFolded } from '../../../web/src/base/frames.ts';
import { forEachChunk } from '../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../web/src/model/state/chunk_table.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo, BlockRanges, Question } from '../../../web/src/protocol/answers.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { Drive } from '../model/drive.ts';
import { withSites } from '../model/sited_trace.ts';

const drive = await Drive.start(23);
drive.run(6000, 80);
drive.module.drain();
/** Each fourth call says nothing; the rest come from one of three functions, one of which calls itself. */
const stackOf = (n: number) =>
  n % 4 === 0
    ? []
    : n % 3 === 0
      ? ['main@a.c:1', 'walk@a.c:7', 'walk@a.c:7', 'std::vector<int>::push_back', 'malloc']
      : ['main@a.c:1', `work_${n % 2}@a.c:${n % 2}`, 'malloc'];
const sited = withSites(drive.trace, stackOf);
const model = new Model(sited);
model.history.fold();

interface Block {
  readonly address: number;
  readonly size: number;
  readonly stack: readonly string[]; // innermost first
}

function blocksAt(of: Model, event: number): readonly Block[] {
  const { state } = of.at(event);
  const { sites, operations } = of.history;
  const blocks: Block[] = [];
  for (const segment of state.segments) {
    forEachChunk(state, segment, (address, granule) => {
      if (((state.chunks[granule] ?? 0) & kInUse) === 0 || state.isCached(granule)) return;
      const stack = sites.stack(sites.ofEvent(state.born[granule] ?? 0, operations));
      blocks.push({ address, size: state.sizeOf(granule), stack });
    });
  }
  return blocks;
}

const sumOf = (blocks: readonly Block[]) => ({
  site_blocks: blocks.length,
  site_bytes: blocks.reduce((sum, { size }) => sum + size, 0),
});
const holds = (question: Omit<Question & { ask: 'holds' }, 'ask'>, event: number) =>
  answer({ model, event, heap: 0 }, { ask: 'holds', ...question }) as AnswerTo<'holds'>;
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

describe('the blocks of one call site', () => {
  const own = ({ stack }: Block) => stack.find((frame) => !isFolded(frame));
  it.each([
    ['work_0@a.c:0', false, (block: Block) => own(block) === 'work_0@a.c:0'],
    ['WALK', false, (block: Block) => own(block) === 'walk@a.c:7'],
    ['a.c:1', true, ({ stack }: Block) => stack.includes('main@a.c:1')],
    ['walk', true, ({ stack }: Block) => stack.includes('walk@a.c:7')],
    ['work_', false, (block: Block) => own(block)?.startsWith('work_') === true],
    ['malloc', false, ({ stack }: Block) => stack[0] === 'malloc'],
  ] as const)('%s, through: %s', (site, through, isOf) => {
    for (const share of [0.3, 1]) {
      const event = Math.floor(sited.count * share);
      const wanted = blocksAt(model, event).filter(isOf);
      const got = holds({ site, through }, event);
      expect(wanted.length).toBeGreaterThan(10);
      expect(got.figures).toMatchObject(sumOf(wanted));
      expect(got.evidence.sites.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(wanted.length);
    }
  });

  it('a function that has none itself answers by what it calls, and says so', () => {
    const got = holds({ site: 'main' }, sited.count);
    expect(got.figures).toEqual(holds({ site: 'main', through: true }, sited.count).figures);
    expect(got.sentence).toMatch(/^`main` \(a\.c:1\) holds nothing itself; what it calls holds /);
  });

  it('a name that no call site has is no answer', () => {
    const got = holds({ site: 'elsewhere' }, sited.count);
    expect([got.answered, got.evidence.blocks.length]).toEqual([false, 0]);
    expect(got.sentence).toBe('No call site of the trace is called `elsewhere`.');
  });
});

it.each([
  ['left', 'right'],
  ['right', 'left'],
])('a function that is called in several ways shows the one by which most of its bytes came: %s', (most, other) => {
  const called = withSites(drive.trace, (n) => ['main', n % 5 === 0 ? other : most, 'work@a.c:3', 'malloc']);
  const asked = new Model(called);
  asked.history.fold();
  const { sites } = (answer({ model: asked, event: called.count, heap: 0 }, { ask: 'holds' }) as AnswerTo<'holds'>)
    .evidence;
  expect(sites.map(({ function: name, stack }) => [name, stack])).toEqual([
    ['work', ['malloc', 'work@a.c:3', most, 'main']],
  ]);
  expect(sites[0]?.sites).toHaveLength(2);
});

const rangesOf = (blocks: readonly Block[]): BlockRanges => ({
  address: Uint32Array.from(blocks, ({ address }) => address),
  size: Uint32Array.from(blocks, ({ size }) => size),
});

/** Each word of memory that the ranges cover. */
function wordsOf({ address, size }: BlockRanges): Set<number> {
  const words = new Set<number>();
  address.forEach((from, nth) => {
    for (let at = from; at < from + (size[nth] ?? 0); at += 4) words.add(at);
  });
  return words;
}

describe('of a program that leaks on purpose', () => {
  const read = readFileSync(new URL('../../../web/public/traces/words.hgtrace', import.meta.url));
  const decoded = decodeTraceFile(read);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const words = new Model(decoded.value.trace);
  words.history.fold();
  const event = decoded.value.trace.count;
  const asked = { model: words, event, heap: 0 };

  it('one line of one of its functions, and all of the function', () => {
    expect(plain(answer(asked, { ask: 'holds', site: 'words.cpp:30' }).sentence)).toMatch(
      /^`remember_note` \(words\.cpp:30\) holds 9\.75 KiB in 78 blocks, \d+\.\d % of 56\.0 KiB\.$/,
    );
    expect(plain(answer(asked, { ask: 'holds', site: 'remember_note' }).sentence)).toMatch(
      /^`remember_note` holds 10\.3 KiB in 79 blocks, 18\.3 % of 56\.0 KiB\.$/,
    );
  });

  it('the map gets no blocks of a site for an answer about something else', () => {
    const [first] = answer(asked, { ask: 'holds' }).evidence.sites;
    expect(rangesOfSite(known(asked), { ask: 'holds' }, first)?.address.length).toBeGreaterThan(0);
    expect(rangesOfSite(known(asked), { ask: 'grew' }, first)).toBeUndefined();
  });

  it.each<Question>([{ ask: 'holds', site: 'main', through: true }, { ask: 'holds' }])(
    'the map gets every block, also where the answer names only the largest: %o',
    (question) => {
      const got = answer(asked, question);
      const all = blocksAt(words, event);
      const wanted = all.filter(({ stack }) =>
        question.ask === 'holds' && question.site === 'main'
          ? stack.some((frame) => frame.startsWith('main@') || frame === 'main')
          : frameParts(stack.find((frame) => !isFolded(frame)) ?? '').name.includes('index_word'),
      );
      expect(wanted.length).toBeGreaterThan(1024);
      expect(got.evidence.blocks.length).toBe(1024);
      const ranges = allBlocks(asked, question, got);
      if (ranges === undefined) throw new Error('no ranges');
      expect(wordsOf(ranges)).toEqual(wordsOf(rangesOf(wanted)));
    },
  );
});
