// Why a module cannot be instrumented, in a sentence; and what can be known of it before it is read whole.
//
//   wasm.1  A file that is refused is refused here or in family.ts, never half-way through a pass.

import { deepestNesting } from '../symbols/index.ts';

export type ModuleProblemCode =
  | 'not_wasm'
  | 'component'
  | 'already_instrumented'
  | 'damaged'
  | 'garbage_collected'
  | 'no_memory'
  | 'several_memories'
  | 'too_deep'
  | 'no_names'
  | 'no_allocator'
  | 'unknown_function'
  | 'wrong_type';

export class ModuleProblem extends Error {
  override readonly name = 'ModuleProblem';
  readonly code: ModuleProblemCode;

  constructor(code: ModuleProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Why Binaryen could not read or rewrite a module. It ends by an abort, by the end of its stack, or by an object without words; the engine,
 * which must run the module in any case, says better what is wrong with its bytes.
 */
export function problemOf(error: unknown, bytes: Uint8Array): ModuleProblem {
  if (error instanceof ModuleProblem) return error;
  const wrong = engineRefusal(bytes);
  if (wrong !== undefined) return new ModuleProblem('damaged', `it is no valid module: ${wrong}`);
  const said = error instanceof RangeError || !(error instanceof Error) ? '' : error.message.trim();
  if (said !== '') return new ModuleProblem('damaged', `Binaryen cannot rewrite it: ${said}`);
  const why =
    'a function nests too deeply, tens of thousands of blocks, or has instructions that this Binaryen does not know';
  return new ModuleProblem('too_deep', `Binaryen cannot read it and gives no reason, although it is valid: ${why}`);
}

/** What the engine says against it; undefined: nothing. */
function engineRefusal(bytes: Uint8Array): string | undefined {
  try {
    new WebAssembly.Module(Uint8Array.from(bytes));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^WebAssembly\.Module\(\): /, '') : 'it gives no reason';
  }
}

/** Binaryen's stack ends below that; far above it takes minutes to say so, since it writes each block with the spaces before it. */
const kMostNested = 15_000;
const kMagic = 0x6d736100; // '\0asm'
const kModuleVersion = 1;
const kTypeSection = 1;
const kImportSection = 2;
const kMemorySection = 5;
const kImportedFunction = 0;
const kImportedTable = 1;
const kImportedMemory = 2;
const kImportedGlobal = 3;
const kFunctionForm = 0x60;
const kRefForms = [0x63, 0x64]; // behind it stands a heap type

/** Throws what its first bytes and its types already forbid. */
export function checkBytes(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== kMagic) {
    throw new ModuleProblem('not_wasm', 'it is not a wasm file: those begin with the bytes 00 61 73 6d');
  }
  const version = view.getUint32(4, true);
  if (version !== kModuleVersion) {
    const isComponent = version >>> 16 === 1;
    throw isComponent
      ? new ModuleProblem('component', 'it is a component: instrument the core modules in it, one by one')
      : new ModuleProblem('not_wasm', `it is wasm of version ${version}, and only version 1 is known`);
  }
  if (hasManagedTypes(bytes)) {
    throw new ModuleProblem(
      'garbage_collected',
      'its objects are of wasm GC (struct and array types): the engine holds them, no heap in linear memory does',
    );
  }
  const nested = deepestNesting(bytes, kMostNested);
  if (nested > kMostNested)
    throw new ModuleProblem(
      'too_deep',
      `a function of it nests too deeply: ${nested} blocks, and Binaryen ends at some ${kMostNested}`,
    );
  if (memoriesIn(bytes) > 1)
    throw new ModuleProblem('several_memories', 'it has several memories, and blocks of one only can be recorded');
}

/** Whether the type section has anything but functions. */
function hasManagedTypes(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id !== kTypeSection) {
      reader.at = end;
      continue;
    }
    for (let left = reader.number(); left > 0; --left) {
      if (reader.byte() !== kFunctionForm) return true;
      for (let list = 0; list < 2; ++list) {
        for (let values = reader.number(); values > 0; --values) reader.skipType();
      }
    }
    return false;
  }
  return false;
}

/** Memories that it defines; an imported one beside one of its own makes two. */
export function memoriesIn(bytes: Uint8Array): number {
  const reader = new Reader(bytes, 8);
  let count = 0;
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id === kImportSection) count += importedMemories(reader);
    if (id === kMemorySection) return count + reader.number();
    reader.at = end;
  }
  return count;
}

function importedMemories(reader: Reader): number {
  let count = 0;
  for (let left = reader.number(); left > 0; --left) {
    for (let name = 0; name < 2; ++name) reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === kImportedMemory) count += 1;
    if (kind === kImportedFunction) reader.number();
    else if (kind === kImportedMemory || kind === kImportedTable) {
      if (kind === kImportedTable) reader.skipType();
      const hasMost = (reader.byte() & 1) !== 0;
      reader.number();
      if (hasMost) reader.number();
    } else if (kind === kImportedGlobal) {
      reader.skipType();
      reader.byte(); // whether it is set
    } else {
      reader.byte(); // a tag: its attribute and type
      reader.number();
    }
  }
  return count;
}

/** The names of the custom sections. */
export function customSections(bytes: Uint8Array): Set<string> {
  const names = new Set<string>();
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    if (id === 0) {
      const length = reader.number();
      names.add(new TextDecoder().decode(bytes.subarray(reader.at, reader.at + length)));
    }
    reader.at = end;
  }
  return names;
}

class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const value = this.#bytes[this.at++];
    if (value === undefined) throw new ModuleProblem('damaged', 'it ends in the middle of a section');
    return value;
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  /** A value type. */
  skipType(): void {
    if (kRefForms.includes(this.byte())) this.number();
  }

  /** LEB128, unsigned. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
}
