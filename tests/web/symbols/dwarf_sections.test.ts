// How much of the debug information may be read in all: what names the same bytes again and again ends. And what each form says.

import { expect, test } from 'vitest';
import { ByteReader } from '../../../web/src/symbols/byte_reader.ts';
import { Reach, readForm, type Unit, type Value } from '../../../web/src/symbols/dwarf_sections.ts';
import { WasmFileError } from '../../../web/src/symbols/index.ts';

const kOfEmpty = 65_536;

test('all that is left may be spent, and not a byte more', () => {
  const reach = new Reach(0);
  reach.spend(kOfEmpty);
  expect(() => reach.spend(1)).toThrow(WasmFileError);
});

test('a text costs its bytes once, however often it is asked for', () => {
  const reach = new Reach(0);
  const section = new TextEncoder().encode(`${'a'.repeat(kOfEmpty - 1)}\0`);
  for (let times = 0; times < 3; ++times) expect(reach.text(section, 0)).toHaveLength(kOfEmpty - 1);
  expect(() => reach.text(section, 1)).toThrow(/too many times/);
});

const kStr = '\0one\0two\0';
const words = (is64: boolean, ...numbers: readonly number[]): number[] =>
  numbers.flatMap((n) => [n, 0, 0, 0, ...(is64 ? [0, 0, 0, 0] : [])]);
const ascii = (text: string) => new TextEncoder().encode(text);
const none = new Uint8Array();
const unitOf = (is64: boolean): Unit => ({
  dwarf: {
    ...{ info: none, abbrev: none, line: none, ranges: none, rnglists: none, reach: new Reach(0) },
    str: ascii(kStr),
    lineStr: ascii('\0a.c\0'),
    strOffsets: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, ...words(is64, 1, 5)),
    addr: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, ...words(false, 0x10, 0x20)),
  },
  version: 5,
  is64,
  at: 1000,
  strOffsetsBase: 8,
  addrBase: 8,
  rnglistsBase: 0,
});

/** DWARF 5, 7.5.5 and 7.5.6: the code of each form, bytes of a value, and what they say. */
const kForms: readonly (readonly [name: string, form: number, bytes: readonly number[], value: Value])[] = [
  ['addr', 0x01, [1, 2, 3, 4], 0x04030201],
  ['block2', 0x03, [2, 0, 9, 9], undefined],
  ['block4', 0x04, [2, 0, 0, 0, 9, 9], undefined],
  ['data2', 0x05, [1, 2], 0x0201],
  ['data4', 0x06, [1, 2, 3, 4], 0x04030201],
  ['data8', 0x07, [1, 0, 0, 0, 2, 0, 0, 0], 1 + 2 * 2 ** 32],
  ['string', 0x08, [97, 98, 0], 'ab'],
  ['block', 0x09, [2, 9, 9], undefined],
  ['block1', 0x0a, [2, 9, 9], undefined],
  ['data1', 0x0b, [200], 200],
  ['flag', 0x0c, [1], 1],
  ['sdata', 0x0d, [0x80, 0x7f], -128],
  ['udata', 0x0f, [0x80, 1], 128],
  ['ref1', 0x11, [200], 1200],
  ['ref2', 0x12, [0, 1], 1256],
  ['ref4', 0x13, [0, 1, 0, 0], 1256],
  ['ref8', 0x14, [0, 1, 0, 0, 0, 0, 0, 0], 1256],
  ['ref_udata', 0x15, [0x80, 1], 1128],
  ['indirect', 0x16, [0x0b, 7], 7],
  ['exprloc', 0x18, [2, 9, 9], undefined],
  ['flag_present', 0x19, [], 1],
  ['strx', 0x1a, [1], 'two'],
  ['addrx', 0x1b, [1], 0x20],
  ['ref_sup4', 0x1c, [1, 2, 3, 4], undefined],
  ['data16', 0x1e, Array.from({ length: 16 }, () => 9), undefined],
  ['ref_sig8', 0x20, [1, 2, 3, 4, 5, 6, 7, 8], undefined],
  ['implicit_const', 0x21, [], 77],
  ['loclistx', 0x22, [0x80, 1], 128],
  ['rnglistx', 0x23, [0x80, 1], 128],
  ['ref_sup8', 0x24, [1, 2, 3, 4, 5, 6, 7, 8], undefined],
  ['strx1', 0x25, [1], 'two'],
  ['strx2', 0x26, [1, 0], 'two'],
  ['strx3', 0x27, [1, 0, 0], 'two'],
  ['strx4', 0x28, [1, 0, 0, 0], 'two'],
  ['addrx1', 0x29, [1], 0x20],
  ['addrx2', 0x2a, [1, 0], 0x20],
  ['addrx3', 0x2b, [1, 0, 0], 0x20],
  ['addrx4', 0x2c, [1, 0, 0, 0], 0x20],
];
/** Those that are as wide as offsets are. */
const kOffsets: readonly (readonly [name: string, form: number, at: number, value: Value])[] = [
  ['strp', 0x0e, 5, 'two'],
  ['ref_addr', 0x10, 5, 5],
  ['sec_offset', 0x17, 5, 5],
  ['strp_sup', 0x1d, 5, undefined],
  ['line_strp', 0x1f, 1, 'a.c'],
];

test.each([false, true])(
  'a value of each form is read from its own bytes, and no other ones; offsets are wide: %s',
  (is64) => {
    const offsets = kOffsets.map(([name, form, at, value]) => [name, form, words(is64, at), value] as const);
    for (const [name, form, bytes, value] of [...kForms, ...offsets]) {
      const reader = new ByteReader(Uint8Array.of(...bytes, 0x5a));
      expect(readForm(reader, form, unitOf(is64), 77), name).toBe(value);
      expect(reader.at, name).toBe(bytes.length);
    }
    for (const form of [0, 0x02, 0x2d])
      expect(() => readForm(new ByteReader(none), form, unitOf(is64))).toThrow(/unknown/);
  },
);
