// A wasm file whose instances show all that they keep outside their memory: each mutable global and each table gets an export of its
// own. The code stays as it is; only the list of exports grows.
//
//   exposed.E1  What an instance can change outside its memory: its mutable globals (the stack pointer, what Asyncify keeps), its tables,
//      the memory itself. Imported globals belong to the host, and every instance imports the same. Which segments were dropped cannot
//      be asked, and need not be: a program that runs does not use a dropped one again.
//   exposed.E2  What cannot be carried from one instance to the next is a sentence in `refusal`: the module then runs, and never shrinks.

import { dataRuns } from './data_segments.ts';
import { type ByteReader, markOf, nameBytes, readerOf, unsignedBytes } from './wasm_bytes.ts';

export interface ExposedTable {
  readonly name: string;
  readonly functions: boolean;
}

export interface ExposedModule {
  readonly bytes: Uint8Array;
  /** Names of the exports that were added. */
  readonly globals: readonly string[];
  readonly tables: readonly ExposedTable[];
  /** The export of an own memory; undefined: it is imported. */
  readonly memory: string | undefined;
  readonly imported: ImportedMemory | undefined;
  readonly refusal: string | undefined;
  /** Address and bytes of what the file fills in a fresh memory, in turn; undefined: nobody knows (data_segments.ts). */
  readonly data: readonly number[] | undefined;
  /** Of the file as it was: other code or data give another number. */
  readonly mark: number;
}

export interface ImportedMemory {
  readonly module: string;
  readonly name: string;
  readonly initial: number;
  readonly maximum: number | undefined;
}

const kHeader = 8;
const Section = { custom: 0, import: 2, table: 4, memory: 5, global: 6, export: 7, start: 8, data: 11 } as const;
const Kind = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;
const kFunctionReference = 0x70;
const kVector = 0x7b;
const kShared = 2;
const k64Bits = 4;

interface Found {
  imported: ImportedMemory | undefined;
  importedGlobals: number;
  importedTables: number;
  memories: number;
  tables: number[]; // types
  globals: { readonly type: number; readonly mutable: boolean }[];
  exportsAt: number; // where the section begins, or would
  exportsEnd: number;
  exports: Uint8Array; // entries as they are
  exportCount: number;
  refusal: string | undefined;
  data: number[] | undefined;
}

export function exposeState(bytes: Uint8Array): ExposedModule {
  const found = readModule(bytes);
  const entries: number[] = [];
  let added = 0;
  const add = (name: string, kind: number, index: number): string => {
    const entry = nameBytes(name).concat([kind], unsignedBytes(index));
    for (const byte of entry) entries.push(byte);
    ++added;
    return name;
  };
  const globals: string[] = [];
  found.globals.forEach((global, i) => {
    if (global.mutable) globals.push(add(`heapglass.global.${i}`, Kind.global, found.importedGlobals + i));
  });
  const tables = found.tables.map((type, i) => ({
    name: add(`heapglass.table.${i}`, Kind.table, found.importedTables + i),
    functions: type === kFunctionReference,
  }));
  const memory =
    found.imported === undefined && found.memories > 0 ? add('heapglass.memory', Kind.memory, 0) : undefined;
  return {
    bytes: withExports(bytes, found, added, entries),
    globals: globals,
    tables: tables,
    memory: memory,
    imported: found.imported,
    refusal: found.refusal,
    data: found.data,
    mark: markOf(bytes),
  };
}

function withExports(bytes: Uint8Array, found: Found, added: number, entries: readonly number[]): Uint8Array {
  const count = unsignedBytes(found.exportCount + added);
  const size = unsignedBytes(count.length + found.exports.length + entries.length);
  const head = [Section.export as number].concat(size, count);
  const parts = [bytes.subarray(0, found.exportsAt), head, found.exports, entries, bytes.subarray(found.exportsEnd)];
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function readModule(bytes: Uint8Array): Found {
  const found: Found = {
    imported: undefined,
    importedGlobals: 0,
    importedTables: 0,
    memories: 0,
    tables: [],
    globals: [],
    exportsAt: 0,
    exportsEnd: 0,
    exports: new Uint8Array(0),
    exportCount: 0,
    refusal: undefined,
    data: [],
  };
  const reader = readerOf(bytes, kHeader);
  while (reader.at < bytes.length) {
    const begin = reader.at;
    const id = reader.byte();
    const size = reader.unsigned();
    const end = reader.at + size;
    if (id > Section.export && found.exportsAt === 0 && id !== kTagSection) found.exportsAt = found.exportsEnd = begin;
    readSection(reader, id, end, found);
    if (id === Section.export) {
      found.exportsAt = begin;
      found.exportsEnd = end;
    }
    reader.at = end;
  }
  if (found.exportsAt === 0) found.exportsAt = found.exportsEnd = bytes.length;
  if (found.memories !== 1) refuse(found, `it has ${found.memories} memories, and one can be exchanged`);
  return found;
}

const kTagSection = 13; // stands between memory and global

/** The first sentence stays. */
function refuse(found: Found, sentence: string): void {
  if (found.refusal === undefined) found.refusal = sentence;
}

function readSection(reader: ByteReader, id: number, end: number, found: Found): void {
  if (id === Section.custom) {
    const name = reader.name();
    if (name === 'dylink.0' || name === 'dylink') refuse(found, kDynamic);
  } else if (id === Section.import) {
    for (let left = reader.unsigned(); left > 0; --left) readImport(reader, found);
  } else if (id === Section.table) {
    for (let left = reader.unsigned(); left > 0; --left) readTable(reader, found);
  } else if (id === Section.memory) {
    for (let left = reader.unsigned(); left > 0; --left) readLimits(reader, found);
  } else if (id === Section.global) {
    for (let left = reader.unsigned(); left > 0; --left) readGlobal(reader, found);
  } else if (id === Section.export) {
    found.exportCount = reader.unsigned();
    found.exports = reader.bytes.subarray(reader.at, end);
  } else if (id === Section.start) {
    refuse(found, 'it has a start function, which a second instance would run again');
  } else if (id === Section.data) {
    found.data = dataRuns(reader);
  }
}

const kDynamic = 'it is linked dynamically: other modules are in its memory and its table';

function readImport(reader: ByteReader, found: Found): void {
  const module = reader.name();
  const name = reader.name();
  const kind = reader.byte();
  if (module === 'GOT.mem' || module === 'GOT.func' || name === '__memory_base') refuse(found, kDynamic);
  if (kind === Kind.function) reader.skipNumber();
  else if (kind === Kind.table) {
    reader.byte();
    const flags = reader.byte();
    reader.skipNumber();
    if ((flags & 1) !== 0) reader.skipNumber();
    ++found.importedTables;
    refuse(found, 'its table is imported: others may call through it');
  } else if (kind === Kind.memory) {
    const limits = readLimits(reader, found);
    found.imported = { module: module, name: name, initial: limits.initial, maximum: limits.maximum };
  } else if (kind === Kind.global) {
    reader.byte();
    reader.byte();
    ++found.importedGlobals;
  } else if (kind === Kind.tag) {
    reader.byte();
    reader.skipNumber();
  } else throw new RangeError(`the wasm file imports a thing of kind ${kind}`);
}

function readLimits(reader: ByteReader, found: Found): { initial: number; maximum: number | undefined } {
  const flags = reader.byte();
  ++found.memories;
  if ((flags & kShared) !== 0) refuse(found, 'its memory is shared: other threads are in it');
  if ((flags & k64Bits) !== 0) refuse(found, 'its memory has 64-bit addresses');
  const initial = reader.unsigned();
  return { initial: initial, maximum: (flags & 1) !== 0 ? reader.unsigned() : undefined };
}

function readTable(reader: ByteReader, found: Found): void {
  const type = reader.byte();
  if (type < 0x6f || type > kFunctionReference) {
    refuse(found, 'it has a table of a kind that is not known');
    return;
  }
  const flags = reader.byte();
  reader.skipNumber();
  if ((flags & 1) !== 0) reader.skipNumber();
  found.tables.push(type);
}

function readGlobal(reader: ByteReader, found: Found): void {
  const type = reader.byte();
  const mutable = reader.byte() === 1;
  if (mutable && type === kVector) refuse(found, 'it keeps a vector in a global, which JavaScript cannot read');
  if (mutable && type < kVector) refuse(found, 'it keeps a reference in a global');
  skipExpression(reader);
  found.globals.push({ type: type, mutable: mutable });
}

const Operation = {
  end: 0x0b,
  globalGet: 0x23,
  i32: 0x41,
  i64: 0x42,
  f32: 0x43,
  f64: 0x44,
  nothing: 0xd0,
  reference: 0xd2,
};
const kVectorPrefix = 0xfd;

/** A constant expression: numbers, globals, sums of them. */
function skipExpression(reader: ByteReader): void {
  for (;;) {
    const code = reader.byte();
    if (code === Operation.end) return;
    if (code === Operation.f32) reader.at += 4;
    else if (code === Operation.f64) reader.at += 8;
    else if (code === kVectorPrefix) {
      reader.skipNumber();
      reader.at += 16;
    } else if (code === Operation.nothing) reader.byte();
    else if (
      code === Operation.i32 ||
      code === Operation.i64 ||
      code === Operation.globalGet ||
      code === Operation.reference
    )
      reader.skipNumber();
    else if (!isArithmetic(code)) throw new RangeError(`a global begins with operation ${code}`);
  }
}

/** Sums and products of integers, which take nothing behind them. */
const isArithmetic = (code: number): boolean => (code >= 0x6a && code <= 0x6c) || (code >= 0x7c && code <= 0x7e);
