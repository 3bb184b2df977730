// Where the instructions of a function body begin and end: what must be known of each opcode is how long it is.
//
// wasm 3.0 without the instructions of garbage collection (prefix 0xfb): with threads, SIMD, both kinds of exceptions, tail calls and
// typed references.

import { type ByteReader, WasmFileError } from './byte_reader.ts';

export const kOp = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  try: 0x06,
  catch: 0x07,
  throw: 0x08,
  rethrow: 0x09,
  throwRef: 0x0a,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  returnCall: 0x12,
  returnCallIndirect: 0x13,
  callRef: 0x14,
  returnCallRef: 0x15,
  delegate: 0x18,
  catchAll: 0x19,
  tryTable: 0x1f,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i64Const: 0x42,
  i64Eqz: 0x50,
  i64Add: 0x7c,
  i64Mul: 0x7e,
  refFunc: 0xd2,
  brOnNull: 0xd5,
  brOnNonNull: 0xd6,
} as const;

/** A reference type with its heap type takes two parts. */
export function skipValueType(reader: ByteReader): void {
  const type = reader.u8();
  if (type === 0x63 || type === 0x64) reader.skipLeb();
}

/** Of a block: no type, a value type, or the number of a function type. */
export function skipBlockType(reader: ByteReader): void {
  if (isTypeNumber(reader)) reader.skipLeb();
  else skipValueType(reader);
}

/** Whether a block's type, next to be read, is a number: numbers are not negative, and the others are as signed LEB128. */
export function isTypeNumber({ bytes, at }: ByteReader): boolean {
  const kNegative = 0x40;
  const first = bytes[at] ?? 0;
  return first >= 0x80 || (first & kNegative) === 0;
}

// Blocks, branches, calls and references to functions are not among these: function_body.ts reads what stands behind them.

/** Opcodes alone, without anything behind them, below 0x20 and above 0xc4. */
const kBare = opcodes(0x01, 0x1a, 0x1b, 0xd1, 0xd3, 0xd4);
/** With one index, type or constant behind them. */
const kWithOne = opcodes(0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0);
const kOthers: Readonly<Record<number, (reader: ByteReader) => void>> = {
  [0x1c]: (reader) => {
    for (let left = reader.unsigned(); left > 0; --left) skipValueType(reader);
  },
  [0x43]: (reader) => reader.skip(4),
  [0x44]: (reader) => reader.skip(8),
  [0xfc]: skipBulk,
  [0xfd]: skipVector,
  [0xfe]: skipAtomic,
};

function opcodes(...some: readonly number[]): readonly boolean[] {
  return Array.from({ length: 256 }, (_, op) => some.includes(op));
}

/** Reads what stands behind the opcode, for opcodes that nobody looks into. */
export function skipImmediates(reader: ByteReader, op: number): void {
  if (op >= 0x45 && op <= 0xc4) return;
  if (kWithOne[op]) reader.skipLeb();
  else if (op >= 0x28 && op <= 0x3e) skipMemoryArgument(reader);
  else if (!kBare[op]) {
    const skip = kOthers[op];
    if (skip === undefined) throw unknown(reader, op);
    skip(reader);
  }
}

function skipMemoryArgument(reader: ByteReader): void {
  const kHasMemory = 0x40;
  if (reader.unsigned() & kHasMemory) reader.skipLeb();
  reader.skipLeb();
}

function skipBulk(reader: ByteReader): void {
  const op = reader.unsigned();
  if (op <= 7) return;
  if (op > 17) throw unknown(reader, 0xfc00 + op);
  reader.skipLeb();
  if (op === 8 || op === 10 || op === 12 || op === 14) reader.skipLeb(); // two indices
}

function skipVector(reader: ByteReader): void {
  const op = reader.unsigned();
  const isLane = op >= 84 && op <= 91;
  if (op <= 11 || isLane || op === 92 || op === 93) skipMemoryArgument(reader);
  if (op === 12 || op === 13) reader.skip(16);
  if (isLane || (op >= 21 && op <= 34)) reader.skip(1);
}

function skipAtomic(reader: ByteReader): void {
  const kFence = 3;
  if (reader.unsigned() === kFence) reader.skip(1);
  else skipMemoryArgument(reader);
}

function unknown(reader: ByteReader, op: number): WasmFileError {
  const collected = op === 0xfb ? ': it belongs to languages with garbage collection, which have no malloc' : '';
  return new WasmFileError(
    `the instruction 0x${op.toString(16)} at 0x${(reader.at - 1).toString(16)} is unknown${collected}`,
  );
}
