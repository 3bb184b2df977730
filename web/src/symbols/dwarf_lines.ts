// .debug_line: which file and line an address belongs to.
//
// A line program (DWARF 5, 6.2) is a small machine that writes rows of address, file, line; a sequence of rows covers a function. The
// row of an address is the last one at or before it, of the sequence that it lies in.
//
//   L1  Sequences that begin at 0, or at the number that linkers give to functions they left out, belong to nothing.
//   L2  Files are numbered from 1 up to version 4, from 0 in version 5.

import { ByteReader, WasmFileError } from './byte_reader.ts';
import { type Dwarf, offsetOf, readForm, type Unit, unitLength } from './dwarf_sections.ts';

export interface Line {
  readonly file: string;
  readonly line: number;
}

export interface LineTable {
  /** Paths by their numbers in the program that begins at this offset of .debug_line. */
  files(program: number): readonly string[];
  find(address: number): Line | undefined;
}

interface Sequence {
  readonly from: number;
  readonly end: number;
  readonly files: readonly string[];
  readonly addresses: readonly number[];
  readonly fileNumbers: readonly number[];
  readonly lines: readonly number[];
}

interface Header {
  readonly version: number;
  readonly minimum: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  readonly opcodeLengths: readonly number[];
  readonly files: string[];
}

export function readLines(dwarf: Dwarf): LineTable {
  const reader = new ByteReader(dwarf.line);
  const sequences: Sequence[] = [];
  const files = new Map<number, readonly string[]>();
  while (reader.end - reader.at > 4) {
    const at = reader.at;
    const { size, is64 } = unitLength(reader);
    const program = reader.part(size);
    const header = readHeader(program, dwarf, is64);
    files.set(at, header.files);
    for (const sequence of runProgram(program, header)) sequences.push(sequence);
  }
  sequences.sort((one, other) => one.end - other.end);
  return {
    files: (program) => files.get(program) ?? [],
    find: (address) => {
      const sequence = sequences[1 + lastAtOrBefore(sequences.length, (index) => sequences[index]?.end ?? 0, address)];
      if (sequence === undefined || address < sequence.from) return undefined;
      const row = lastAtOrBefore(sequence.addresses.length, (index) => sequence.addresses[index] ?? 0, address);
      const file = sequence.files[sequence.fileNumbers[row] ?? 0];
      const line = sequence.lines[row] ?? 0;
      return file === undefined || line === 0 ? undefined : { file, line };
    },
  };
}

/** The last index whose value is at most `wanted`, -1 when there is none. The values ascend. */
export function lastAtOrBefore(count: number, value: (index: number) => number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value(middle) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function readHeader(reader: ByteReader, dwarf: Dwarf, is64: boolean): Header {
  const version = reader.u16();
  if (version >= 5) reader.skip(2); // sizes of an address and of a segment
  const size = offsetOf(reader, is64);
  const rest = reader.part(size);
  const minimum = rest.u8();
  if (version >= 4) rest.skip(1); // operations of an instruction: 1
  rest.skip(1); // whether a row is a statement at first
  const lineBase = (rest.u8() << 24) >> 24;
  const lineRange = rest.u8();
  const opcodeBase = rest.u8();
  const opcodeLengths = [0];
  for (let op = 1; op < opcodeBase; ++op) opcodeLengths.push(rest.u8());
  const files = version >= 5 ? readFiles5(rest, dwarf, is64) : readFiles(rest);
  return { version, minimum, lineBase, lineRange, opcodeBase, opcodeLengths, files };
}

function readFiles(reader: ByteReader): string[] {
  const folders = [''];
  for (let name = reader.zeroEnded(); name !== ''; name = reader.zeroEnded()) folders.push(name);
  const files = [''];
  for (let name = reader.zeroEnded(); name !== ''; name = reader.zeroEnded()) {
    files.push(inFolder(folders[reader.unsigned()], name));
    reader.skipLeb(); // its time
    reader.skipLeb(); // its size
  }
  return files;
}

function readFiles5(reader: ByteReader, dwarf: Dwarf, is64: boolean): string[] {
  const unit: Unit = { dwarf, version: 5, is64, at: 0, strOffsetsBase: 8, addrBase: 8, rnglistsBase: 0 };
  const kPath = 1;
  const kFolder = 2;
  const entries = () => {
    const formats: { readonly content: number; readonly form: number }[] = [];
    for (let left = reader.u8(); left > 0; --left) {
      formats.push({ content: reader.unsigned(), form: reader.unsigned() });
    }
    const all: { path: string; folder: number }[] = [];
    for (let left = reader.unsigned(); left > 0; --left) {
      const entry = { path: '', folder: 0 };
      const from = reader.at;
      for (const { content, form } of formats) {
        const value = readForm(reader, form, unit);
        if (content === kPath && typeof value === 'string') entry.path = value;
        if (content === kFolder && typeof value === 'number') entry.folder = value;
      }
      if (reader.at === from) throw new WasmFileError('the debug information has files that take no bytes'); // as many as it says
      all.push(entry);
    }
    return all;
  };
  const folders = entries();
  return entries().map(({ path, folder }) => inFolder(folder === 0 ? '' : folders[folder]?.path, path));
}

/** The folder in which it was compiled is left out. */
const inFolder = (folder: string | undefined, name: string): string =>
  folder === undefined || folder === '' || name.startsWith('/') ? name : `${folder}/${name}`;

function runProgram(reader: ByteReader, header: Header): Sequence[] {
  const sequences: Sequence[] = [];
  let address = 0;
  let file = 1;
  let line = 1;
  let rows = { addresses: [] as number[], fileNumbers: [] as number[], lines: [] as number[] };
  const addRow = () => {
    rows.addresses.push(address);
    rows.fileNumbers.push(file);
    rows.lines.push(line);
  };
  const endSequence = () => {
    const from = rows.addresses[0] ?? 0;
    if (from > 0 && from < address) sequences.push({ from, end: address, files: header.files, ...rows }); // L1
    address = 0;
    file = 1;
    line = 1;
    rows = { addresses: [], fileNumbers: [], lines: [] };
  };
  const runExtended = () => {
    const part = reader.part(reader.unsigned());
    const op = part.isDone ? 0 : part.u8();
    if (op === 1) endSequence();
    if (op === 2) address = part.u32();
  };
  const kOneRange = 255 - header.opcodeBase;
  const standard: Readonly<Record<number, () => void>> = {
    1: addRow,
    2: () => {
      address += reader.unsigned() * header.minimum;
    },
    3: () => {
      line += reader.signed();
    },
    4: () => {
      file = reader.unsigned();
    },
    8: () => {
      address += Math.floor(kOneRange / header.lineRange) * header.minimum;
    },
    9: () => {
      address += reader.u16();
    },
  };
  while (!reader.isDone) {
    const op = reader.u8();
    if (op >= header.opcodeBase) {
      const step = op - header.opcodeBase;
      address += Math.floor(step / header.lineRange) * header.minimum;
      line += header.lineBase + (step % header.lineRange);
      addRow();
    } else if (op === 0) runExtended();
    else {
      const known = standard[op];
      if (known !== undefined) known();
      else for (let left = header.opcodeLengths[op] ?? 0; left > 0; --left) reader.skipLeb();
    }
  }
  return sequences;
}
