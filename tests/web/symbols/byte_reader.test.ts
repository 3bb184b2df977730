// The bytes of a part: what ends behind it is refused, though the file goes on.

import { expect, test } from 'vitest';
import { ByteReader, WasmFileError } from '../../../web/src/symbols/byte_reader.ts';

type Read = (reader: ByteReader) => unknown;
const u16: Read = (reader) => reader.u16();
const u32: Read = (reader) => reader.u32();
const text = 'ab';

test.each<[string, Read, readonly number[], unknown]>([
  ['a byte', (reader) => reader.u8(), [7], 7],
  ['two bytes', u16, [1, 2], 0x0201],
  ['four bytes', u32, [1, 2, 3, 0x84], 0x84030201],
  ['a number of any size', (reader) => reader.unsigned(), [0x80, 0x81, 1], 128 + 128 ** 2],
  ['a number with a sign', (reader) => reader.signed(), [0x80, 0x7f], -128],
  ['a number that is passed over', (reader) => reader.skipLeb(), [0x80, 0x80, 1], undefined],
  ['a text behind its size', (reader) => reader.name(), [2, 97, 98], text],
  ['a text before a zero', (reader) => reader.zeroEnded(), [97, 98, 0], text],
  ['bytes that are passed over', (reader) => reader.skip(3), [1, 2, 3], undefined],
])('%s may end with the part it is in, and not behind it', (_, read, bytes, value) => {
  const file = Uint8Array.of(9, ...bytes, ...bytes); // more follows, which would do
  const whole = new ByteReader(file, 1, 1 + bytes.length);
  expect(read(whole)).toBe(value);
  expect([whole.at, whole.isDone]).toEqual([1 + bytes.length, true]);
  expect(() => read(whole)).toThrow(WasmFileError);
  expect(whole.at).toBe(1 + bytes.length);
  for (let size = 0; size < bytes.length; ++size)
    expect(() => read(new ByteReader(file, 1).part(size)), `${size} bytes`).toThrow(WasmFileError);
});
