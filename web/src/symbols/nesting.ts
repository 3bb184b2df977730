// How deeply blocks stand in each other.

import { ByteReader, WasmFileError } from './byte_reader.ts';
import { readFunctionBody } from './function_body.ts';
import { kSection, readSections } from './wasm_module.ts';

const kLeastBlock = 2; // bytes, without its end

/** The most blocks in each other of any function that could have more than `most`; 0: none could, or it cannot be read. O(bytes). */
export function deepestNesting(bytes: Uint8Array, most: number): number {
  try {
    const code = readSections(bytes).find(({ id }) => id === kSection.code);
    if (code === undefined) return 0;
    const reader = new ByteReader(bytes, code.from, code.end);
    let deepest = 0;
    for (let left = reader.unsigned(); left > 0; --left) {
      const { at } = reader;
      const size = reader.unsigned();
      reader.skip(size);
      if (size > most * kLeastBlock)
        deepest = Math.max(deepest, readFunctionBody(new ByteReader(bytes, at, reader.at)).deepest);
    }
    return deepest;
  } catch (error) {
    if (error instanceof WasmFileError) return 0; // who runs it says better what is wrong
    throw error;
  }
}
