// The number on a question's button is the answer's: at random moments of programs, scenarios and traces, it stands in the sentence that a
// press gives, or the sentence says in words that there is none.

import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import type { Question, ShownAnswer } from '../../../web/src/protocol/answers.ts';
import { kStanding } from '../../../web/src/protocol/question_words.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { makeEngine } from '../engine/harness.ts';
import { Drive } from '../model/drive.ts';

type Opened = ReturnType<typeof makeEngine>;

const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
afterAll(() => console.log(`numbers on the questions: ${JSON.stringify(counts)}`));

/** What a word on the button denies or affirms, as the sentence has it. */
const kWords: Readonly<Record<string, RegExp>> = {
  nobody: /^Nobody holds memory/,
  'by size': / blocks?, of \d.*; which function made them, this trace does not say\.$/,
  'leaked nothing': /^Nothing leaked/,
  'not yet': /^No heap has grown yet/,
  'no hole': /there is no hole/i,
  'fits nothing': /^(Nothing fits|There is no heap)/,
  yes: / fit .*without growth\.$/,
  no: / do not fit: /,
  perhaps: / fit only if (malloc first gives back|malloc makes no slab|the operation under way leaves them)/,
};

function expectSaid(number: string, { ask, sentence, answered }: ShownAnswer, what: string): void {
  const word = number === 'nothing' ? `${ask} nothing` : number;
  const pattern = kWords[word];
  count(`${ask}: ${pattern !== undefined ? word : number === '' ? 'none' : 'a number'}`);
  if (pattern !== undefined) expect(sentence, what).toMatch(pattern);
  else if (number === '') expect(answered, what).toBe(false);
  else if (ask === 'leaked' && number.startsWith('≤ '))
    expect(sentence, what).toMatch(new RegExp(`\\b${number.slice(2)} (is|are) still held`));
  else if (ask === 'holds' && number.startsWith('pool '))
    expect(sentence, what).toMatch(new RegExp(`^P${number.slice(1)}, of nodes`));
  else {
    if (ask === 'grew') expect(number, what).toMatch(/^(for|to) \d/);
    expect(sentence, what).toContain(number.replace(/^(≤|for|to) /, ''));
  }
}

async function compare({ ask, frame }: Opened, seed: number, moments: number): Promise<void> {
  const { below } = createRandom(seed);
  const { head } = (await frame()).status;
  for (const at of [0, 1, 2, head, ...Array.from({ length: moments }, () => 1 + below(head))]) {
    const { heaps } = (await frame({ at: { to: 'seq', seq: seq(at) } })).status;
    const heap = heaps[below(Math.max(1, heaps.length))]?.id ?? 0;
    const sized: Question = { ask: 'fits', bytes: 1 + below(2 ** (4 + below(20))) };
    for (const question of [...kStanding, sized]) {
      const what = `event ${at}, heap ${heap}, ${JSON.stringify(question)}`;
      const { number } = await ask({ type: 'standing', question, at: seq(at), heap }, 'standing');
      const { answer } = await ask({ type: 'answer', question, at: seq(at), heap }, 'answered');
      expectSaid(number, answer, what);
    }
    expect((await frame({ at: { to: 'seq', seq: seq(at) } })).status.seq).toBe(at);
  }
}

const missing: Readonly<Record<string, string | null>> = await readAvailability();

test.each([
  'sqlite',
  'lua',
  'quickjs',
  'mixed_load',
  'malloc',
  'thread_caches',
  'memory_pools',
  'adaptive_pool',
  'by_hand',
])('%s: the number on each question is its answer’s', async (scenario) => {
  if (typeof missing[scenario] === 'string') return;
  const engine = makeEngine();
  await engine.run(scenario);
  await compare(engine, 31, 12);
});

test.each(['words', 'handles'])('a recorded program with call stacks, %s: likewise', async (name) => {
  const file = readFileSync(new URL(`../../../web/public/traces/${name}.hgtrace`, import.meta.url));
  const engine = makeEngine();
  await engine.ask({ type: 'openTrace', name, file: new Uint8Array(file).buffer }, 'opened');
  await compare(engine, 32, 20);
});

test.each([41, 42, 43])('random calls, seed %i: likewise', async (seed) => {
  const drive = await Drive.start(seed);
  if (seed % 2 === 0) drive.runMalloc(700, 55, undefined);
  else drive.run(700, 55);
  drive.module.drain();
  const engine = makeEngine();
  await engine.ask({ type: 'openTrace', name: 'random', file: encodeTraceFile(drive.trace, 4, {}) }, 'opened');
  await compare(engine, seed, 40);
});

test('a size that is none is refused in words', async () => {
  const { refused, run } = makeEngine();
  await run('by_hand');
  const question: Question = { ask: 'fits', bytes: -1 };
  expect(await refused({ type: 'standing', question, at: seq(0), heap: 0 })).toBe('-1 is no number of bytes');
});
