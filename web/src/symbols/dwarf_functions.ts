// .debug_info: the functions of a module, and the calls that the compiler inlined into them.
//
//   subprogram f  [from, end)                        a call at address x in f, within g, within h (all inlined):
//     inlined g, called at f.cpp:10                     f  at f.cpp:10
//       inlined h, called at g.hpp:20                   g  at g.hpp:20
//                                                       h  at the line of x
//
//   D1  Entries are read once, in their order: parents first. Of each only what the picture needs is kept.
//   D2  A name is that of the entry it came from: abstract origin, then specification. The mangled one wins: it is whole.
//   D3  What begins at 0 was left out by a linker or lost by a tool: no body begins there. An inlined call lies within its function:
//       one that reaches beyond has lost its end (Binaryen writes 0, which is 4 GiB as a length from the beginning on).
//   D4  A line belongs to the function whose declaration is the nearest above it. An optimizer that nests one call into another's code
//       (block = malloc(); list.add(block)) leaves it in the range of the code around it, an inlined add; its line is still its own. So
//       the chain ends at the function that owns the line. Not where a function is in the chain twice: it may contain the other one.

import { ByteReader } from './byte_reader.ts';
import {
  type Abbreviation,
  type Attributes,
  asNumber,
  kAt,
  readAbbreviations,
  readAttributes,
  readBases,
} from './dwarf_entries.ts';
import { type Line, type LineTable, lastAtOrBefore } from './dwarf_lines.ts';
import { type Range, readRanges } from './dwarf_ranges.ts';
import { type Dwarf, kAddressForms, kForm, offsetOf, type Unit, unitLength } from './dwarf_sections.ts';

export interface InlinedCall {
  /** Mangled, where there is such a name. */
  readonly name: string;
  /** Where it was called, in the function around it. */
  readonly file: string;
  readonly line: number;
}

export interface FunctionTable {
  /** The inlined calls around an address, outermost first. `at`: its line, where it is known. */
  inlinedAt(address: number, at?: Line): InlinedCall[];
}

const kTag = { subprogram: 0x2e, inlined: 0x1d } as const;
/** Of a unit: a whole one, a part of one, one of types, and what is left where a file of its own has the rest. */
const kUnitTags: readonly number[] = [0x11, 0x3c, 0x41, 0x4a];

interface Inlined {
  /** The inlined call around it, -1 when there is none. */
  readonly parent: number;
  readonly ranges: readonly Range[];
  readonly origin: number;
  readonly file: string;
  readonly line: number;
}

interface FunctionEntry extends Range {
  readonly origin: number;
  readonly inlined: Inlined[];
}

interface Named {
  readonly name: string | undefined;
  readonly origin: number | undefined;
  /** Where it is declared. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export function readFunctions(dwarf: Dwarf, lines: LineTable): FunctionTable {
  const names = new Map<number, Named>();
  const functions: FunctionEntry[] = [];
  const reader = new ByteReader(dwarf.info);
  const abbreviations = new Map<number, ReadonlyMap<number, Abbreviation>>();
  while (reader.end - reader.at > 4) readUnit(reader, dwarf, lines, abbreviations, names, functions);
  functions.sort((one, other) => one.from - other.from);

  /** D2: the first entry that has it. */
  const said = <T>(origin: number, of: (named: Named) => T | undefined, depth = 0): T | undefined => {
    const named = names.get(origin);
    const own = named === undefined ? undefined : of(named);
    if (own !== undefined || named?.origin === undefined || depth > 4) return own;
    return said(named.origin, of, depth + 1);
  };
  const nameOf = (origin: number) => said(origin, ({ name }) => name) ?? '?';
  const declaredAt = (origin: number): Line => ({
    file: said(origin, ({ file }) => file) ?? '',
    line: said(origin, ({ line }) => line) ?? 0,
  });
  return {
    inlinedAt: (address, at) => {
      const found = functions[lastAtOrBefore(functions.length, (index) => functions[index]?.from ?? 0, address)];
      if (found === undefined || address >= found.end) return [];
      const chain: Inlined[] = [];
      for (let inner = innermostAt(found, address); inner >= 0; ) {
        const inlined = found.inlined[inner] ?? kNothing;
        chain.push(inlined);
        inner = inlined.parent;
      }
      chain.reverse();
      const origins = [found.origin, ...chain.map(({ origin }) => origin)];
      const owner = at === undefined ? chain.length : ownerOf(at, origins, declaredAt);
      return chain.slice(0, owner).map(({ origin, file, line }) => ({ name: nameOf(origin), file, line }));
    },
  };
}

/** D4: which of the functions, the outermost first, the line belongs to; the innermost when none can be told. */
function ownerOf(at: Line, origins: readonly number[], declaredAt: (origin: number) => Line): number {
  const innermost = origins.length - 1;
  if (new Set(origins).size < origins.length) return innermost;
  let owner = innermost;
  let nearest = -1;
  origins.forEach((origin, index) => {
    const { file, line } = declaredAt(origin);
    if (file !== at.file || line > at.line || line < nearest) return;
    owner = index;
    nearest = line;
  });
  return owner;
}

const kNothing: Inlined = { parent: -1, ranges: [], origin: -1, file: '', line: 0 };

/** The range that begins last: a call's lies within that of the call around it. Where a tool moved code, so that ranges overlap that
 *  should not, it is the one that LLVM takes. */
function innermostAt({ inlined }: FunctionEntry, address: number): number {
  let best = -1;
  let bestFrom = 0;
  inlined.forEach(({ ranges }, index) => {
    for (const { from, end } of ranges) {
      if (from <= address && address < end && from >= bestFrom) {
        best = index;
        bestFrom = from;
      }
    }
  });
  return best;
}

/** What is around a level of the tree. */
interface Around {
  readonly function: FunctionEntry | undefined;
  readonly inlined: number;
}

function readUnit(
  reader: ByteReader,
  dwarf: Dwarf,
  lines: LineTable,
  known: Map<number, ReadonlyMap<number, Abbreviation>>,
  names: Map<number, Named>,
  functions: FunctionEntry[],
): void {
  const at = reader.at;
  const { size, is64 } = unitLength(reader);
  const body = reader.part(size);
  const version = body.u16();
  const kind = version >= 5 ? body.u8() : 1;
  if (version >= 5) body.skip(1); // size of an address
  const abbrevAt = offsetOf(body, is64);
  if (version < 5) body.skip(1);
  if (kind === 4 || kind === 5) body.skip(8); // a skeleton's number
  if (kind === 2 || kind === 6) body.skip(is64 ? 16 : 12); // a type's signature and offset
  const table = known.get(abbrevAt) ?? readAbbreviations(dwarf, abbrevAt);
  known.set(abbrevAt, table);
  const unit: Unit = { dwarf, version, is64, at, strOffsetsBase: undefined, addrBase: undefined, rnglistsBase: 0 };
  let files: readonly string[] = [];
  let base = 0;
  const outside: Around = { function: undefined, inlined: -1 };
  const around: Around[] = [];
  while (!body.isDone) {
    const entryAt = body.at;
    const code = body.unsigned();
    if (code === 0) {
      around.pop(); // a unit may end with padding
      continue;
    }
    const abbreviation = table.get(code);
    if (abbreviation === undefined) return;
    if (kUnitTags.includes(abbreviation.tag)) readBases(body, abbreviation, unit);
    const attributes = readAttributes(body, abbreviation, unit);
    const number = (name: number) => asNumber(attributes.get(name)?.value);
    let inside = around[around.length - 1] ?? outside;
    if (kUnitTags.includes(abbreviation.tag)) {
      files = lines.files(number(kAt.lineProgram) ?? -1);
      base = number(kAt.lowPc) ?? 0;
    }
    if (abbreviation.tag === kTag.subprogram) {
      names.set(entryAt, namedBy(attributes, files));
      const [range] = rangesOf(attributes, unit, base);
      const entry = range === undefined ? undefined : { ...range, origin: entryAt, inlined: [] };
      if (entry !== undefined) functions.push(entry);
      inside = { function: entry, inlined: -1 };
    }
    if (abbreviation.tag === kTag.inlined && inside.function !== undefined) {
      const { inlined, end: functionEnd } = inside.function;
      inlined.push({
        parent: inside.inlined,
        ranges: rangesOf(attributes, unit, base).filter(({ end }) => end <= functionEnd), // D3
        origin: number(kAt.abstractOrigin) ?? -1,
        file: files[number(kAt.callFile) ?? -1] ?? '',
        line: number(kAt.callLine) ?? 0,
      });
      inside = { function: inside.function, inlined: inlined.length - 1 };
    }
    if (abbreviation.hasChildren) around.push(inside);
  }
}

function namedBy(attributes: Attributes, files: readonly string[]): Named {
  const text = (name: number) => {
    const value = attributes.get(name)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: number) => asNumber(attributes.get(name)?.value);
  return {
    name: text(kAt.linkageName) ?? text(kAt.mipsLinkageName) ?? text(kAt.name),
    origin: number(kAt.abstractOrigin) ?? number(kAt.specification),
    file: files[number(kAt.declFile) ?? -1],
    line: number(kAt.declLine),
  };
}

const rangesOf = (attributes: Attributes, unit: Unit, base: number): Range[] =>
  writtenRanges(attributes, unit, base).filter(({ from }) => from > 0); // D3

function writtenRanges(attributes: Attributes, unit: Unit, base: number): Range[] {
  const low = asNumber(attributes.get(kAt.lowPc)?.value);
  const high = attributes.get(kAt.highPc);
  const end = asNumber(high?.value);
  if (low !== undefined && high !== undefined && end !== undefined)
    return [{ from: low, end: kAddressForms.includes(high.form) ? end : low + end }];
  const ranges = attributes.get(kAt.ranges);
  const at = asNumber(ranges?.value);
  if (at === undefined) return [];
  return readRanges(unit, at, ranges?.form === kForm.rnglistx, base);
}
