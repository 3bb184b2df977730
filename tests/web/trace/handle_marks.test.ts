import { describe, expect, test } from 'vitest';
import { type HandleMark, handleMarkText, isHandleText, readHandleMark } from '../../../web/src/trace/handle_marks.ts';
import { textOfRecords, textRecords } from '../../../web/src/trace/texts.ts';

const kMarks: readonly HandleMark[] = [
  { is: 'origin', origin: 3, pointsTo: 'inside', className: 'Counter' },
  { is: 'origin', origin: 4, pointsTo: 'pointer', className: 'a name with spaces\nand lines' },
  { is: 'frame', origin: 3, nth: 12, frame: 'Level.open@http://host/level.ts:12' },
  { is: 'made', handle: 7, origin: 3, address: 0xfffffff8, smart: 0, isEarlier: false },
  { is: 'made', handle: 8, origin: 3, address: 0x1f4c, smart: 0x1f00, isEarlier: true },
  { is: 'deleted', handle: 7 },
  { is: 'collected', handle: 4294967295 },
];

describe('marks of handles', () => {
  test.each(kMarks)('%o is read as it was written', (mark) => {
    const text = handleMarkText(mark);
    expect(isHandleText(text)).toBe(true);
    expect(readHandleMark(text)).toEqual(mark);
    const words = textRecords(text);
    const records = Array.from({ length: words.length / 4 }, (_, i) => words.subarray(4 * i, 4 * i + 4));
    expect(textOfRecords(records)).toBe(text);
  });

  test('names of programs are none', () => {
    for (const name of ['', 'level 3', 'm7 3 1f4c', 'o3 i Counter']) {
      expect(isHandleText(name)).toBe(false);
      expect(readHandleMark(name)).toBe(undefined);
    }
  });

  test('what is cut or hostile is not read', () => {
    for (const text of [
      '\u0001',
      '\u0001m',
      '\u0001m0 1 8',
      '\u0001m7 3',
      '\u0001m7 3 123456789',
      '\u0001o3 z C',
      '\u0001dx',
      '\u0001d7x',
      '\u0001c12345678901',
    ])
      expect(readHandleMark(text)).toBe(undefined);
  });
});
