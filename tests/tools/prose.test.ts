// The prose check: what it finds, what it lets pass, and that code is not read as prose.

import { expect, test } from 'vitest';
import { kMostWords, problemsOfComments, problemsOfDocument } from '../../tools/check_prose.mjs';
import { measures } from '../../tools/prose/readability.mjs';

const sentence = (words: number) => `${Array.from({ length: words }, (_, at) => `word${at}`).join(' ')}.`;

test.each([
  ['A freed chunk: who frees a chunk has it in his cache.', 'name the owner'],
  ['The page is told at once.', 'say who reports'],
  ['It takes a block from the quick list.', '"cache list"'],
  ['The the heap grows.', 'the'],
  ['It is a event.', '`an`'],
  ['| word | meaning |\n| --- | --- |\n| top | who frees it has it |', 'name the owner'],
  [sentence(kMostWords + 1), 'words in one sentence'],
])('in "%s" a problem is found', async (text, problem) => {
  expect((await problemsOfDocument(text)).join('\n')).toContain(problem);
});

test.each([
  ['A freed chunk goes to the cache of the thread that frees it.'],
  ['`is told` and `quick list` are names in code.'],
  ['```\nwho frees it has it\n```'],
  [sentence(kMostWords)],
  [`<!-- prose: long sentence: a list of flags -->\n${sentence(kMostWords + 1)}`],
])('"%s" passes', async (text) => {
  expect(await problemsOfDocument(text)).toEqual([]);
});

test('an allowance without a reason allows nothing, and one allowance holds for one block', async () => {
  const long = sentence(kMostWords + 1);
  expect(await problemsOfDocument(`<!-- prose: long sentence: -->\n\n${long}`)).toHaveLength(1);
  expect(await problemsOfDocument(`<!-- prose: long sentence: a list -->\n\n${long}\n\n${long}`)).toHaveLength(1);
});

test('comments are read and code beside them is not', async () => {
  expect(await problemsOfComments('int told = 1; // what take_quick could not\n')).toHaveLength(1);
  expect(await problemsOfComments('const text = "is told";\n')).toEqual([]);
});

test('the measures count words, sentences and grades', () => {
  const [words, length, longest, grade] = measures('The cat sat on the mat. It slept.\n');
  expect([words, length, longest]).toEqual([8, 4, 6]);
  expect(grade).toBeLessThan(measures('Deallocation necessitates comprehensive synchronization mechanisms.')[3]);
});
