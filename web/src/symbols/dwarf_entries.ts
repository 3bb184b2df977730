// The entries of .debug_info: what an abbreviation says an entry has, and its attributes.
//
//   code ─▶ abbreviation: tag, whether children follow, (name, form) ...        .debug_abbrev, a table for a unit or for several
//   values, one behind the other, each in its form                             .debug_info
//
//   DE1  A unit says where its tables begin, often behind attributes that have their values in these tables.

import { ByteReader } from './byte_reader.ts';
import { type Dwarf, kForm, readForm, type Unit, type Value } from './dwarf_sections.ts';

export const kAt = {
  name: 0x03,
  lineProgram: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  abstractOrigin: 0x31,
  declFile: 0x3a,
  declLine: 0x3b,
  specification: 0x47,
  ranges: 0x55,
  callFile: 0x58,
  callLine: 0x59,
  linkageName: 0x6e,
  strOffsetsBase: 0x72,
  addrBase: 0x73,
  rnglistsBase: 0x74,
  mipsLinkageName: 0x2007,
} as const;

export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly { readonly name: number; readonly form: number; readonly constant: number }[];
}

export type Attributes = Map<number, { readonly value: Value; readonly form: number }>;

export const asNumber = (value: Value): number | undefined => (typeof value === 'number' ? value : undefined);

export function readAttributes(reader: ByteReader, { attributes }: Abbreviation, unit: Unit): Attributes {
  const values: Attributes = new Map();
  for (const { name, form, constant } of attributes) {
    const from = reader.at;
    values.set(name, { value: readForm(reader, form, unit, constant), form });
    if (reader.at === from) unit.dwarf.reach.spend(1);
  }
  return values;
}

/** DE1. Of the unit's entry, which begins here and is read again: without bases the first reading looks nothing up. */
export function readBases(body: ByteReader, abbreviation: Abbreviation, unit: Unit): void {
  const entry = body.at;
  const attributes = readAttributes(body, abbreviation, unit);
  const number = (name: number) => asNumber(attributes.get(name)?.value);
  body.at = entry;
  const header = unit.is64 ? 16 : 8; // of a section with one table
  unit.strOffsetsBase = number(kAt.strOffsetsBase) ?? header;
  unit.addrBase = number(kAt.addrBase) ?? header;
  unit.rnglistsBase = number(kAt.rnglistsBase) ?? unit.rnglistsBase;
}

export function readAbbreviations({ abbrev, reach }: Dwarf, at: number): Map<number, Abbreviation> {
  const reader = new ByteReader(abbrev, at);
  const table = new Map<number, Abbreviation>();
  for (let code = reader.unsigned(); code !== 0; code = reader.unsigned()) {
    const tag = reader.unsigned();
    const hasChildren = reader.u8() !== 0;
    const attributes: { name: number; form: number; constant: number }[] = [];
    for (;;) {
      const name = reader.unsigned();
      const form = reader.unsigned();
      const constant = form === kForm.implicitConst ? reader.signed() : 0;
      if (name === 0 && form === 0) break;
      attributes.push({ name, form, constant });
    }
    table.set(code, { tag, hasChildren, attributes });
    if (reader.isDone) break;
  }
  reach.spend(reader.at - at);
  return table;
}
