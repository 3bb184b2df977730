import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeEngine } from './harness.ts';

const text = ['event.h', 'heapglass.h'].map((name) =>
  readFileSync(new URL(`../../../core/include/heapglass/${name}`, import.meta.url), 'latin1'),
);
const all = new Uint8Array(Buffer.from(text.join('\n'), 'latin1'));

/** The plain index that word_index.h describes. */
function plainIndex(): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const found of text.join('\n').matchAll(/[A-Za-z0-9\x80-\xff]+(?:'[A-Za-z0-9\x80-\xff]+)*/g)) {
    const word = found[0].replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    index.set(word, [...(index.get(word) ?? []), found.index]);
  }
  return index;
}

test('the word index runs watched, is proved, and answers as a plain index does', async () => {
  const { ask, engine, frame, notes } = makeEngine();
  await ask({ type: 'runWordIndex', text: all.slice().buffer }, 'started');
  while (engine.tick());
  expect(notes[notes.length - 1]).toMatchObject({ running: false, message: undefined });
  const { status, pools } = await frame();
  expect(status).toMatchObject({ mismatch: undefined, verifiedAt: status.head, lost: 0 });
  expect(status.head).toBeGreaterThan(2_000);
  const index = plainIndex();
  expect(pools.map((pool) => [pool.shape, pool.nodesInUse])).toEqual([['adaptive', index.size]]);

  const top = await ask({ type: 'wordTop', count: 20 }, 'words');
  expect(top.total).toBe(index.size);
  const expected = [...index]
    .sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1))
    .slice(0, 20)
    .map(([word, positions]) => ({ word, count: positions.length, positions: positions.slice(0, 64) }));
  expect(top.rows).toEqual(expected);
  const found = await ask({ type: 'wordFind', word: 'Heap' }, 'words');
  expect(found.rows[0]?.count).toBe(index.get('heap')?.length);
  expect((await ask({ type: 'wordFind', word: 'nowhere-to-be' }, 'words')).rows).toEqual([]);
  expect((await ask({ type: 'verify' }, 'verified')).mismatch).toBeUndefined();
});

test('words without an index are refused', async () => {
  const { run, refused } = makeEngine();
  await run('by_hand');
  expect(await refused({ type: 'wordTop', count: 3 })).toMatch(/no word index/);
});
