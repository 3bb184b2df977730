// How long each instruction is that nobody looks into, by the tables of the binary format: what stands behind its opcode, and no more.

import { expect, test } from 'vitest';
import { ByteReader, WasmFileError } from '../../../web/src/symbols/byte_reader.ts';
import { isTypeNumber, skipBlockType, skipImmediates, skipValueType } from '../../../web/src/symbols/instructions.ts';

const kTail = [0x81, 0x82, 0x83, 0x84, 0x85]; // never a whole number: what is read too far throws
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Reads what is behind an opcode, in front of bytes that are not its own; how many of its own are left. */
function left(op: number, behind: readonly number[]): number {
  const reader = new ByteReader(Uint8Array.from([...behind, ...kTail]));
  skipImmediates(reader, op);
  return behind.length - reader.at;
}

const kOne = [0x80, 0x01]; // a number of two bytes
const kMemory = [0x02, 0x80, 0x01]; // the alignment, an offset of two bytes
const kOtherMemory = [0x42, 0x03, 0x80, 0x01]; // the same of memory 3
const k16 = range(1, 16);

test.each<[string, readonly number[], readonly number[]]>([
  ['nothing', [0x01, 0x1a, 0x1b, ...range(0x45, 0xc4), 0xd1, 0xd3, 0xd4], []],
  ['an index, a type or a constant', [...range(0x20, 0x26), 0x3f, 0x40, 0x41, 0x42, 0xd0], kOne],
  ['the types of a select', [0x1c], [3, 0x7f, 0x63, 0x05, 0x7e]],
  ['a place in memory', range(0x28, 0x3e), kMemory],
  ['a place in a further memory', range(0x28, 0x3e), kOtherMemory],
  ['four bytes', [0x43], [0x80, 0x80, 0x80, 0x80]],
  ['eight bytes', [0x44], Array<number>(8).fill(0x80)],
])('behind an opcode with %s that is read, and no more', (_, opcodes, behind) => {
  for (const op of opcodes) expect(left(op, behind), `0x${op.toString(16)}`).toBe(0);
});

test.each<[string, number, readonly number[], readonly number[]]>([
  ['no more, of conversions', 0xfc, range(0, 7), []],
  ['two indices, of copies and segments', 0xfc, [8, 10, 12, 14], [...kOne, ...kOne]],
  ['one index, of the others in bulk', 0xfc, [9, 11, 13, 15, 16, 17], kOne],
  ['a place in memory, of loads and stores of vectors', 0xfd, [...range(0, 11), 92, 93], kMemory],
  ['16 bytes, of a constant vector and of a shuffle', 0xfd, [12, 13], k16],
  ['a lane', 0xfd, range(21, 34), [0x80]],
  ['a place in memory and a lane', 0xfd, range(84, 91), [...kMemory, 0x80]],
  ['no more, of what works on whole vectors', 0xfd, [...range(14, 20), ...range(35, 83), ...range(94, 255)], []],
  ['a place in memory, of atomic operations', 0xfe, [0, 1, 2, ...range(0x10, 0x4e)], kMemory],
  ['one byte, of a fence', 0xfe, [3], [0x80]],
])('behind a prefix and its number there is %s', (_, prefix, numbers, behind) => {
  for (const number of numbers) {
    const bytes = number < 128 ? [number] : [number, 0x01];
    expect(left(prefix, [...bytes, ...behind]), `0x${prefix.toString(16)} ${number}`).toBe(0);
  }
});

test('what is no instruction is named, with its place, and whose it may be', () => {
  const refusal = (op: number, behind: readonly number[] = []) => {
    const reader = new ByteReader(Uint8Array.from([op, ...behind, ...kTail]));
    reader.u8();
    try {
      skipImmediates(reader, op);
    } catch (error) {
      return error instanceof WasmFileError ? error.message : error;
    }
    return undefined;
  };
  for (const op of [0x16, 0x1d, 0x1e, 0x27, 0xc5, 0xcf, 0xd7, 0xfa, 0xff])
    expect(refusal(op)).toBe(`the instruction 0x${op.toString(16)} at 0x0 is unknown`);
  expect(refusal(0xfb)).toMatch(/0xfb at 0x0 is unknown: it belongs to languages with garbage collection/);
  expect(refusal(0xfc, [18])).toBe('the instruction 0xfc12 at 0x1 is unknown');
});

test('a value type is one byte, and a reference to a type its number too', () => {
  const length = (skip: (reader: ByteReader) => void, bytes: readonly number[]) => {
    const reader = new ByteReader(Uint8Array.from([...bytes, ...kTail]));
    skip(reader);
    return reader.at;
  };
  for (const type of [0x7f, 0x7b, 0x70, 0x6f]) expect(length(skipValueType, [type])).toBe(1);
  for (const type of [0x63, 0x64]) expect(length(skipValueType, [type, 0x80, 0x01])).toBe(3);
  expect(length(skipBlockType, [0x40])).toBe(1);
  expect(length(skipBlockType, [0x7f])).toBe(1);
  expect(length(skipBlockType, [0x63, 0x05])).toBe(2);
  expect(length(skipBlockType, [0x3f])).toBe(1);
  expect(length(skipBlockType, [0x80, 0x01])).toBe(2);
});

test("a block's type is a number when it is not negative", () => {
  const isNumber = (...bytes: readonly number[]) => isTypeNumber(new ByteReader(Uint8Array.from(bytes)));
  expect([isNumber(0), isNumber(0x3f), isNumber(0x80, 0x01), isNumber(0xc0, 0x00)]).toEqual([true, true, true, true]);
  expect([isNumber(0x40), isNumber(0x7f), isNumber(0x64, 0)]).toEqual([false, false, false]);
});
