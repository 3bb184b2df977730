// The standing questions through the engine, as the page asks them: at the moment shown, beside frames of other moments.

import { expect, test } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { kMostAnswerHoles } from '../../../web/src/answers/limits.ts';
import { bytes, seq } from '../../../web/src/base/brand.ts';
import { transfersOf } from '../../../web/src/engine/transfers.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { Answer, Question } from '../../../web/src/protocol/answers.ts';
import { kStanding } from '../../../web/src/protocol/question_words.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine, wanting } from './harness.ts';

const storyOf = (frame: Awaited<ReturnType<ReturnType<typeof makeEngine>['frame']>>): string =>
  ((frame.parts['explain'] as { prose: readonly { text: string }[] } | undefined)?.prose ?? [])
    .map(({ text }) => text)
    .join('');

test('the engine says what the command line says of the same trace, at every moment asked', async () => {
  const { ask, run, frame } = makeEngine();
  await run('mixed_load');
  const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  const questions: readonly Question[] = [...kStanding, { ask: 'fits', bytes: 300_000 }, { ask: 'grew', nth: 2 }];
  for (const event of [1, 2000, 60_000, 200_000]) {
    for (const question of questions) {
      const { answer: got } = await ask({ type: 'answer', question, at: seq(event), heap: 0 }, 'answered');
      const { all: _, allHoles: __, ...said } = got;
      expect(said).toEqual(answer({ model, event, heap: 0 }, question));
      const shown = await frame({ at: { to: 'seq', seq: seq(event) } });
      expect(shown.status.seq).toBe(event); // a frame is not disturbed by what was asked
    }
  }
});

test('where the heap grows, the explanation has the answer, and top is not said to have had the memory all along', async () => {
  const { ask, run, frame } = makeEngine();
  await run('mixed_load');
  const { found } = await ask({ type: 'find', wanted: { by: 'growth' }, from: seq(2000), by: 1 }, 'found');
  const moment = seq(found.moment ?? 0);
  const { answer: grew } = await ask({ type: 'answer', question: { ask: 'grew' }, at: moment, heap: 0 }, 'answered');
  const story = storyOf(await frame({ at: { to: 'seq', seq: moment }, ...wanting({ explain: true }) }));
  expect(story).toContain(grew.sentence);
  expect(story).not.toContain('so it comes from top, which had');
  const after = storyOf(
    await frame({ at: { to: 'step', from: moment, unit: 'operation', by: 1 }, ...wanting({ explain: true }) }),
  );
  expect(after).toContain(grew.sentence);
  expect(after).toContain('so the heap grew, and top then had');
});

test('what is held is "here" until it is the end, also while the trace grows', async () => {
  const { ask, run, operate } = makeEngine();
  await run('by_hand');
  await operate({ op: 'allocate', size: bytes(100) });
  const leaked = async (at: number): Promise<Answer> =>
    (await ask({ type: 'answer', question: { ask: 'leaked' }, at: seq(at), heap: 0 }, 'answered')).answer;
  const first = await leaked(1e9);
  expect(first.sentence).toMatch(/1 block is still held at the end/);
  await operate({ op: 'allocate', size: bytes(100) });
  expect((await leaked(first.event)).sentence).toMatch(/1 block is still held here/);
  expect((await leaked(1e9)).sentence).toMatch(/2 blocks are still held at the end/);
});

test('a question about nothing, and one about no size, are refused in words', async () => {
  const { ask, refused, run } = makeEngine();
  const question: Question = { ask: 'holds' };
  expect(await refused({ type: 'answer', question, at: seq(0), heap: 0 })).toMatch(/nothing is open/);
  await run('by_hand');
  expect(await refused({ type: 'answer', question: { ask: 'fits', bytes: -1 }, at: seq(0), heap: 0 })).toBe(
    '-1 is no number of bytes',
  );
  expect((await ask({ type: 'answer', question, at: seq(0), heap: 0 }, 'answered')).answer.sentence).toMatch(
    /no block/,
  );
});

test('the page gets every hole that the sentence counts, and gets it again: a reply gives its arrays away', async () => {
  const { ask, run } = makeEngine();
  await run('mixed_load');
  const growth = async () => {
    const message = await ask({ type: 'answer', question: { ask: 'grew' }, at: seq(200_000), heap: 1 }, 'answered');
    const { answer: got } = structuredClone(message, { transfer: transfersOf(message) }); // as to the page
    if (got.ask !== 'grew' || got.figures.latest === null) throw new Error(got.sentence);
    return { pieces: got.figures.latest.free_pieces, bytes: got.figures.latest.free_bytes, holes: got.allHoles };
  };
  const first = await growth();
  expect(first.pieces).toBeGreaterThan(kMostAnswerHoles);
  expect(first.holes?.address).toHaveLength(first.pieces);
  expect(first.holes?.size.reduce((sum, size) => sum + size, 0)).toBe(first.bytes);
  expect([...(first.holes?.address ?? [])]).toEqual([...(first.holes?.address ?? [])].sort((one, two) => one - two));
  expect(await growth()).toEqual(first);
});
