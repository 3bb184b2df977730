// .debug_ranges and .debug_rnglists: where a function or an inlined call lies when it lies in pieces.
//
//   version 2 to 4    pairs of words, relative to a base that the list itself may change; two zeros end it
//   version 5         entries of a kind and operands: addresses, offsets from the base, places in a table of addresses

import { ByteReader } from './byte_reader.ts';
import { type Dwarf, indexedAddress, offsetOf, type Unit } from './dwarf_sections.ts';

export interface Range {
  readonly from: number;
  readonly end: number;
}

/** The list at `at`, which is an index into the unit's lists where `isIndex` says so. */
export function readRanges(unit: Unit, at: number, isIndex: boolean, base: number): Range[] {
  if (unit.version < 5) return oldRanges(unit.dwarf, at, base);
  return newRanges(unit, isIndex ? listAt(unit, at) : at, base);
}

function oldRanges(dwarf: Dwarf, at: number, base: number): Range[] {
  const reader = new ByteReader(dwarf.ranges, at);
  const ranges: Range[] = [];
  for (let start = base; ; ) {
    const from = reader.u32();
    const end = reader.u32();
    dwarf.reach.spend(8);
    if (from === 0 && end === 0) return ranges;
    if (from === 0xffffffff) start = end;
    else ranges.push({ from: start + from, end: start + end });
  }
}

function listAt({ dwarf, rnglistsBase, is64 }: Unit, index: number): number {
  return rnglistsBase + offsetOf(new ByteReader(dwarf.rnglists, rnglistsBase + index * (is64 ? 8 : 4)), is64);
}

function newRanges(unit: Unit, at: number, base: number): Range[] {
  const reader = new ByteReader(unit.dwarf.rnglists, at);
  const ranges: Range[] = [];
  let start = base;
  const indexed = () => indexedAddress(reader.unsigned(), unit);
  for (;;) {
    unit.dwarf.reach.spend(4); // an entry has three to nine bytes
    switch (reader.u8()) {
      case 1:
        start = indexed();
        break;
      case 2:
        ranges.push({ from: indexed(), end: indexed() });
        break;
      case 3: {
        const from = indexed();
        ranges.push({ from, end: from + reader.unsigned() });
        break;
      }
      case 4:
        ranges.push({ from: start + reader.unsigned(), end: start + reader.unsigned() });
        break;
      case 5:
        start = reader.u32();
        break;
      case 6:
        ranges.push({ from: reader.u32(), end: reader.u32() });
        break;
      case 7: {
        const from = reader.u32();
        ranges.push({ from, end: from + reader.unsigned() });
        break;
      }
      default:
        return ranges;
    }
  }
}
