// Where a function's code lies, in every way that .debug_info has to say it: two addresses, a length, or a list of ranges.

import { expect, test } from 'vitest';
import { readFunctions } from '../../../web/src/symbols/dwarf_functions.ts';
import { Reach } from '../../../web/src/symbols/dwarf_sections.ts';

const word = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const text = (name: string): number[] => [...new TextEncoder().encode(name), 0];
const words = (...values: readonly number[]) => Uint8Array.from(values.flatMap(word));

const kLowPc = 0x11;
const kHighPc = 0x12;
const kRanges = 0x55;
const kAddr = 0x01;
const kAddrx = 0x1b;
const kData4 = 0x06;
const kSecOffset = 0x17;
const kRnglistx = 0x23;
const kFunction: Place = [
  [kLowPc, kAddr, word(0x10)],
  [kHighPc, kData4, word(0xff0)],
];

/** Attributes of an entry: name, form and its bytes. */
type Place = readonly (readonly [name: number, form: number, bytes: readonly number[]])[];

const kEmpty = new Uint8Array();
const kUnitBase = 0x100;

/** Which of the addresses lie in a call with this place, inlined into a function from 0x10 to 0x1000. */
function addressesIn(version: 4 | 5, place: Place, sections: { ranges?: Uint8Array; rnglists?: Uint8Array } = {}) {
  const forms = (attributes: Place) => attributes.flatMap(([name, form, _bytes]) => [name, form]);
  const values = (attributes: Place) => attributes.flatMap(([, , bytes]) => bytes);
  const abbrev = [
    ...[1, 0x11, 1, kLowPc, kAddr, 0x73, kSecOffset, 0x74, kSecOffset, 0, 0],
    ...[2, 0x2e, 1, 0x03, 0x08, ...forms(kFunction), 0, 0],
    ...[3, 0x1d, 0, ...forms(place), 0, 0],
    0,
  ];
  const entries = [1, ...word(kUnitBase), ...word(8), ...word(0)]; // the unit, its addresses and its lists
  entries.push(2, ...text('whole'), ...values(kFunction), 3, ...values(place), 0, 0);
  const unit = version === 4 ? [4, 0, ...word(0), 4, ...entries] : [5, 0, 1, 4, ...word(0), ...entries];
  const table = readFunctions(
    {
      ...{
        reach: new Reach(0),
        line: kEmpty,
        str: kEmpty,
        lineStr: kEmpty,
        strOffsets: kEmpty,
        ranges: kEmpty,
        rnglists: kEmpty,
      },
      info: Uint8Array.of(...word(unit.length), ...unit),
      abbrev: Uint8Array.from(abbrev),
      addr: words(0, 0, 0x200, 0x240, 0x300), // behind its header
      ...sections,
    },
    { files: () => [], find: () => undefined },
  );
  const inside: number[] = [];
  for (let address = 0x10; address < 0x1000; ++address) if (table.inlinedAt(address).length > 0) inside.push(address);
  return runsOf(inside);
}

/** First and last of each run. */
function runsOf(addresses: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const address of addresses) {
    const last = runs.at(-1);
    if (last?.[1] === address - 1) last[1] = address;
    else runs.push([address, address]);
  }
  return runs;
}

test('the end is a length, or where its form is that of an address, an address', () => {
  const from = [kLowPc, kAddr, word(0x40)] as const;
  expect(addressesIn(4, [from, [kHighPc, kData4, word(0x20)]])).toEqual([[0x40, 0x5f]]);
  expect(addressesIn(4, [from, [kHighPc, kAddr, word(0x50)]])).toEqual([[0x40, 0x4f]]);
  expect(addressesIn(5, [from, [kHighPc, kAddrx, [1]]])).toEqual([[0x40, 0x23f]]);
  for (const [bytes, form] of [0x29, 0x2a, 0x2b, 0x2c].entries()) {
    const index = [1, 0, 0, 0].slice(0, bytes + 1);
    expect(addressesIn(5, [from, [kHighPc, form, index]]), `form ${form}`).toEqual([[0x40, 0x23f]]);
  }
});

test('a list of version 4 counts from the unit, or from the address that it names', () => {
  const ranges = words(9, 9, 0x10, 0x20, 0xffffffff, 0x400, 0x30, 0x38, 0, 0, 0x70, 0x80);
  expect(addressesIn(4, [[kRanges, kSecOffset, word(8)]], { ranges })).toEqual([
    [0x110, 0x11f],
    [0x430, 0x437],
  ]);
});

test('a list of version 5 has ranges in seven forms', () => {
  const list = [
    ...[4, 0x01, 0x03], // from the unit
    ...[1, 0, 4, 0x05, 0x08], // from an address by its number
    ...[2, 1, 2], // both by number
    ...[3, 2, 0x11], // one by number, and a length
    ...[5, ...word(0x400), 4, 0x00, 0x02], // from an address
    ...[6, ...word(0x500), ...word(0x503)],
    ...[7, ...word(0x600), 0x04],
    0,
    ...[6, ...word(0x700), ...word(0x703)], // behind the end
  ];
  const expected = [
    [0x101, 0x102],
    [0x205, 0x207],
    [0x240, 0x310],
    [0x400, 0x401],
    [0x500, 0x502],
    [0x600, 0x603],
  ];
  const direct = Uint8Array.from(list);
  expect(addressesIn(5, [[kRanges, kSecOffset, word(0)]], { rnglists: direct })).toEqual(expected);
  const byNumber = Uint8Array.of(...word(0), ...word(9), 0, ...list); // the second entry of a table of offsets
  expect(addressesIn(5, [[kRanges, kRnglistx, [1]]], { rnglists: byNumber })).toEqual(expected);
});

test('what has no place is nowhere', () => {
  expect(addressesIn(5, [])).toEqual([]);
  expect(addressesIn(5, [[kLowPc, kAddr, word(0x40)]])).toEqual([]);
  const lost: Place = [
    [kLowPc, kAddr, word(0)],
    [kHighPc, kData4, word(0x20)],
  ];
  expect(addressesIn(5, lost), 'what begins at 0 is left out').toEqual([]);
});
