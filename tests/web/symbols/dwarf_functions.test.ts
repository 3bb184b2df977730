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

function inlinedAt(address: number, functionEnd: number, calls: readonly Call[], line?: number): string[] {
  const names = [1];
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
  const dwarf = {
    ...{ reach: new Reach(0), line: nothing, str: nothing, lineStr: nothing, ranges: nothing, rnglists: nothing },
    ...{ strOffsets: nothing, addr: nothing },
    info: Uint8Array.of(...word(unit.length), ...unit),
    abbrev: Uint8Array.of(...kAbbreviations),
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
