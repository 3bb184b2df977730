// What functions are called: by the name section, else by an import or export of theirs.

import { ByteReader } from './byte_reader.ts';
import { customSection, kExported, type WasmModule } from './wasm_module.ts';

/** Raw names by function number; a function without one is missing. */
export function functionNames(module: WasmModule): Map<number, string> {
  const names = new Map<number, string>();
  module.imports.forEach(({ name }, index) => {
    names.set(index, name);
  });
  for (const { name, kind, index } of module.exports) {
    if (kind === kExported.function && !names.has(index)) names.set(index, name);
  }
  const section = customSection(module.bytes, module.sections, 'name');
  if (section !== undefined) readNames(new ByteReader(section), names);
  return names;
}

function readNames(reader: ByteReader, names: Map<number, string>): void {
  const kFunctions = 1;
  while (!reader.isDone) {
    const id = reader.u8();
    const part = reader.part(reader.unsigned());
    if (id !== kFunctions) continue;
    for (let left = part.unsigned(); left > 0; --left) names.set(part.unsigned(), part.name());
  }
}
