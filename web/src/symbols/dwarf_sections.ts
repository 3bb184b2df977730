// The debug sections of a wasm file, and the forms in which DWARF 2 to 5 write a value.
//
// After "DWARF Debugging Information Format Version 5" (2017), 7.4 to 7.5, and Yury Delendik's "DWARF for WebAssembly": an address
// counts from the payload of the code section and has 4 bytes.
//
//   W1  Entries name texts, lists and tables that lie elsewhere, and many may name the same: a hostile file so has every entry cost as much
//       as the whole of it. What is read by name, and what an entry has without bytes, is bounded by the size of the sections: Reach.

import { ByteReader, WasmFileError } from './byte_reader.ts';
import { customSection, type Section } from './wasm_module.ts';

/** W1 */
export class Reach {
  #left: number;
  readonly #texts = new Map<Uint8Array, Map<number, string>>();

  constructor(sectionBytes: number) {
    this.#left = kLeastReach + kReachEach * sectionBytes;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new WasmFileError('the debug information names the same bytes too many times');
  }

  /** The text at an offset of a section, read once. */
  text(section: Uint8Array, at: number): string {
    const known = this.#texts.get(section) ?? new Map<number, string>();
    this.#texts.set(section, known);
    const before = known.get(at);
    if (before !== undefined) return before;
    const reader = new ByteReader(section, at);
    const text = reader.zeroEnded();
    this.spend(reader.at - at);
    known.set(at, text);
    return text;
  }
}

const kLeastReach = 65_536;
const kReachEach = 4; // tools write each list once, and texts that are the end of others

export interface Dwarf {
  readonly info: Uint8Array;
  readonly abbrev: Uint8Array;
  readonly line: Uint8Array;
  readonly str: Uint8Array;
  readonly lineStr: Uint8Array;
  readonly ranges: Uint8Array;
  readonly rnglists: Uint8Array;
  readonly strOffsets: Uint8Array;
  readonly addr: Uint8Array;
  readonly reach: Reach;
}

export function debugSections(bytes: Uint8Array, sections: readonly Section[]): Dwarf | undefined {
  const of = (name: string) => customSection(bytes, sections, `.debug_${name}`) ?? new Uint8Array();
  if (of('line').length === 0) return undefined;
  const debug = sections.filter(({ name }) => name.startsWith('.debug_'));
  return {
    reach: new Reach(debug.reduce((sum, { from, end }) => sum + end - from, 0)),
    info: of('info'),
    abbrev: of('abbrev'),
    line: of('line'),
    str: of('str'),
    lineStr: of('line_str'),
    ranges: of('ranges'),
    rnglists: of('rnglists'),
    strOffsets: of('str_offsets'),
    addr: of('addr'),
  };
}

/** What a unit says about its numbers. */
export interface Unit {
  readonly dwarf: Dwarf;
  readonly version: number;
  readonly is64: boolean;
  /** Where the unit begins, for references within it. */
  readonly at: number;
  strOffsetsBase: number | undefined; // not known yet (DE1)
  addrBase: number | undefined;
  rnglistsBase: number;
}

/** The size that a unit begins with; DWARF of 64 bits announces itself. */
export function unitLength(reader: ByteReader): { readonly size: number; readonly is64: boolean } {
  const size = reader.u32();
  if (size < 0xfffffff0) return { size, is64: false };
  const low = reader.u32();
  return { size: low + reader.u32() * 2 ** 32, is64: true };
}

export const offsetOf = (reader: ByteReader, is64: boolean): number =>
  is64 ? reader.u32() + reader.u32() * 2 ** 32 : reader.u32();

export type Value = number | string | undefined;

export const kForm = {
  addr: 0x01,
  strp: 0x0e,
  sdata: 0x0d,
  udata: 0x0f,
  refAddr: 0x10,
  indirect: 0x16,
  secOffset: 0x17,
  flagPresent: 0x19,
  addrx: 0x1b,
  implicitConst: 0x21,
  rnglistx: 0x23,
} as const;

/** Those whose value is an address: itself, or its number in one to four bytes or of any size. */
export const kAddressForms: readonly number[] = [kForm.addr, kForm.addrx, 0x29, 0x2a, 0x2b, 0x2c];

/** The value of a form: references as offsets in .debug_info, texts as texts; blocks are skipped. */
export function readForm(reader: ByteReader, form: number, unit: Unit, constant = 0): Value {
  let actual = form;
  while (actual === kForm.indirect) actual = reader.unsigned();
  const fixed = kFixed[actual];
  if (fixed !== undefined) return fixed(reader, unit);
  switch (actual) {
    case kForm.flagPresent:
      return 1;
    case kForm.implicitConst:
      return constant;
    default:
      throw new WasmFileError(`the debug information has the form 0x${actual.toString(16)}, which is unknown`);
  }
}

type Read = (reader: ByteReader, unit: Unit) => Value;

const skipBlock = (reader: ByteReader, size: number): undefined => {
  reader.skip(size);
};
const u24 = (reader: ByteReader): number => reader.u16() + reader.u8() * 65536;
const u64 = (reader: ByteReader): number => reader.u32() + reader.u32() * 2 ** 32;

function indexedText(index: number, { dwarf, strOffsetsBase, is64 }: Unit): Value {
  if (strOffsetsBase === undefined || dwarf.strOffsets.length === 0) return undefined;
  const reader = new ByteReader(dwarf.strOffsets, strOffsetsBase + index * (is64 ? 8 : 4));
  return dwarf.reach.text(dwarf.str, offsetOf(reader, is64));
}

export const indexedAddress = (index: number, { dwarf, addrBase }: Unit): number =>
  addrBase === undefined ? 0 : new ByteReader(dwarf.addr, addrBase + index * 4).u32();

const kFixed: Readonly<Record<number, Read>> = {
  [0x01]: (reader) => reader.u32(),
  [0x03]: (reader) => skipBlock(reader, reader.u16()),
  [0x04]: (reader) => skipBlock(reader, reader.u32()),
  [0x05]: (reader) => reader.u16(),
  [0x06]: (reader) => reader.u32(),
  [0x07]: u64,
  [0x08]: (reader) => reader.zeroEnded(),
  [0x09]: (reader) => skipBlock(reader, reader.unsigned()),
  [0x0a]: (reader) => skipBlock(reader, reader.u8()),
  [0x0b]: (reader) => reader.u8(),
  [0x0c]: (reader) => reader.u8(),
  [0x0d]: (reader) => reader.signed(),
  [0x0e]: (reader, { dwarf, is64 }) => dwarf.reach.text(dwarf.str, offsetOf(reader, is64)),
  [0x0f]: (reader) => reader.unsigned(),
  [0x10]: (reader, { is64 }) => offsetOf(reader, is64),
  [0x11]: (reader, { at }) => at + reader.u8(),
  [0x12]: (reader, { at }) => at + reader.u16(),
  [0x13]: (reader, { at }) => at + reader.u32(),
  [0x14]: (reader, { at }) => at + u64(reader),
  [0x15]: (reader, { at }) => at + reader.unsigned(),
  [0x17]: (reader, { is64 }) => offsetOf(reader, is64),
  [0x18]: (reader) => skipBlock(reader, reader.unsigned()),
  [0x1a]: (reader, unit) => indexedText(reader.unsigned(), unit),
  [0x1b]: (reader, unit) => indexedAddress(reader.unsigned(), unit),
  [0x1c]: (reader) => skipBlock(reader, 4),
  [0x1d]: (reader, { is64 }) => skipBlock(reader, is64 ? 8 : 4),
  [0x1e]: (reader) => skipBlock(reader, 16),
  [0x1f]: (reader, { dwarf, is64 }) => dwarf.reach.text(dwarf.lineStr, offsetOf(reader, is64)),
  [0x20]: (reader) => skipBlock(reader, 8),
  [0x22]: (reader) => reader.unsigned(),
  [0x23]: (reader) => reader.unsigned(),
  [0x24]: (reader) => skipBlock(reader, 8),
  [0x25]: (reader, unit) => indexedText(reader.u8(), unit),
  [0x26]: (reader, unit) => indexedText(reader.u16(), unit),
  [0x27]: (reader, unit) => indexedText(u24(reader), unit),
  [0x28]: (reader, unit) => indexedText(reader.u32(), unit),
  [0x29]: (reader, unit) => indexedAddress(reader.u8(), unit),
  [0x2a]: (reader, unit) => indexedAddress(reader.u16(), unit),
  [0x2b]: (reader, unit) => indexedAddress(u24(reader), unit),
  [0x2c]: (reader, unit) => indexedAddress(reader.u32(), unit),
};
