// A wasm file, as far as calls, names and places in the source need it: who is imported, exported, in a table, and each body's calls.
//
//   magic version │ id size payload │ id size payload │ ...      a section's payload begins at `from`
//
//   M1  Offsets are those of the file, as engines print them: wasm-function[12]:0x1a2b. DWARF counts from the payload of the code section.
//   M2  Imported functions come first in the numbering of functions.
//   M3  Bodies are by far the most of a file: they are read when somebody first asks for them.

import { ByteReader, WasmFileError } from './byte_reader.ts';
import { type FunctionBody, readFunctionBody } from './function_body.ts';
import { kOp, skipImmediates, skipValueType } from './instructions.ts';

export const kSection = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
  tag: 13,
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
  /** Its bytes, behind the form. */
  readonly bytes: Uint8Array;
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

/** Where something begins and ends in the file. */
export interface Part {
  readonly from: number;
  readonly end: number;
}

export interface WasmModule {
  readonly bytes: Uint8Array;
  readonly sections: readonly Section[];
  readonly types: readonly FunctionType[];
  readonly imports: readonly ImportedFunction[];
  /** Globals that it imports, and its own. */
  readonly importedGlobals: readonly Part[];
  readonly globals: readonly Part[];
  /** The type of each function, imported ones first. */
  readonly functionTypes: readonly number[];
  readonly exports: readonly ExportedItem[];
  readonly importsTable: boolean;
  /** The function that runs as an instance is made. */
  readonly start: number | undefined;
  /** Functions in element segments and in initial values of globals. */
  readonly referenced: readonly number[];
  /** Where numbers of functions and of globals stand in element and data segments and in initial values. */
  readonly functionsAt: readonly number[];
  readonly globalsAt: readonly number[];
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
  const constants = new Constants();
  eachOf(kSection.table, (reader) => readTable(reader, constants));
  const globals = eachOf(kSection.global, (reader) => readGlobal(reader, constants));
  eachOf(kSection.element, (reader) => readElements(reader, constants));
  eachOf(kSection.data, (reader) => readData(reader, constants));
  let bodies: FunctionBody[] | undefined; // M3
  return {
    bytes,
    sections,
    types: eachOf(kSection.type, readFunctionType),
    imports,
    importedGlobals: imported.filter((one) => one.kind === kExported.global),
    globals,
    functionTypes: [...imports.map(({ type }) => type), ...eachOf(kSection.function, (reader) => reader.unsigned())],
    exports: eachOf(kSection.export, (reader) => ({
      name: reader.name(),
      kind: reader.u8(),
      index: reader.unsigned(),
    })),
    importsTable: imported.some(({ kind }) => kind === kExported.table),
    start: startOf(bytes, sections),
    referenced: constants.functions,
    functionsAt: constants.functionsAt,
    globalsAt: constants.globalsAt,
    get bodies() {
      bodies ??= eachOf(kSection.code, readFunctionBody);
      return bodies;
    },
  };
}

function startOf(bytes: Uint8Array, sections: readonly Section[]): number | undefined {
  const section = sections.find(({ id }) => id === kSection.start);
  return section && new ByteReader(bytes, section.from, section.end).unsigned();
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
  const own = reader.bytes.subarray(typeAt, reader.at);
  const key = own.join(' ');
  const given = [...reader.bytes.subarray(from, reader.at)];
  const result = results === 1 ? given : [];
  return { bytes: own, key, params, results, result, resultsKey: `${results}: ${given.join(' ')}` };
}

function readImport(reader: ByteReader): ImportedFunction & Part & { readonly kind: number } {
  const from = reader.at;
  const module = reader.name();
  const name = reader.name();
  const kind = reader.u8();
  const type = kind === kExported.function ? reader.unsigned() : 0;
  if (kind === kExported.table) skipValueType(reader);
  if (kind === kExported.table || kind === kExported.memory) skipLimits(reader);
  else if (kind === kExported.global) {
    skipValueType(reader);
    reader.skip(1);
  } else if (kind !== kExported.function) {
    reader.skip(1); // a tag: its attribute and type
    reader.skipLeb();
  }
  return { module, name, kind, type, from, end: reader.at };
}

function skipLimits(reader: ByteReader): void {
  const kHasMaximum = 1;
  const flags = reader.u8();
  reader.skipLeb();
  if (flags & kHasMaximum) reader.skipLeb();
}

/** What initial values and segments name. */
class Constants {
  readonly functions: number[] = [];
  readonly functionsAt: number[] = [];
  readonly globalsAt: number[] = [];

  function(reader: ByteReader): void {
    this.functionsAt.push(reader.at);
    this.functions.push(reader.unsigned());
  }

  /** An initial value, up to its end. */
  read(reader: ByteReader): void {
    for (;;) {
      const op = reader.u8();
      if (op === kOp.end) return;
      if (op === kOp.refFunc) this.function(reader);
      else {
        if (op === kOp.globalGet) this.globalsAt.push(reader.at);
        skipImmediates(reader, op);
      }
    }
  }
}

function readGlobal(reader: ByteReader, constants: Constants): Part {
  const from = reader.at;
  skipValueType(reader);
  reader.skip(1);
  constants.read(reader);
  return { from, end: reader.at };
}

/** One with an initial value begins with 0x40 0x00, which is no type. */
function readTable(reader: ByteReader, constants: Constants): void {
  const kWithValue = 0x40;
  const hasValue = reader.bytes[reader.at] === kWithValue;
  if (hasValue) reader.skip(2);
  skipValueType(reader);
  skipLimits(reader);
  if (hasValue) constants.read(reader);
}

/** The eight forms of an element segment: bit 0 not active, bit 1 with a table or declared only, bit 2 with expressions. */
function readElements(reader: ByteReader, constants: Constants): void {
  const form = reader.unsigned();
  const isActive = (form & 1) === 0;
  const isExplicit = (form & 2) !== 0;
  const hasExpressions = (form & 4) !== 0;
  if (isActive && isExplicit) reader.skipLeb();
  if (isActive) constants.read(reader);
  if (form & 3) {
    if (hasExpressions) skipValueType(reader);
    else reader.skip(1);
  }
  for (let left = reader.unsigned(); left > 0; --left) {
    if (hasExpressions) constants.read(reader);
    else constants.function(reader);
  }
}

/** The three forms of a data segment: active, passive, and with a memory. */
function readData(reader: ByteReader, constants: Constants): void {
  const form = reader.unsigned();
  if (form === 2) reader.skipLeb();
  if (form !== 1) constants.read(reader);
  reader.skip(reader.unsigned());
}
