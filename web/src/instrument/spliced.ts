// The whole module again, out of the original and of what Binaryen wrote of its thinned form (thinned.ts).
//
//   of the original      all its code, segments, names and custom sections, byte by byte, but for the numbers of functions and globals
//                        behind the imports that were added
//   of what was written  the functions that were changed or added, and the imports, globals and exports that were added
//
//   Spl.1  Binaryen keeps functions, globals, imports and exports in their order and puts what is added behind those of its kind. So a
//          number changes by as much as there are more imports of its kind. Types it sorts anew: they are found again by what they are.
//   Spl.2  What says where code stands, DWARF, hints and source maps, would be wrong and is left out (Ins.1).

import {
  ByteReader,
  type FunctionBody,
  kExported,
  kOp,
  kSection,
  type Part,
  type Section,
  signedLeb,
  unsignedLeb,
  type WasmModule,
} from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';
import { customSection, type Edit, listOf, nameOf, patched, sectionOf } from './sections.ts';
import { splicedNames } from './spliced_names.ts';

/** The order of sections in a file; custom ones stand anywhere. */
const kOrder: readonly number[] = [
  ...[kSection.type, kSection.import, kSection.function, kSection.table, kSection.memory, kSection.tag],
  ...[kSection.global, kSection.export, kSection.start, kSection.element, kSection.dataCount],
  ...[kSection.code, kSection.data],
];
const kOutdated = /^(?:\.debug_|metadata\.code\.|(?:sourceMappingURL|external_debug_info)$)/;
const kFunctionForm = 0x60;

/** `changed`: functions, by their numbers in the original. */
export function spliced(
  original: WasmModule,
  written: WasmModule,
  changed: ReadonlySet<number>,
): Uint8Array<ArrayBuffer> {
  const splice = new Splice(original, written, changed);
  const sections = original.sections.filter(({ name }) => !kOutdated.test(name));
  const has = new Set(sections.map(({ id }) => id));
  const added = kOrder.filter((id) => !has.has(id) && (splice.added.get(id)?.length ?? 0) > 0);
  const parts: Uint8Array[] = [original.bytes.subarray(0, 8)];
  for (const section of sections) {
    const before =
      section.id === kSection.custom ? [] : added.filter((id) => kOrder.indexOf(id) < kOrder.indexOf(section.id));
    for (const id of added.splice(0, before.length)) parts.push(sectionOf(id, listOf(splice.added.get(id) ?? [])));
    parts.push(splice.section(section));
  }
  for (const id of added) parts.push(sectionOf(id, listOf(splice.added.get(id) ?? [])));
  return joined(parts);
}

class Splice {
  readonly #original: WasmModule;
  readonly #written: WasmModule;
  readonly #changed: ReadonlySet<number>;
  /** How many more imports there are. */
  readonly #functions: number;
  readonly #globals: number;
  readonly #types: Types;
  readonly #code: Uint8Array;
  /** What comes behind the items of a section that the original has, or may not have. */
  readonly added: ReadonlyMap<number, readonly Uint8Array[]>;

  constructor(original: WasmModule, written: WasmModule, changed: ReadonlySet<number>) {
    this.#original = original;
    this.#written = written;
    this.#changed = changed;
    this.#functions = written.imports.length - original.imports.length;
    this.#globals = written.importedGlobals.length - original.importedGlobals.length;
    this.#types = new Types(original, written);
    this.#code = this.#newCode();
    const { functionTypes, globals, exports, importedGlobals } = written;
    const functions = functionTypes.slice(original.functionTypes.length + this.#functions);
    const of = (parts: readonly Part[]) => parts.map(({ from, end }) => written.bytes.subarray(from, end));
    this.added = new Map([
      [kSection.import, [...this.#newImports(), ...of(importedGlobals.slice(original.importedGlobals.length))]],
      [kSection.function, functions.map((type) => Uint8Array.from(unsignedLeb(this.#types.number(type))))],
      [kSection.global, of(globals.slice(original.globals.length))],
      [kSection.export, exports.slice(original.exports.length).map(exportOf)],
      [kSection.type, this.#types.added], // what the others need
    ]);
  }

  section(section: Section): Uint8Array {
    const { id, name, headerAt, from, end } = section;
    const { bytes, exports, start } = this.#original;
    const added = this.added.get(id);
    if (id === kSection.code) return sectionOf(id, this.#code);
    if (id === kSection.export)
      return sectionOf(id, listOf([...exports.map((each) => this.#moved(each)), ...(added ?? [])]));
    if (added !== undefined) {
      const reader = new ByteReader(bytes, from, end);
      const count = Uint8Array.from(unsignedLeb(reader.unsigned() + added.length));
      return sectionOf(id, joined([count, this.#patched({ from: reader.at, end }), ...added]));
    }
    if (id === kSection.start) return sectionOf(id, unsignedLeb(this.#function(start ?? 0)));
    if (name === 'name') return customSection(name, splicedNames(this.#original, this.#written, this.#changed));
    const isMoved = id === kSection.element || id === kSection.data || id === kSection.table;
    return isMoved ? sectionOf(id, this.#patched(section)) : bytes.subarray(headerAt, end);
  }

  /** With its numbers of functions and globals. */
  #patched({ from, end }: Part): Uint8Array {
    const { bytes, functionsAt, globalsAt } = this.#original;
    const within = (at: number) => at >= from && at < end;
    return patched(bytes, from, end, [
      ...this.#functionsMoved(functionsAt.filter(within)),
      ...this.#globalsMoved(globalsAt.filter(within)),
    ]);
  }

  #function(index: number): number {
    return index < this.#original.imports.length ? index : index + this.#functions;
  }

  #global(index: number): number {
    return index < this.#original.importedGlobals.length ? index : index + this.#globals;
  }

  #functionsMoved(places: readonly number[]): Edit[] {
    if (this.#functions === 0) return [];
    return places.map((at) => ({ at, bytes: unsignedLeb(this.#function(numberAt(this.#original, at))) }));
  }

  #globalsMoved(places: readonly number[]): Edit[] {
    if (this.#globals === 0) return [];
    return places.map((at) => ({ at, bytes: unsignedLeb(this.#global(numberAt(this.#original, at))) }));
  }

  #moved({ name, kind, index }: WasmModule['exports'][number]): Uint8Array {
    const to = kind === kExported.function ? this.#function(index) : index;
    return exportOf({ name, kind, index: kind === kExported.global ? this.#global(index) : to });
  }

  #newImports(): Uint8Array[] {
    const added = this.#written.imports.slice(this.#original.imports.length);
    return added.map(({ module, name, type }) => {
      const number = unsignedLeb(this.#types.number(type));
      return Uint8Array.from([...nameOf(module), ...nameOf(name), kExported.function, ...number]);
    });
  }

  #newCode(): Uint8Array {
    const { bodies, imports } = this.#original;
    return listOf(
      this.#written.bodies.map((body, nth) => {
        const own = bodies[nth];
        const isOwn = own !== undefined && !this.#changed.has(imports.length + nth);
        return isOwn ? this.#ownBody(own) : this.#writtenBody(body);
      }),
    );
  }

  #ownBody(body: FunctionBody): Uint8Array {
    const { bytes, imports } = this.#original;
    const calls = body.calls.filter(({ op, target }) => isDirect(op) && target >= imports.length);
    const places = [...calls.map(({ at }) => at + 1), ...body.referencesAt];
    return bodyOf(bytes, body, [...this.#functionsMoved(places), ...this.#globalsMoved(body.globalsAt)]);
  }

  #writtenBody(body: FunctionBody): Uint8Array {
    const indirect = body.calls.filter(({ op }) => !isDirect(op));
    return bodyOf(this.#written.bytes, body, [
      ...indirect.map(({ at, target }) => ({ at: at + 1, bytes: unsignedLeb(this.#types.number(target)) })),
      ...body.blockTypesAt.map((at) => ({
        at,
        bytes: signedLeb(this.#types.number(numberAt(this.#written, at))),
      })),
    ]);
  }
}

/** The original's number of each type that was written. */
class Types {
  /** Those that the original does not have and that are asked for. */
  readonly added: Uint8Array[] = [];
  readonly #written: WasmModule;
  readonly #numbers: Map<string, number>;
  readonly #first: number;

  constructor(original: WasmModule, written: WasmModule) {
    this.#written = written;
    this.#first = original.types.length;
    this.#numbers = new Map(original.types.map(({ key }, nth) => [key, nth] as const).reverse());
  }

  number(written: number): number {
    const type = this.#written.types[written];
    if (type === undefined) throw new Error(`there is no type ${written}`);
    const known = this.#numbers.get(type.key);
    if (known !== undefined) return known;
    const number = this.#first + this.added.length;
    this.added.push(Uint8Array.from([kFunctionForm, ...type.bytes]));
    this.#numbers.set(type.key, number);
    return number;
  }
}

const isDirect = (op: number): boolean => op === kOp.call || op === kOp.returnCall;

const exportOf = ({ name, kind, index }: WasmModule['exports'][number]): Uint8Array =>
  Uint8Array.from([...nameOf(name), kind, ...unsignedLeb(index)]);

const numberAt = ({ bytes }: WasmModule, at: number): number => new ByteReader(bytes, at).unsigned();

/** A function's body behind its size. */
function bodyOf(bytes: Uint8Array, { sizeAt, localsAt, end }: FunctionBody, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes.subarray(sizeAt, end);
  const content = patched(bytes, localsAt, end, edits);
  return joined([Uint8Array.from(unsignedLeb(content.length)), content]);
}
