// The questions in words, and the five answers about a real program's trace: an instrumented C++ program that leaks on purpose.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { answersJson, answersText } from '../../../web/src/answers/answers_document.ts';
import { kAnswersSchema } from '../../../web/src/answers/answers_schema.ts';
import { standingNumber } from '../../../web/src/answers/standing.ts';
import { forEachChunk } from '../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../web/src/model/state/chunk_table.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { Answer, AnswerTo, Question } from '../../../web/src/protocol/answers.ts';
import { kExamples, kStanding, questionIn } from '../../../web/src/protocol/question_words.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { Drive } from '../model/drive.ts';
import { withSites } from '../model/sited_trace.ts';

describe('a question in words', () => {
  it.each<readonly [string, Question]>([
    ['Who holds the memory?', { ask: 'holds' }],
    ['whose is it', { ask: 'holds' }],
    ['leak', { ask: 'leaked' }],
    ['What leaked?', { ask: 'leaked' }],
    ['why grow', { ask: 'grew' }],
    ['Why did the heap grow', { ask: 'grew' }],
    ['will 300 KiB fit', { ask: 'fits', bytes: 300 * 1024 }],
    ['does 1.5\u202fMiB fit?', { ask: 'fits', bytes: 1.5 * 1024 ** 2 }],
    ['fits 70,000', { ask: 'fits', bytes: 70_000 }],
    ['300 KB fit', { ask: 'fits', bytes: 300_000 }],
    ['what fits', { ask: 'fits' }],
    ['what pins', { ask: 'pins' }],
    ['what pins 0x0010_4000', { ask: 'pins', address: 0x104000 }],
    ['largest free', { ask: 'pins' }],
    ['who holds it', { ask: 'holds' }],
    ['Who holds most of the memory?', { ask: 'holds' }],
    ['who holds index_word', { ask: 'holds', site: 'index_word' }],
    ['Who holds std::vector<int>::push_back?', { ask: 'holds', site: 'std::vector<int>::push_back' }],
    ['who holds leak_list', { ask: 'holds', site: 'leak_list' }],
    ['who holds my app', { ask: 'holds' }],
    ['who holds Subheap', { ask: 'holds', site: 'Subheap' }],
    ['who holds heapify', { ask: 'holds', site: 'heapify' }],
    ['how much does load_level hold?', { ask: 'holds', site: 'load_level' }],
    ['How much memory does the program use?', { ask: 'holds' }],
    ['who holds through main', { ask: 'holds', site: 'main', through: true }],
  ])('%s', (text, question) => {
    expect(questionIn(text)).toEqual({ ok: true, value: question });
  });

  it('that nobody knows is answered with those that may be asked, and each of them is known', () => {
    const found = questionIn('how warm is it');
    for (const example of kExamples) {
      expect(questionIn(example).ok).toBe(true);
      expect(found.ok ? '' : found.error).toContain(example);
    }
  });

  it.each([
    'can memory go back',
    'what could go back?',
    'why does the memory not shrink',
    'How much memory can be returned?',
  ])('%s: is none of the five, and the report is named that says it', (text) => {
    const found = questionIn(text);
    expect(found.ok ? found.value : found.error).toContain('"heapglass report" says what could go back');
  });

  it('that has a word of going back in it, and is about growth or a hole, is what it is', () => {
    expect(questionIn('why grow')).toEqual({ ok: true, value: { ask: 'grew' } });
    expect(questionIn('who holds give_back')).toEqual({ ok: true, value: { ask: 'holds', site: 'give_back' } });
  });
});

const read = readFileSync(new URL('../../../web/public/traces/words.hgtrace', import.meta.url));
const decoded = decodeTraceFile(read);
if (!decoded.ok) throw new Error(decoded.error.message);
const file = decoded.value;
const model = new Model(file.trace);
model.history.fold();
const ask = <Id extends Question['ask']>(question: Question & { ask: Id }, event = file.trace.count) =>
  answer({ model, event, heap: 0 }, question) as AnswerTo<Id>;
const plain = ({ sentence }: Answer): string => sentence.replaceAll('\u202f', ' ');

describe('of a program that leaks on purpose', () => {
  it('who holds, by its own function with file and line', () => {
    const { figures, evidence, sentence, deciding } = ask({ ask: 'holds' });
    expect(plain(ask({ ask: 'holds' }))).toMatch(
      /^`index_word` \(words\.cpp:27\) holds 81\.7 % of 56\.0 KiB, in 1,121 blocks\.$/,
    );
    expect(sentence.slice(...deciding).replaceAll('\u202f', ' ')).toBe('81.7 %');
    expect(figures.blocks).toBe(makeReport(file, { name: 'words' }).end.live_blocks);
    expect(evidence.blocks.length).toBe(Math.min(1024, figures.site_blocks));
    expect(figures.size_bytes).toBe(model.at(file.trace.count).state.inUse);
  });

  it('what leaked is the planted leak, still held and born throughout, at the end', () => {
    const leaked = ask({ ask: 'leaked' });
    expect(plain(leaked)).toMatch(
      /^`remember_note` \(words\.cpp:30\) keeps growing: 78 blocks of it, .* are still held at the end\.$/,
    );
    expect(leaked.figures).toMatchObject({ growing_sites: 1, growing_blocks: 78, is_end: true });
    const births = leaked.evidence.blocks.map(({ born_event }) => born_event);
    expect(births).toEqual([...births].sort((one, two) => one - two));
    expect([leaked.evidence.from_event, leaked.evidence.to_event]).toEqual([births[0], births[births.length - 1]]);
  });

  it('every answer fits the schema, at any moment, and its deciding number lies in the sentence', () => {
    const validate = new Ajv2020().compile(kAnswersSchema);
    for (const event of [0, 1, 500, 5000, 24_441, file.trace.count]) {
      const answers = kStanding.map((question) => answer({ model, event, heap: 0 }, question));
      const json = JSON.parse(JSON.stringify(answersJson('words', file.trace.count, answers))) as unknown;
      expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
      for (const { sentence, deciding, question, event: of } of answers) {
        expect(sentence).toMatch(/^[A-Z0-9`].*\.$/);
        expect(sentence).not.toMatch(/undefined|NaN/);
        expect(deciding[1]).toBeLessThanOrEqual(sentence.length);
        expect(question).toMatch(/\?$/);
        expect(of).toBe(event);
      }
      expect(answersText(answers)).toMatch(/^Who holds the memory\?\n {2}/);
      const lines = ({ sentence, missing }: (typeof answers)[number]) => [
        sentence,
        ...(missing === '' ? [] : [missing]),
      ];
      const plain = (text: string) => `${text.replaceAll('\u202f', ' ')}\n`;
      for (const one of answers) expect(answersText([one])).toBe(plain(lines(one).join('\n'))); // no question above it
      const whole = answers.map((one) => [one.question, ...lines(one).map((line) => `  ${line}`)].join('\n'));
      expect(answersText(answers)).toBe(plain(whole.join('\n\n')));
    }
  });
});

test('the sums by own function are those of each block asked by itself, and its stack is the one that holds most', async () => {
  const drive = await Drive.start(12);
  drive.run(1500, 75);
  drive.module.drain();
  const sited = withSites(drive.trace, (n) =>
    n % 4 === 0 ? [] : ['main@a.c:1', `work_${n % 3}@a.c:${n % 3}`, `std::vector<T${n % 5}>::push_back`, 'malloc'],
  );
  const other = new Model(sited);
  other.history.fold();
  for (const share of [0.3, 0.8, 1]) {
    const event = Math.floor(sited.count * share);
    const { figures, evidence } = answer({ model: other, event, heap: 0 }, { ask: 'holds' }) as AnswerTo<'holds'>;
    const { state } = other.at(event);
    const sums = new Map<string, { blocks: number; bytes: number }>();
    const byStack = new Map<string, number>();
    for (const segment of state.segments) {
      forEachChunk(state, segment, (_, granule) => {
        if (((state.chunks[granule] ?? 0) & kInUse) === 0 || state.isCached(granule)) return;
        const stack = other.history.sites.stack(
          other.history.sites.ofEvent(state.born[granule] ?? 0, other.history.operations),
        );
        const frame = stack[2] ?? '';
        const sum = sums.get(frame) ?? { blocks: 0, bytes: 0 };
        sums.set(frame, { blocks: sum.blocks + 1, bytes: sum.bytes + state.sizeOf(granule) });
        byStack.set(stack.join(), (byStack.get(stack.join()) ?? 0) + state.sizeOf(granule));
      });
    }
    expect(figures.blocks).toBe([...sums.values()].reduce((sum, { blocks }) => sum + blocks, 0));
    for (const { function: name, file: of, line, blocks, size_bytes, stack } of evidence.sites) {
      const frame = name === '' ? '' : `${name}@${of}:${line}`;
      expect({ blocks, bytes: size_bytes }).toEqual(sums.get(frame));
      const ofFrame = [...byStack].filter(([frames]) => (frames.split(',')[2] ?? '') === frame);
      expect(byStack.get(stack.join())).toBe(Math.max(...ofFrame.map(([, bytes]) => bytes)));
    }
    expect(evidence.sites.length).toBe(sums.size);
  }
});

test('without call stacks the answer says what recording would say it', async () => {
  const drive = await Drive.start(4);
  drive.run(300, 70);
  drive.module.drain();
  const bare = new Model(drive.trace);
  bare.history.fold();
  const { answered, missing, sentence } = answer({ model: bare, event: drive.trace.count, heap: 0 }, { ask: 'holds' });
  expect([answered, missing.includes('--stacks')]).toEqual([false, true]);
  expect(sentence).toMatch(/, holds? [\d.]+.% of [^;]+; which function made them, this trace does not say\.$/);
});

test.each([
  ['work@a.c:1', ''],
  ['wasm-function[12]', '--profiling-funcs'],
])('with call stacks of %s is missing what would name functions: %s', async (frame, what) => {
  const drive = await Drive.start(3);
  drive.run(200, 80);
  drive.module.drain();
  const model = new Model(withSites(drive.trace, (n) => [n % 2 === 0 ? frame : 'main@a.c:1']));
  model.history.fold();
  const { missing } = answer({ model, event: model.trace.count, heap: 0 }, { ask: 'holds' });
  expect(missing === '').toBe(what === '');
  expect(missing).toContain(what);
});

it.each(kStanding)('a trace without an event answers nothing, and denies nothing: $ask', (question) => {
  const made = answer({ model: new Model(new Trace()), event: 0, heap: 0 }, question);
  expect([made.answered, made.sentence]).toEqual([false, 'The trace has no event.']);
  expect(standingNumber(question, made)).toBe('');
});
