// A wasm file, as far as calls, names and places in the source need it: who is imported, exported, in a table, and each body's calls.
//
//   magic version │ id size payload │ id size payload │ ...      a section's payload begins at `from`
//
//   M1  Offsets are those of the file, as engines print them: wasm-function[12]:0x1a2b. DWARF counts from the payload of the code section.
//   M2  Imported functions come first in the numbering of functions.

import { ByteReader, WasmFileError } from './byte_reader.ts';
import { type FunctionBody, readFunctionBody } from './function_body.ts';
import { kOp, skipImmediates, skipValueType } from './instructions.ts';

export const kSection = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
} as const;

export interface Section {
  readonly id: number;
  /** Of a custom section; others have none. */
  readonly name: string;
  /** Where its id stands. */
  readonly headerAt: number;
  /** Behind its size, and behind the name of a custom one. */
  readonly from: number;
  readonly end: number;
}

export interface FunctionType {
  /** The same for the same type: its bytes, as a text. */
  readonly key: string;
  readonly params: number;
  readonly results: number;
  /** The bytes of the only result's type, when there is just one. */
  readonly result: readonly number[];
  /** The same for the same results. */
  readonly resultsKey: string;
}

export interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly type: number;
}

export interface ExportedItem {
  readonly name: string;
  readonly kind: number;
  readonly index: number;
}

export const kExported = { function: 0, table: 1, memory: 2, global: 3 } as const;

export interface WasmModule {
  readonly bytes: Uint8Array;
  readonly sections: readonly Section[];
  readonly types: readonly FunctionType[];
  readonly imports: readonly ImportedFunction[];
  /** The type of each function, imported ones first. */
  readonly functionTypes: readonly number[];
  readonly exports: readonly ExportedItem[];
  readonly importsTable: boolean;
  /** Functions in element segments and in initial values of globals. */
  readonly referenced: readonly number[];
  readonly bodies: readonly FunctionBody[];
}

export function readSections(bytes: Uint8Array): Section[] {
  const reader = new ByteReader(bytes);
  const kModule = 1;
  if (bytes.length < 8 || reader.u32() !== 0x6d736100) throw new WasmFileError('this is not a wasm file');
  const version = reader.u32();
  if (version !== kModule) throw new WasmFileError('this is a wasm component, not a module');
  const sections: Section[] = [];
  while (!reader.isDone) {
    const headerAt = reader.at;
    const id = reader.u8();
    const payload = reader.part(reader.unsigned());
    const name = id === kSection.custom ? payload.name() : '';
    sections.push({ id, name, headerAt, from: payload.at, end: payload.end });
  }
  return sections;
}

export function customSection(bytes: Uint8Array, sections: readonly Section[], name: string): Uint8Array | undefined {
  const found = sections.find((section) => section.name === name);
  return found === undefined ? undefined : bytes.subarray(found.from, found.end);
}

export function readModule(bytes: Uint8Array): WasmModule {
  const sections = readSections(bytes);
  const eachOf = <T>(id: number, read: (reader: ByteReader) => T): T[] => {
    const section = sections.find((one) => one.id === id);
    if (section === undefined) return [];
    const reader = new ByteReader(bytes, section.from, section.end);
    const items: T[] = [];
    for (let left = reader.unsigned(); left > 0; --left) items.push(read(reader));
    return items;
  };
  const imported = eachOf(kSection.import, readImport);
  const imports = imported.filter((one) => one.kind === kExported.function);
  const referenced: number[] = [];
  eachOf(kSection.global, (reader) => {
    skipValueType(reader);
    reader.skip(1);
    readConstant(reader, referenced);
  });
  eachOf(kSection.element, (reader) => readElements(reader, referenced));
  return {
    bytes,
    sections,
    types: eachOf(kSection.type, readFunctionType),
    imports,
    functionTypes: [...imports.map(({ type }) => type), ...eachOf(kSection.function, (reader) => reader.unsigned())],
    exports: eachOf(kSection.export, (reader) => ({
      name: reader.name(),
      kind: reader.u8(),
      index: reader.unsigned(),
    })),
    importsTable: imported.some(({ kind }) => kind === kExported.table),
    referenced,
    bodies: eachOf(kSection.code, readFunctionBody),
  };
}

function readFunctionType(reader: ByteReader): FunctionType {
  const kFunction = 0x60;
  if (reader.u8() !== kFunction) {
    throw new WasmFileError('the module has types of a language with garbage collection, which has no malloc');
  }
  const typeAt = reader.at;
  const params = reader.unsigned();
  for (let left = params; left > 0; --left) skipValueType(reader);
  const results = reader.unsigned();
  const from = reader.at;
  for (let left = results; left > 0; --left) skipValueType(reader);
  const key = reader.bytes.subarray(typeAt, reader.at).join(' ');
  const bytes = [...reader.bytes.subarray(from, reader.at)];
  return { key, params, results, result: results === 1 ? bytes : [], resultsKey: `${results}: ${bytes.join(' ')}` };
}

function readImport(reader: ByteReader): ImportedFunction & { readonly kind: number } {
  const module = reader.name();
  const name = reader.name();
  const kind = reader.u8();
  if (kind === kExported.function) return { module, name, kind, type: reader.unsigned() };
  if (kind === kExported.table) skipValueType(reader);
  if (kind === kExported.table || kind === kExported.memory) skipLimits(reader);
  else if (kind === kExported.global) {
    skipValueType(reader);
    reader.skip(1);
  } else {
    reader.skip(1); // a tag: its attribute and type
    reader.skipLeb();
  }
  return { module, name, kind, type: 0 };
}

function skipLimits(reader: ByteReader): void {
  const kHasMaximum = 1;
  const flags = reader.u8();
  reader.skipLeb();
  if (flags & kHasMaximum) reader.skipLeb();
}

/** An initial value, up to its end. */
function readConstant(reader: ByteReader, referenced: number[]): void {
  for (;;) {
    const op = reader.u8();
    if (op === kOp.end) return;
    if (op === kOp.refFunc) referenced.push(reader.unsigned());
    else skipImmediates(reader, op);
  }
}

/** The eight forms of an element segment: bit 0 not active, bit 1 with a table or declared only, bit 2 with expressions. */
function readElements(reader: ByteReader, referenced: number[]): void {
  const form = reader.unsigned();
  const isActive = (form & 1) === 0;
  const isExplicit = (form & 2) !== 0;
  const hasExpressions = (form & 4) !== 0;
  if (isActive && isExplicit) reader.skipLeb();
  if (isActive) readConstant(reader, referenced);
  if (form & 3) {
    if (hasExpressions) skipValueType(reader);
    else reader.skip(1);
  }
  for (let left = reader.unsigned(); left > 0; --left) {
    if (hasExpressions) readConstant(reader, referenced);
    else referenced.push(reader.unsigned());
  }
}
