// Inlined calls around an address, from a .debug_info written here: one unit, one function, calls inlined into it.

import { expect, test } from 'vitest';
import { readFunctions } from '../../../web/src/symbols/dwarf_functions.ts';
import { Reach } from '../../../web/src/symbols/dwarf_sections.ts';

const word = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const text = (name: string): number[] => [...new TextEncoder().encode(name), 0];

/** A unit (1), a function that is somewhere (2), one that was inlined (3: its calls, 4: its name). */
const kAbbreviations = [
  ...[1, 0x11, 1, 0, 0],
  ...[2, 0x2e, 1, 0x03, 0x08, 0x3a, 0x0b, 0x3b, 0x0b, 0x11, 0x01, 0x12, 0x06, 0, 0],
  ...[3, 0x1d, 0, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06, 0x58, 0x0b, 0x59, 0x0b, 0, 0],
  ...[4, 0x2e, 0, 0x03, 0x08, 0x3a, 0x0b, 0x3b, 0x0b, 0, 0],
  0,
];
const kWholeLine = 30; // of a.cpp, where the function is declared
const kHeader = 11; // bytes before the unit's entries

interface Call {
  readonly name: string;
  readonly from: number;
  /** As a length from the beginning on; 0 for an end that a tool lost: the length is then one around 4 GiB. */
  readonly end: number;
  /** The line of a.cpp where it is declared. */
  readonly declared?: number;
}

/** An attribute of the unit that nobody asks for. */
interface Attribute {
  readonly form: readonly number[];
  readonly value: readonly number[];
}

function inlinedAt(
  address: number,
  functionEnd: number,
  calls: readonly Call[],
  line?: number,
  { form, value }: Attribute = { form: [], value: [] },
): string[] {
  const names = [1, ...value];
  const origins = calls.map(({ name, declared = 1 }) => {
    const at = kHeader + names.length;
    names.push(4, ...text(name), 1, declared);
    return at;
  });
  const inlined = calls.flatMap(({ from, end }, index) => [
    3,
    ...word(origins[index] ?? 0),
    ...word(from),
    ...word(end - from),
    ...[1, 7],
  ]);
  const entries = [
    ...names,
    2,
    ...text('whole'),
    1,
    kWholeLine,
    ...word(0x10),
    ...word(functionEnd - 0x10),
    ...inlined,
    0,
    0,
  ];
  const unit = [4, 0, ...word(0), 4, ...entries];
  const nothing = new Uint8Array();
  const str = Uint8Array.of(...text('text'));
  const kUnheardOf = [0xb4, 0x42];
  const abbreviations = [
    1,
    0x11,
    1,
    ...(form.length === 0 ? [] : [...kUnheardOf, ...form]),
    ...kAbbreviations.slice(3),
  ];
  const dwarf = {
    ...{ reach: new Reach(0), line: nothing, str, lineStr: str, ranges: nothing, rnglists: nothing },
    ...{ strOffsets: new Uint8Array(64), addr: new Uint8Array(64) },
    info: Uint8Array.of(...word(unit.length), ...unit),
    abbrev: Uint8Array.of(...abbreviations),
  };
  const table = readFunctions(dwarf, { files: () => ['', 'a.cpp'], find: () => undefined });
  return table.inlinedAt(address, line === undefined ? undefined : { file: 'a.cpp', line }).map(({ name }) => name);
}

const kFirst = { name: 'first', from: 0x20, end: 0x40 };
const kSecond = { name: 'second', from: 0x50, end: 0x60 };

test('an inlined call is found between its beginning and its end', () => {
  const at = (address: number) => inlinedAt(address, 0x100, [kFirst, kSecond]);
  expect([at(0x1f), at(0x20), at(0x3f), at(0x40), at(0x50)]).toEqual([[], ['first'], ['first'], [], ['second']]);
});

test('a call whose end a tool lost is around nothing', () => {
  const at = (address: number) => inlinedAt(address, 0x100, [kFirst, { name: 'lost', from: 0x30, end: 0 }]);
  expect([at(0x30), at(0x48), at(0xff)]).toEqual([['first'], [], []]);
});

test('a line belongs to the function declared above it, whatever range a tool left its code in', () => {
  const add = { name: 'add', from: 0x20, end: 0x40, declared: 10 };
  const at = (line: number) => inlinedAt(0x30, 0x100, [add], line);
  expect([at(11), at(31), at(9)]).toEqual([['add'], [], ['add']]); // 9: of no function that is known
});

/** No entry begins with a nine: what is not skipped is seen. */
const kNines = (count: number): number[] => Array.from({ length: count }, () => 9);

/** DWARF 5, 7.5.6: each form with a value as long as it says; 7.7.1 for the numbers. */
const kForms: Readonly<Record<string, Attribute>> = {
  addr: { form: [0x01], value: word(0x77) },
  block2: { form: [0x03], value: [3, 0, 9, 9, 9] },
  block4: { form: [0x04], value: [...word(2), 9, 9] },
  data2: { form: [0x05], value: [1, 2] },
  data4: { form: [0x06], value: word(5) },
  data8: { form: [0x07], value: kNines(8) },
  string: { form: [0x08], value: text('a name') },
  block: { form: [0x09], value: [0x81, 0x01, ...Array.from({ length: 129 }, () => 7)] },
  block1: { form: [0x0a], value: [2, 9, 9] },
  data1: { form: [0x0b], value: [9] },
  flag: { form: [0x0c], value: [1] },
  sdata: { form: [0x0d], value: [0xff, 0xff, 0x7f] },
  strp: { form: [0x0e], value: word(0) },
  udata: { form: [0x0f], value: [0xff, 0xff, 0x03] },
  ref_addr: { form: [0x10], value: word(9) },
  ref1: { form: [0x11], value: [9] },
  ref2: { form: [0x12], value: [9, 0] },
  ref4: { form: [0x13], value: word(9) },
  ref8: { form: [0x14], value: kNines(8) },
  ref_udata: { form: [0x15], value: [0x89, 0x01] },
  indirect: { form: [0x16], value: [0x05, 1, 2] },
  sec_offset: { form: [0x17], value: word(9) },
  exprloc: { form: [0x18], value: [2, 9, 9] },
  flag_present: { form: [0x19], value: [] },
  strx: { form: [0x1a], value: [0x81, 0x00] },
  addrx: { form: [0x1b], value: [0x81, 0x00] },
  ref_sup4: { form: [0x1c], value: word(9) },
  strp_sup: { form: [0x1d], value: word(9) },
  data16: { form: [0x1e], value: kNines(16) },
  line_strp: { form: [0x1f], value: word(0) },
  ref_sig8: { form: [0x20], value: kNines(8) },
  implicit_const: { form: [0x21, 0xff, 0x00], value: [] },
  loclistx: { form: [0x22], value: [0x81, 0x00] },
  rnglistx: { form: [0x23], value: [0x81, 0x00] },
  ref_sup8: { form: [0x24], value: kNines(8) },
  strx1: { form: [0x25], value: [1] },
  strx2: { form: [0x26], value: [1, 0] },
  strx3: { form: [0x27], value: [1, 0, 0] },
  strx4: { form: [0x28], value: word(1) },
  addrx1: { form: [0x29], value: [1] },
  addrx2: { form: [0x2a], value: [1, 0] },
  addrx3: { form: [0x2b], value: [1, 0, 0] },
  addrx4: { form: [0x2c], value: word(1) },
};

test.each(Object.entries(kForms))('an attribute of the form %s is as long as the standard says', (_, attribute) => {
  const at = (address: number) => inlinedAt(address, 0x100, [kFirst, kSecond], undefined, attribute);
  expect([at(0x20), at(0x48), at(0x50)]).toEqual([['first'], [], ['second']]);
});
