// Lists of operations as text: what each line becomes, and what cannot be read with its line.

import { expect, test } from 'vitest';
import { readOperationList } from '../../../web/src/convert/operation_lists.ts';
import { idOfWord, kindOfWord, OperationKind } from '../../../web/src/replay/operation_list.ts';

const { malloc, calloc, aligned, realloc, free } = OperationKind;

function read(text: string): number[][] {
  const list = readOperationList(text);
  if (!list.ok) throw new Error(list.error);
  const words = list.value.words();
  return Array.from({ length: words.length / 2 }, (_, nth) => {
    const word = words[nth * 2] ?? 0;
    return [kindOfWord(word), idOfWord(word), words[nth * 2 + 1] ?? 0];
  });
}
const errorOf = (text: string): string => {
  const list = readOperationList(text);
  return list.ok ? '' : list.error;
};

test('an id is one block until its free; then its number is used again', () => {
  expect(read('a x 8\na y 16\nf x\na z 24\nf z\nf y')).toEqual([
    [malloc, 0, 8],
    [malloc, 1, 16],
    [free, 0, 0],
    [malloc, 0, 24],
    [free, 0, 0],
    [free, 1, 0],
  ]);
});

test('an alignment beyond that of malloc makes an aligned block; a realloc of nothing is a malloc, to nothing a free', () => {
  expect(read('a 1 100 8')).toEqual([[malloc, 0, 100]]);
  expect(read('a 1 100 16')[0]?.[0]).toBe(aligned);
  expect(read('m 1 100 64')[0]?.[0]).toBe(aligned);
  expect(read('c 1 100\nr 1 200\nr 1 0\nr 2 5')).toEqual([
    [calloc, 0, 100],
    [realloc, 0, 200],
    [free, 0, 0],
    [malloc, 0, 0],
    [malloc, 1, 5],
  ]);
});

test('headers, comments and empty lines are passed over, and the last line needs no end', () => {
  expect(read('4\n200\nop,id,size\n# what\n\nmalloc,1,8\nfree,1')).toHaveLength(2);
  expect(errorOf('a 1 8\n12\nf 1')).toContain('line 2: there is no operation "12"');
});

test('fields are separated by any number of blanks, commas and semicolons', () => {
  const plain = read('a 1 100\nf 1');
  expect(read('a\t 1   100\nf  1')).toEqual(plain);
  expect(read('malloc, 1, 100\nfree; 1')).toEqual(plain);
});

test('of a long word that cannot be read only the beginning is quoted', () => {
  const [word, shown] = ['9'.repeat(100), '9'.repeat(40)];
  expect(errorOf(`x${word} 1`)).toContain(`no operation "x${shown.slice(1)}";`);
  expect(errorOf(`a 1 ${word}`)).toContain(`: "${shown}" is no size`);
  expect(errorOf(`f ${word}`)).toContain(`block ${shown} is not live`);
});

test('a size is up to 32 bits, and what is wrong is named with its line', () => {
  expect(read('a 1 4294967295\na 2 0')).toHaveLength(2);
  expect(errorOf('a 1 4294967296')).toContain('line 1: "4294967296" is no size');
  expect(errorOf('a 1 8\nf 1\nf 1')).toContain('line 3: block 1 is not live');
  expect(errorOf('a 1 8\na 1 8')).toContain('line 2: block 1 is live already');
  expect(errorOf('a 1 8 24')).toContain('"24" is no alignment, which is a power of two');
  expect(read('a 1 8 268435456')).toHaveLength(1);
  expect(errorOf('a 1 8 536870912')).toContain('is no alignment');
  expect(errorOf('a')).toContain('the block has no id');
  expect(errorOf('# nothing')).toContain('there is no operation in it');
});
