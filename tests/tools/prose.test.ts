// The prose check: what it finds, what it lets pass, and that code is not read as prose.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kMostWords, problemsOfComments, problemsOfDocument } from '../../tools/check_prose.mjs';
import { measures } from '../../tools/prose/readability.mjs';
import { kCleanFolders, retiredIn, retiredNames, textsOf } from '../../tools/prose/retired.mjs';

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

test.each([
  ['The trace tells which thread freed it.', '"tells" is retired'],
  ['It was told at once.', '"told" is retired'],
  ['The stories begin by themselves.', '"stories" is retired'],
  ['Each room has its own CSS.', '"room" is retired'],
  ['The worker buries the engine.', '"buries" is retired'],
  ['Page and worker meet here.', '"meet" is retired'],
  ['The hands of the visitor.', '"hands" is retired'],
  ['A list of beginnings.', '"beginnings" is retired'],
  ['Two programs are offered.', '"offered" is retired'],
  ['A listener hears of each packet.', '"hears" is retired'],
])('in "%s" a retired word is found', async (text, problem) => {
  expect((await problemsOfDocument(text)).join('\n')).toContain(problem);
});

test.each([
  ['It hands them over, and hands out pages.'],
  ['Nobody can tell apart two equal blocks.'],
  ['From the beginning, by hand, in the history.'],
  ['`by_hand`, `story` and `room` are names in code.'],
])('"%s" has no retired word', (text) => {
  expect(retiredIn(text.replaceAll(/`[^`]*`/g, 'Code'))).toEqual([]);
});

test('names are taken apart, in each language and in the name of the file', () => {
  const found = (path: string, source: string) =>
    retiredNames(path, source).map((problem) => /name (\S+)/.exec(problem)?.[1]);
  const source = "const firstStoryOf = (toldBy) => toldBy.hands; // the story\nconst s = 'bury told';";
  expect(found('a.ts', source)).toEqual(['firstStoryOf', 'toldBy', 'hands']);
  expect(found('old_stories.ts', '')).toEqual(['old_stories.ts']);
  expect(found('a.cpp', '/* told */ int serve_who_tells = 1; // tell\nauto s = "told";')).toEqual(['serve_who_tells']);
  expect(found('a.css', '.hg-map-room { color: red } /* room */')).toEqual(['hg-map-room']);
  expect(found('a.ts', 'const roomy = history(method, handsome, storyteller);')).toEqual([]);
});

test('texts of a script are its literals, those of a page all its lines', () => {
  expect(textsOf('a.ts', "say('it was told'); // told\nconst told = `it is told`;").map(({ line }) => line)).toEqual([
    1, 2,
  ]);
  expect(textsOf('index.md', 'details: told')).toEqual([{ line: 1, text: 'details: told' }]);
});

test('every folder that is clean exists', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  expect(kCleanFolders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  expect([...kCleanFolders].sort()).toEqual(kCleanFolders);
});
