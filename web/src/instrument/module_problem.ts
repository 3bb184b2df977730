// Why a module cannot be instrumented, in a sentence; and what can be known of it before it is read whole.
//
//   wasm.1  A file that is refused is refused here or in family.ts, never half-way through a pass.

export type ModuleProblemCode =
  | 'not_wasm'
  | 'component'
  | 'already_instrumented'
  | 'damaged'
  | 'garbage_collected'
  | 'no_memory'
  | 'memory64'
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

const kMagic = 0x6d736100; // '\0asm'
const kModuleVersion = 1;
const kTypeSection = 1;
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
}

/** Whether the type section has anything but functions. */
function hasManagedTypes(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id !== kTypeSection) {
      if (id > kTypeSection) return false; // sections come in order, custom ones (0) anywhere
      reader.at = end;
      continue;
    }
    for (let left = reader.number(); left > 0; --left) {
      if (reader.byte() !== kFunctionForm) return true;
      for (let list = 0; list < 2; ++list) {
        for (let values = reader.number(); values > 0; --values) if (kRefForms.includes(reader.byte())) reader.number();
      }
    }
    return false;
  }
  return false;
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
