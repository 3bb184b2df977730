// The name section of a spliced module: names of functions as they were written, all others as the original has them.
//
//   part   0 module │ 1 functions │ 2 locals, by function │ 3 labels, by function │ 7 globals │ others: not by functions or globals
//
//   Names of locals and labels of functions that changed are left out: Binaryen gave these functions other ones.

import { ByteReader, customSection, unsignedLeb, type WasmModule } from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';
import { listOf } from './sections.ts';

const kPart = { functions: 1, locals: 2, labels: 3, globals: 7 } as const;

export function splicedNames(original: WasmModule, written: WasmModule, changed: ReadonlySet<number>): Uint8Array {
  const functions = partsOf(written).get(kPart.functions);
  const moreFunctions = written.imports.length - original.imports.length;
  const moreGlobals = written.importedGlobals.length - original.importedGlobals.length;
  const parts = [...partsOf(original)].map(([id, part]) => {
    if (id === kPart.functions) return [id, bytesOf(functions ?? part)] as const;
    if (id === kPart.locals || id === kPart.labels)
      return [id, moved(part, skipNames, original.imports.length, moreFunctions, changed)] as const;
    if (id === kPart.globals) return [id, moved(part, skipName, original.importedGlobals.length, moreGlobals)] as const;
    return [id, bytesOf(part)] as const;
  });
  return joined(parts.map(([id, content]) => partOf(id, content)));
}

const partOf = (id: number, content: Uint8Array): Uint8Array =>
  joined([Uint8Array.from([id, ...unsignedLeb(content.length)]), content]);

/** A name section of names of functions alone. */
export function functionNamesOnly(module: WasmModule): Uint8Array {
  const part = partsOf(module).get(kPart.functions);
  return part === undefined ? new Uint8Array(0) : partOf(kPart.functions, bytesOf(part));
}

/** A list by number: those from `first` on are `more` larger, and some are left out. */
function moved(
  reader: ByteReader,
  skip: (reader: ByteReader) => void,
  first: number,
  more: number,
  without: ReadonlySet<number> = new Set(),
): Uint8Array {
  const items: Uint8Array[] = [];
  for (let left = reader.unsigned(); left > 0; --left) {
    const index = reader.unsigned();
    const from = reader.at;
    skip(reader);
    if (without.has(index)) continue;
    const number = Uint8Array.from(unsignedLeb(index < first ? index : index + more));
    items.push(joined([number, reader.bytes.subarray(from, reader.at)]));
  }
  return listOf(items);
}

const skipName = (reader: ByteReader): void => reader.skip(reader.unsigned());

function skipNames(reader: ByteReader): void {
  for (let left = reader.unsigned(); left > 0; --left) {
    reader.skipLeb();
    skipName(reader);
  }
}

function partsOf({ bytes, sections }: WasmModule): Map<number, ByteReader> {
  const parts = new Map<number, ByteReader>();
  const section = customSection(bytes, sections, 'name');
  if (section === undefined) return parts;
  const reader = new ByteReader(section);
  while (!reader.isDone) parts.set(reader.u8(), reader.part(reader.unsigned()));
  return parts;
}

const bytesOf = ({ bytes, at, end }: ByteReader): Uint8Array => bytes.subarray(at, end);
