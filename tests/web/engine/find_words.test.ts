// The words of Sites are found: a function, its file and line, as the panel and as an answer write them, on and back.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { makeEngine } from './harness.ts';

const read = readFileSync(new URL('../../../web/public/traces/words.hgtrace', import.meta.url));

async function finder() {
  const { ask } = makeEngine();
  const file = read.buffer.slice(read.byteOffset, read.byteOffset + read.byteLength) as ArrayBuffer;
  const { events } = await ask({ type: 'openTrace', name: 'words', file }, 'opened');
  const find = async (text: string, from: number, by: 1 | -1) =>
    (await ask({ type: 'find', wanted: { by: 'text', text }, from: seq(from), by }, 'found')).found.moment;
  return { ask, events, find };
}

test('a function of the program is found in the stacks of its calls, and each find has it', async () => {
  const { ask, events, find } = await finder();
  const first = await find('remember_note', 0, 1);
  const next = await find('remember_note', first ?? 0, 1);
  expect(first).toBeGreaterThan(0);
  expect(next).toBeGreaterThan(first ?? events);
  expect(await find('remember_note', next ?? 0, -1)).toBe(first);
  expect(await find('remember_note', first ?? 0, -1)).toBeUndefined();
  const { answer } = await ask({ type: 'answer', question: { ask: 'holds' }, at: seq(20_000), heap: 0 }, 'answered');
  expect(answer.sentence).toMatch(/\(words\.cpp:\d+\)/); // what an answer writes is found as it is written
  const [written = ''] = /`?\w+`? \(words\.cpp:\d+\)/.exec(answer.sentence) ?? [];
  expect(await find(written, 0, 1)).toBeGreaterThan(0);
});

test('a file, a line and a library function are found, and what no stack has is not', async () => {
  const { find } = await finder();
  const file = await find('words.cpp', 0, 1);
  expect(file).toBeGreaterThan(0);
  expect(await find('WORDS.CPP:30', 0, 1)).toBeGreaterThanOrEqual(file ?? 0);
  expect(await find('operator new', 0, 1)).toBeGreaterThan(0);
  expect(await find('words.cpp:9999', 0, 1)).toBeUndefined();
  expect(await find('()', 0, 1)).toBeUndefined(); // no word is in no call, not in every one
});
