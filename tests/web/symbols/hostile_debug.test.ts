// Debug information that costs more than its bytes: lists of what takes no bytes, and entries that all name the same text, list or table.
// It is refused in words; what a compiler writes, each thing named a few times, is read.

import { expect, test } from 'vitest';
import { WasmFileError } from '../../../web/src/symbols/byte_reader.ts';
import { readFunctions } from '../../../web/src/symbols/dwarf_functions.ts';
import { readLines } from '../../../web/src/symbols/dwarf_lines.ts';
import { type Dwarf, Reach } from '../../../web/src/symbols/dwarf_sections.ts';
import { createSymbolizer } from '../../../web/src/symbols/index.ts';

const word = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const repeat = (count: number, bytes: (nth: number) => readonly number[]): number[] =>
  Array.from({ length: count }, (_, nth) => bytes(nth)).flat();

const kNothing = new Uint8Array();
const kLines = { files: () => [], find: () => undefined };

function dwarfOf(sections: Partial<Record<Exclude<keyof Dwarf, 'reach'>, readonly number[]>>): Dwarf {
  const names = ['info', 'abbrev', 'line', 'str', 'lineStr', 'ranges', 'rnglists', 'strOffsets', 'addr'] as const;
  const bytes = names.map((name) => [name, Uint8Array.from(sections[name] ?? kNothing)] as const);
  const size = bytes.reduce((sum, [, { length }]) => sum + length, 0);
  return { ...(Object.fromEntries(bytes) as unknown as Dwarf), reach: new Reach(size) };
}

/** A unit of version 4 with its entries; its table lies at `abbrevAt`. */
const unit4 = (entries: readonly number[], abbrevAt = 0): number[] => {
  const body = [4, 0, ...word(abbrevAt), 4, ...entries];
  return [...word(body.length), ...body];
};
const kSubprogram = 0x2e;
const kName = 0x03;
const kStrp = 0x0e;
const kTooMany = /names the same bytes too many times/;

const readInfo = (sections: Parameters<typeof dwarfOf>[0]) => () => readFunctions(dwarfOf(sections), kLines);

test('texts: one that all name is read once; a different part of a long one each time is refused', () => {
  const abbrev = [1, kSubprogram, 0, kName, kStrp, 0, 0, 0];
  const str = [...repeat(100_000, () => [0x61]), 0];
  const named = (at: (nth: number) => number) => ({
    info: unit4(repeat(2000, (nth) => [1, ...word(at(nth))])),
    abbrev,
    str,
  });
  expect(readInfo(named(() => 5))).not.toThrow();
  expect(readInfo(named((nth) => nth))).toThrow(kTooMany);
});

test('ranges that every inlined call names', () => {
  const abbrev = [1, kSubprogram, 1, 0x11, 0x01, 0x12, 0x06, 0, 0, 2, 0x1d, 0, 0x55, 0x17, 0, 0, 0];
  const ranges = [...repeat(5000, (nth) => [...word(nth + 1), ...word(nth + 2)]), ...word(0), ...word(0)];
  const lists = (calls: number) => ({
    info: unit4([1, ...word(1), ...word(0xffff), ...repeat(calls, () => [2, ...word(0)]), 0]),
    abbrev,
    ranges,
  });
  expect(readInfo(lists(3))).not.toThrow();
  expect(readInfo(lists(300))).toThrow(kTooMany);
});

test('lists of version 5, too', () => {
  const abbrev = [1, kSubprogram, 1, 0x11, 0x01, 0x12, 0x06, 0, 0, 2, 0x1d, 0, 0x55, 0x17, 0, 0, 0];
  const rnglists = [...repeat(20_000, () => [4, 1, 2]), 0];
  const body = [5, 0, 1, 4, ...word(0), 1, ...word(1), ...word(0xffff), ...repeat(300, () => [2, ...word(0)]), 0];
  expect(readInfo({ info: [...word(body.length), ...body], abbrev, rnglists })).toThrow(kTooMany);
});

test('tables of abbreviations that each unit enters at another place', () => {
  const abbrev = [...repeat(10_000, (nth) => [(nth % 100) + 1, kSubprogram, 0, 0, 0]), 0];
  const units = (count: number) => ({ info: repeat(count, (nth) => unit4([0], 5 * nth)), abbrev });
  expect(readInfo(units(2))).not.toThrow();
  expect(readInfo(units(500))).toThrow(kTooMany);
});

test('entries of one byte with thousands of attributes that take none', () => {
  const abbrev = [1, kSubprogram, 0, ...repeat(5000, () => [0x3f, 0x19]), 0, 0, 0];
  expect(readInfo({ info: unit4(repeat(1000, () => [1])), abbrev })).toThrow(kTooMany);
});

test('a form behind thousands of indirections ends with the file', () => {
  const abbrev = [1, kSubprogram, 0, kName, 0x16, 0, 0, 0];
  const info = unit4([1, ...repeat(200_000, () => [0x16])]);
  expect(readInfo({ info, abbrev })).toThrow(/the file ends within/);
});

test('a thousand million files that take no bytes', () => {
  const rest = [1, 1, 1, 0, 1, 1, 0, ...[0x80, 0x80, 0x80, 0x02]]; // no forms, and 4,194,304 folders of them
  const program = [5, 0, 4, 0, ...word(rest.length), ...rest];
  expect(() => readLines(dwarfOf({ line: [...word(program.length), ...program] }))).toThrow(/files that take no bytes/);
});

test('a program with more functions than a call has arguments is read', () => {
  const kFunctions = 200_000;
  const rest = [1, 1, 1, 0, 10, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0x66, 0, 0, 0, 0, 0];
  const rows = repeat(kFunctions, (nth) => [0, 5, 2, ...word(16 * (nth + 1)), 20, 2, 8, 0, 1, 1]);
  const program = [4, 0, ...word(rest.length), ...rest, ...rows];
  const lines = readLines(dwarfOf({ line: [...word(program.length), ...program] }));
  expect(lines.find(16 * kFunctions + 1)).toEqual({ file: 'f', line: expect.any(Number) });
});

test.each(['', 'garbage', '{"version":3,"mappings":7}', 'null', '[]'])(
  'a source map that is "%s" is refused in words',
  (sourceMap) => {
    const wasm = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    expect(() => createSymbolizer({ wasm, sourceMap }).frames(0, 4)).toThrow(WasmFileError);
  },
);

test('a source map whose places name files that it does not have gives no place', () => {
  const wasm = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const sourceMap = '{"version":3,"names":[],"sources":["a.c"],"mappings":"AEAA"}';
  expect(createSymbolizer({ wasm, sourceMap }).frames(0, 4)).toEqual(['wasm-function[0]']);
});
