import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { kWordIndexChapters } from '../../../web/src/engine/word_index.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine, partsIn, wanting } from './harness.ts';

const headers = ['event.h', 'heapglass.h']
  .map((name) => readFileSync(new URL(`../../../core/include/heapglass/${name}`, import.meta.url), 'latin1'))
  .join('\n');
const bytesOf = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text, 'latin1')).buffer;

/** The plain index that word_index.h describes. */
function plainIndex(text: string): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const found of text.matchAll(/[A-Za-z0-9\x80-\xff]+(?:'[A-Za-z0-9\x80-\xff]+)*/g)) {
    const word = found[0].replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const positions = index.get(word);
    if (positions === undefined) index.set(word, [found.index]);
    else positions.push(found.index);
  }
  return index;
}

/** The answers for the `count` commonest words. Here texts are strings of one character a byte. */
function expectedRows(index: Map<string, number[]>, count: number) {
  return [...index]
    .sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1))
    .slice(0, count)
    .map(([word, positions]) => ({
      word: Buffer.from(word, 'latin1').toString('utf8'),
      count: positions.length,
      positions: positions.slice(0, 64),
    }));
}

/** Text of `size` bytes or a little more: few common words, many rare ones, capitals, apostrophes, bytes >= 0x80. */
function longText(size: number): string {
  const { below } = createRandom(11);
  const letters = [..."etaoinshrdlucmfwypvbgkjqxz0123456789'", '\xc3\xa9', '\xc3\xbc']; // the last two: é and ü in UTF-8
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + below(11) }, () => letters[below(1 + below(letters.length))]).join(''),
  );
  const parts: string[] = [];
  for (let bytes = 0; bytes < size; ) {
    const word = words[below(1 + below(1 + below(words.length)))] ?? '';
    const part = (below(9) === 0 ? word.toUpperCase() : word) + (below(12) === 0 ? '.\n' : ' ');
    parts.push(part);
    bytes += part.length;
  }
  return parts.join('');
}

test('the word index runs watched, is proved, and answers as a plain index does', async () => {
  const { ask, engine, frame, notes } = makeEngine();
  await ask({ type: 'runWordIndex', text: bytesOf(headers) }, 'started');
  while (engine.tick());
  expect(notes[notes.length - 1]).toMatchObject({ running: false, message: undefined });
  const shown = await frame(wanting({ lists: {} }));
  const { status } = shown;
  const pools = partsIn(shown).lists?.pools ?? [];
  expect(status).toMatchObject({ mismatch: undefined, verifiedAt: status.head, lost: 0 });
  expect(status.head).toBeGreaterThan(2_000);
  const index = plainIndex(headers);
  expect(pools.map((pool) => [pool.shape, pool.nodesInUse])).toEqual([['adaptive', index.size]]);

  const top = await ask({ type: 'wordTop', count: 20 }, 'words');
  expect(top.total).toBe(index.size);
  expect(top.rows).toEqual(expectedRows(index, 20));
  const found = await ask({ type: 'wordFind', word: 'Heap' }, 'words');
  expect(found.rows[0]?.count).toBe(index.get('heap')?.length);
  expect((await ask({ type: 'wordFind', word: 'nowhere-to-be' }, 'words')).rows).toEqual([]);
  expect((await ask({ type: 'verify' }, 'verified')).mismatch).toBeUndefined();
  const saved = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
  expect(saved.ok && saved.value.notes).toMatchObject({ title: 'Word index', chapters: kWordIndexChapters });
});

test('over more than 1 MB every event is applied, the walk agrees, and every word has its count and positions', async () => {
  const text = longText(1_200_000);
  const { ask, engine, frame, notes } = makeEngine();
  await ask({ type: 'runWordIndex', text: bytesOf(text) }, 'started');
  while (engine.tick());
  expect(notes[notes.length - 1]).toMatchObject({ running: false, message: undefined });

  const index = plainIndex(text);
  const top = await ask({ type: 'wordTop', count: index.size }, 'words');
  expect(top.total).toBe(index.size);
  expect(top.rows).toEqual(expectedRows(index, index.size));

  const { status } = await frame();
  expect(status).toMatchObject({ mismatch: undefined, verifiedAt: status.head, lost: 0 });
  console.info(
    `word index: ${text.length} bytes, ${index.size} words, all equal to the plain index; ` +
      `${status.head} events applied, 0 lost, verified at ${status.verifiedAt}`,
  );
});

test('words without an index are refused', async () => {
  const { run, refused } = makeEngine();
  await run('by_hand');
  expect(await refused({ type: 'wordTop', count: 3 })).toMatch(/no word index/);
});
