// What is said of a family that lacks functions: each note where its functions are missing, and only there.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../../web/src/instrument/instrument.ts';

const kParameters = { malloc: 1, free: 1, calloc: 2, realloc: 2, memalign: 2, posix_memalign: 3 } as const;
type Name = keyof typeof kParameters;

async function notesOn(...names: readonly Name[]): Promise<readonly string[]> {
  const functions = names.map((name) => {
    const body = name === 'free' ? ')' : '(result i32) (i32.const 8))';
    return `(func (export "${name}") ${'(param i32) '.repeat(kParameters[name])}${body}`;
  });
  const text = `(module (memory 1) ${functions.join('\n')})`;
  return instrument(binaryen, (await wabt()).parseWat('m.wat', text).toBinary({}).buffer).family.notes;
}

const kNoFree = 'no free was found: every block seems to live for ever';
const kNoRealloc = 'no realloc was found: a block that it resizes in place keeps its first size; --realloc names it';
const kNoCalloc = 'calloc and memalign were not found: they are seen only as the malloc that they call';

test.each<[readonly Name[], readonly string[]]>([
  [['malloc'], [kNoFree, kNoRealloc, kNoCalloc]],
  [
    ['malloc', 'free'],
    [kNoRealloc, kNoCalloc],
  ],
  [['malloc', 'free', 'realloc'], [kNoCalloc]],
  [['malloc', 'free', 'calloc'], [kNoRealloc]],
  [['malloc', 'free', 'memalign'], [kNoRealloc]],
  [['malloc', 'free', 'posix_memalign'], [kNoRealloc]],
  [['malloc', 'free', 'realloc', 'calloc'], []],
])('of a module with %j it is said what is not seen', async (names, notes) => {
  expect(await notesOn(...names)).toEqual(notes);
});
