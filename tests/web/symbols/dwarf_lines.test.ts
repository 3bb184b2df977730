// Lines of addresses, from line programs written here: sequences of rows in a random order of opcodes, against the list of rows.

import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { signedLeb, unsignedLeb } from '../../../web/src/symbols/byte_reader.ts';
import { type LineTable, readLines } from '../../../web/src/symbols/dwarf_lines.ts';
import { Reach } from '../../../web/src/symbols/dwarf_sections.ts';

const word = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const text = (name: string): number[] => [...new TextEncoder().encode(name), 0];
const signed = (value: number): number[] =>
  value >= 0 ? signedLeb(value) : value >= -64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, (value >> 7) & 0x7f];

interface Row {
  readonly address: number;
  readonly file: number;
  readonly line: number;
}
interface Sequence {
  readonly rows: readonly Row[];
  readonly end: number;
}

const kLineBase = -3;
const kLineRange = 12;
const kOpcodeBase = 13;
const kFiles = ['a.cpp', 'b.cpp', 'c.cpp'];

/** A program of version 4: folders "src" and "/usr", the files in turns in none and in those. */
function program(sequences: readonly Sequence[], random: Random): number[] {
  const files = kFiles.flatMap((name, index) => [...text(name), index, 0, 0]);
  const header = [
    ...[1, 1, 1, kLineBase & 0xff, kLineRange, kOpcodeBase],
    ...[0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1],
    ...[...text('src'), ...text('/usr'), 0],
    ...[...files, 0],
  ];
  const code = sequences.flatMap((sequence) => codeOf(sequence, random));
  const unit = [4, 0, ...word(header.length), ...header, ...code];
  return [...word(unit.length), ...unit];
}

/** The machine begins each sequence at address 0, file 1, line 1. */
function codeOf({ rows, end }: Sequence, random: Random): number[] {
  const code: number[] = [];
  let [address, file, line] = [0, 1, 1];
  for (const row of rows) {
    if (row.file !== file) code.push(4, ...unsignedLeb(row.file));
    if (random.below(3) === 0) code.push(5, ...unsignedLeb(random.below(300))); // a column, of no interest
    if (random.below(3) === 0) code.push(6); // no statement
    if (address === 0) code.push(0, 5, 2, ...word(row.address));
    const step = address === 0 ? 0 : row.address - address;
    const special = kOpcodeBase + (row.line - line - kLineBase) + kLineRange * step;
    const isShort = row.line - line >= kLineBase && row.line - line < kLineBase + kLineRange && special <= 255;
    if (isShort && random.below(2) === 0) code.push(special);
    else {
      code.push(3, ...signed(row.line - line));
      code.push(...advanced(step, random), 1);
    }
    [address, file, line] = [row.address, row.file, row.line];
  }
  return [...code, ...advanced(end - address, random), 0, 1, 1];
}

/** An address goes on by a number, by a fixed one of two bytes, or by what the last special opcode would add. */
function advanced(by: number, random: Random): number[] {
  const constant = Math.floor((255 - kOpcodeBase) / kLineRange);
  if (by >= constant && random.below(2) === 0) return [8, ...advanced(by - constant, random)];
  return random.below(2) === 0 ? [2, ...unsignedLeb(by)] : [9, by & 0xff, by >> 8];
}

function randomSequence(from: number, random: Random): Sequence {
  const rows: Row[] = [];
  let address = from;
  for (let left = 1 + random.below(6); left > 0; --left) {
    rows.push({ address, file: 1 + random.below(kFiles.length), line: 1 + random.below(200) });
    address += 1 + random.below(40);
  }
  return { rows, end: address };
}

const paths = ['', 'a.cpp', 'src/b.cpp', '/usr/c.cpp'];

function tableOf(programs: readonly (readonly number[])[]): LineTable {
  const nothing = new Uint8Array();
  const empty = {
    reach: new Reach(0),
    info: nothing,
    abbrev: nothing,
    str: nothing,
    lineStr: nothing,
    ranges: nothing,
  };
  return readLines({
    ...empty,
    rnglists: nothing,
    strOffsets: nothing,
    addr: nothing,
    line: Uint8Array.from(programs.flat()),
  });
}

test.each([1, 2, 3, 4, 5])('an address has the row at or before it, of its sequence (seed %i)', (seed) => {
  const random = createRandom(seed);
  const sequences: Sequence[] = [];
  for (let from = 0x40; sequences.length < 30; from = (sequences.at(-1)?.end ?? 0) + random.below(3) * 7)
    sequences.push(randomSequence(from, random));
  const programs: number[][] = [];
  for (let rest = [...sequences]; rest.length > 0; ) {
    const part = Array.from({ length: Math.min(rest.length, 1 + random.below(5)) }, () => {
      const [one] = rest.splice(random.below(rest.length), 1);
      return one as Sequence;
    });
    programs.push(program(part, random));
    rest = [...rest];
  }
  const table = tableOf(programs);
  for (let address = 0; address <= (sequences.at(-1)?.end ?? 0) + 2; ++address) {
    const rows = sequences.find(({ rows: [first], end }) => (first?.address ?? 0) <= address && address < end)?.rows;
    const row = rows?.findLast((one) => one.address <= address);
    const expected = row === undefined ? undefined : { file: paths[row.file], line: row.line };
    expect(table.find(address), `0x${address.toString(16)}`).toEqual(expected);
  }
  expect(table.files(0)).toEqual(paths);
  expect(table.files(programs[0]?.length ?? 0)).toEqual(paths);
});

test('each sequence begins in the first file and line, whatever the one before it ended in', () => {
  const random = createRandom(9);
  const table = tableOf([
    program(
      [
        { rows: [{ address: 0x10, file: 3, line: 70 }], end: 0x20 },
        { rows: [{ address: 0x30, file: 1, line: 1 }], end: 0x40 },
      ],
      random,
    ),
  ]);
  expect(table.find(0x18)).toEqual({ file: '/usr/c.cpp', line: 70 });
  expect(table.find(0x38)).toEqual({ file: 'a.cpp', line: 1 });
});

test('a sequence of no bytes hides none of the lines around it', () => {
  const empty = (address: number): Sequence => ({ rows: [{ address, file: 2, line: 9 }], end: address });
  const whole = { rows: [{ address: 0x10, file: 1, line: 5 }], end: 0x30 };
  const table = tableOf([program([empty(0x10), empty(0x20), empty(0x30), whole], createRandom(1))]);
  const lines = [0xf, 0x10, 0x18, 0x20, 0x2f, 0x30].map((address) => table.find(address)?.line);
  expect(lines).toEqual([undefined, 5, 5, 5, 5, undefined]);
});

test('code that a linker left out, at address 0, belongs to nothing', () => {
  const table = tableOf([program([{ rows: [{ address: 0, file: 1, line: 5 }], end: 0x20 }], createRandom(1))]);
  expect([0, 0x10].map((address) => table.find(address))).toEqual([undefined, undefined]);
});

const kNoStrings = { text: 8, data16: 0x1e, unsigned: 15 }; // forms that need no other section

interface Header {
  readonly version: number;
  readonly is64?: boolean;
  readonly minimum?: number;
  readonly names: readonly number[];
}
/** A program with these tables of folders and files, and this code. */
function programOf({ version, is64 = false, minimum = 1, names }: Header, code: readonly number[]): number[] {
  const size = (bytes: number) => (is64 ? [...word(bytes), 0, 0, 0, 0] : word(bytes));
  const header = [
    ...[minimum, ...(version >= 4 ? [1] : []), 1, kLineBase & 0xff, kLineRange, kOpcodeBase],
    ...[0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1],
    ...names,
  ];
  const unit = [version, 0, ...(version >= 5 ? [4, 0] : []), ...size(header.length), ...header, ...code];
  return [...(is64 ? [0xff, 0xff, 0xff, 0xff] : []), ...size(unit.length), ...unit];
}
/** Line 5 of a file at 0x10, and line 8 eight bytes behind it, up to 0x30. */
const codeIn = (file: number) => [4, file, 0, 5, 2, ...word(0x10), 3, 4, 1, 2, 8, 3, 3, 1, 2, 24, 0, 1, 1];

test.each([false, true])(
  'in version 5 files and folders are numbered from 0, whatever else is said of each (64 bits: %s)',
  (is64) => {
    const names = [
      ...[1, 1, kNoStrings.text, 3, ...['/made', 'src', '/usr'].flatMap(text)],
      ...[3, 1, kNoStrings.text, 2, kNoStrings.unsigned, 5, kNoStrings.data16, 3],
      ...[...text('a.cpp'), 0, ...Array<number>(16).fill(0xee)],
      ...[...text('b.cpp'), 1, ...Array<number>(16).fill(0xee)],
      ...[...text('c.cpp'), 2, ...Array<number>(16).fill(0xee)],
    ];
    const files = ['a.cpp', 'src/b.cpp', '/usr/c.cpp'];
    for (const [number, file] of files.entries()) {
      const table = tableOf([programOf({ version: 5, is64, names }, codeIn(number))]);
      expect(table.files(0)).toEqual(files);
      expect([0xf, 0x10, 0x17, 0x18, 0x2f, 0x30].map((address) => table.find(address))).toEqual([
        undefined,
        { file, line: 5 },
        { file, line: 5 },
        { file, line: 8 },
        { file, line: 8 },
        undefined,
      ]);
    }
  },
);

test('in version 5 a file that is said by its folder alone has no name, and files that take no bytes are refused', () => {
  const folders = [1, 1, kNoStrings.text, 1, ...text('/made')];
  const byFolder = [...folders, 1, 2, kNoStrings.unsigned, 2, 0, 0];
  expect(tableOf([programOf({ version: 5, names: byFolder }, [])]).files(0)).toEqual(['', '']);
  const nothing = [...folders, 0, 3];
  expect(() => tableOf([programOf({ version: 5, names: nothing }, [])])).toThrow(/files that take no bytes/);
  expect(tableOf([programOf({ version: 5, names: [...folders, 0, 0] }, [])]).files(0)).toEqual([]);
});

test.each([2, 3, 4])('version %i is read, and the length of an instruction counts', (version) => {
  const names = [...text('src'), 0, ...text('a.cpp'), 1, 0x80, 0x01, 0x80, 0x01, ...text('/b.cpp'), 1, 0, 0, 0];
  const find = (minimum: number, address: number, file = 1) =>
    tableOf([programOf({ version, minimum, names }, codeIn(file))]).find(address);
  expect(find(1, 0x18)).toEqual({ file: 'src/a.cpp', line: 8 });
  expect(find(2, 0x18)).toEqual({ file: 'src/a.cpp', line: 5 });
  expect(find(2, 0x20, 2)).toEqual({ file: '/b.cpp', line: 8 });
  expect([find(2, 0x4f, 2)?.line, find(2, 0x50, 2), find(1, 0x10, 3)]).toEqual([8, undefined, undefined]);
});

test('opcodes that say nothing of lines are passed over with what stands behind them', () => {
  const names = [0, ...text('a.cpp'), 0, 0, 0, 0];
  const idle = [5, 0x80, 0x01, 6, 7, 10, 11, 12, 0x80, 0x01, 0, 3, 4, 0xaa, 0xbb, 0, 0];
  const code = [...idle, ...codeIn(1)];
  expect(tableOf([programOf({ version: 4, names }, code)]).find(0x18)).toEqual({ file: 'a.cpp', line: 8 });
});

test('line 0 is no line of anything, and a program that is not there has no files', () => {
  const names = [0, ...text('a.cpp'), 0, 0, 0, 0];
  const table = tableOf([programOf({ version: 4, names }, [0, 5, 2, ...word(0x10), 3, 0x7f, 1, 2, 8, 0, 1, 1])]);
  expect([table.find(0x14), table.files(1)]).toEqual([undefined, []]);
});
