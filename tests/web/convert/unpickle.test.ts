// Pickles that take what they did not make: each is refused where it does so.

import { expect, test } from 'vitest';
import { unpickle } from '../../../web/src/convert/unpickle.ts';

const kTaken = 'the pickle takes what it did not make';
const [kMark, kNone, kList, kDict] = [0x28, 0x4e, 0x5d, 0x7d];
test.each<[string, readonly number[], string]>([
  ['nothing as its value', [0x2e], `byte 3: ${kTaken}`],
  ['a mark as its value', [kMark, 0x2e], `byte 4: ${kTaken}`],
  ['nothing to remember', [0x94, 0x2e], `byte 3: ${kTaken}`],
  ['two items of a tuple where one is', [kNone, 0x86, 0x2e], `byte 4: ${kTaken}`],
  ['an item of a list behind a mark', [kList, kMark, 0x61, 0x2e], `byte 5: ${kTaken}`],
  ['a list to append to', [kNone, 0x61, 0x2e], `byte 4: ${kTaken}`],
  ['a key of a dictionary', [kNone, 0x73, 0x2e], `byte 4: ${kTaken}`],
  ['items since a mark', [kNone, 0x74, 0x2e], 'byte 4: the pickle lacks a mark'],
  ['what is in no memo', [0x68, 7, 0x2e], 'byte 4: the pickle reads memo 7, which it did not write'],
  ['a dictionary as a list', [kDict, kNone, 0x61, 0x2e], 'byte 5: the pickle appends to what is no list'],
  ['a list as a dictionary', [kList, kNone, kNone, 0x73], 'byte 6: the pickle sets items of what is no dictionary'],
])('a pickle that takes %s is refused', (_, opcodes, error) => {
  expect(unpickle(Uint8Array.of(0x80, 2, ...opcodes))).toEqual({ ok: false, error });
});

test('none is a value like any other', () => {
  expect(unpickle(Uint8Array.of(0x80, 2, kNone, 0x94, 0x68, 0, 0x86, 0x2e))).toEqual({ ok: true, value: [null, null] });
});
