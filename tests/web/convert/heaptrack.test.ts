import { expect, test } from 'vitest';
import { readHeaptrack } from '../../../web/src/convert/heaptrack.ts';
import { idOfWord } from '../../../web/src/replay/operation_list.ts';

test('of equal blocks the one allocated last is freed, and each is freed once', () => {
  const read = readHeaptrack('a 40 1\n+ 0\n+ 0\n- 0\n+ 0\n- 0\n- 0\n- 0\n');
  if (!read.ok) throw new Error(read.error);
  const words = read.value.words();
  expect(Array.from({ length: read.value.count }, (_, nth) => idOfWord(words[nth * 2] ?? 0))).toEqual([
    0, 1, 1, 1, 1, 0,
  ]);
});
