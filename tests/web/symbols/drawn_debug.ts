// Debug information drawn at random: units of DWARF 4 and 5, of 32 and 64 bits, whose functions have calls inlined into calls, each number,
// text, address and list in any form that the standard has for it.

import { createRandom, type Random } from '../../../web/src/base/random.ts';
import type { InlinedCall } from '../../../web/src/symbols/dwarf_functions.ts';
import type { Range } from '../../../web/src/symbols/dwarf_ranges.ts';
import { type Dwarf, Reach } from '../../../web/src/symbols/dwarf_sections.ts';

/** constant: of a form that has its value in the abbreviation. */
interface Attribute {
  readonly name: number;
  readonly form: number;
  readonly bytes: readonly number[];
  readonly constant?: readonly number[];
}

export interface DrawnCall extends InlinedCall {
  readonly ranges: readonly Range[];
  readonly inside: readonly DrawnCall[];
}

export interface DrawnFunction extends Range {
  readonly calls: readonly DrawnCall[];
}

const kSections = ['info', 'abbrev', 'str', 'lineStr', 'ranges', 'rnglists', 'strOffsets', 'addr'] as const;
type Sections = Readonly<Record<(typeof kSections)[number], number[]>>;

const kTag = { unit: 0x11, function: 0x2e, inlined: 0x1d, block: 0x0b } as const;
const kLists = 64; // of a unit at most

const little = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, nth) => Math.floor(value / 256 ** nth) % 256);
const leb = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
const signed = (value: number): number[] =>
  value < 64 ? [value] : [(value % 128) + 128, ...signed(Math.floor(value / 128))];
const zeroEnded = (text: string): number[] => [...new TextEncoder().encode(text), 0];

/** The files that a unit's line program has. */
export const filesOf = (unit: number): readonly string[] => ['', `${unit}.cpp`, `${unit}.hpp`];

export function drawDebug(seed: number, units: number): { readonly dwarf: Dwarf; readonly functions: DrawnFunction[] } {
  const random = createRandom(seed);
  const sections: Sections = {
    ...{ info: [], abbrev: [7, 7], str: zeroEnded('str'), lineStr: zeroEnded('line') },
    ...{ ranges: [9, 9, 9], rnglists: [], strOffsets: [], addr: [] },
  };
  const functions: DrawnFunction[] = [];
  for (let nth = 1; nth <= units; ++nth) functions.push(...new DrawnUnit(random, sections, nth, nth * 0x1000).draw());
  const of = Object.fromEntries(kSections.map((name) => [name, Uint8Array.from(sections[name])]));
  const dwarf = { ...of, line: new Uint8Array(), reach: new Reach(sections.info.length * 4) };
  return { dwarf: dwarf as unknown as Dwarf, functions };
}

class DrawnUnit {
  readonly #random: Random;
  readonly #to: Sections;
  readonly #nth: number;
  readonly #from: number; // of its code
  readonly #isNew: boolean; // version 5
  readonly #is64: boolean;
  readonly #head: readonly number[]; // from its version to its first entry
  readonly #at: number;
  readonly #abbrevAt: number;
  readonly #bases: { readonly strOffsets: number; readonly addr: number; readonly rnglists: number };
  readonly #entries: number[] = [];
  #codes = 0;
  #lists = 0;

  constructor(random: Random, to: Sections, nth: number, from: number) {
    this.#random = random;
    this.#to = to;
    this.#nth = nth;
    this.#from = from;
    this.#isNew = random.below(3) > 0;
    this.#is64 = random.below(3) === 0;
    this.#at = to.info.length;
    this.#abbrevAt = to.abbrev.length;
    const header = this.#is64 ? 16 : 8;
    for (const section of [to.strOffsets, to.addr, to.rnglists]) section.push(...little(0, header));
    this.#bases = { strOffsets: to.strOffsets.length, addr: to.addr.length, rnglists: to.rnglists.length };
    to.rnglists.push(...little(0, kLists * this.#offsetSize));
    this.#head = this.#isNew
      ? this.#headOfKind(1 + random.below(6))
      : [...little(4, 2), ...this.#offset(this.#abbrevAt), 4];
  }

  /** 2 and 6: of a type, with its signature and place; 4 and 5: of two files, with their number. */
  #headOfKind(kind: number): number[] {
    const head = [...little(5, 2), kind, 4, ...this.#offset(this.#abbrevAt)];
    if (kind === 4 || kind === 5) return [...head, ...little(this.#nth, 8)];
    return kind === 2 || kind === 6 ? [...head, ...little(this.#nth, 8), ...this.#offset(this.#nth)] : head;
  }

  #offset(value: number): number[] {
    return little(value, this.#offsetSize);
  }

  get #offsetSize(): number {
    return this.#is64 ? 8 : 4;
  }

  draw(): DrawnFunction[] {
    const { below } = this.#random;
    this.#entry(kTag.unit, true, this.#unitAttributes());
    const functions: DrawnFunction[] = [];
    for (let at = this.#from, count = 1 + below(4); count > 0; --count) {
      const [from, end] = [at + 1 + below(9), at + 200 + below(300)];
      const names = Array.from({ length: 6 }, (_, nth) => this.#function(`${this.#nth}_${at}_${nth}`));
      this.#entry(kTag.function, true, this.#place([{ from, end }]));
      functions.push({ from, end, calls: this.#calls({ from, end }, names, 3) });
      this.#entries.push(0);
      at = end;
    }
    this.#entries.push(0);
    this.#to.abbrev.push(0);
    const body = [...this.#head, ...this.#entries];
    this.#to.info.push(...(this.#is64 ? little(0xffffffff, 4) : []), ...this.#offset(body.length), ...body);
    return functions;
  }

  /** In the order in which clang writes them: the table of addresses is named behind an address of it. */
  #unitAttributes(): Attribute[] {
    const offset = (name: number, value: number): Attribute => ({
      name,
      form: 0x17,
      bytes: little(value, this.#offsetSize),
    });
    const { strOffsets, addr, rnglists } = this.#bases;
    const [text, low] = [this.#text(0x03, 'unit'), this.#address(0x11, this.#from)];
    if (!this.#isNew) return [text, offset(0x10, this.#nth), low];
    return [text, offset(0x72, strOffsets), offset(0x10, this.#nth), low, offset(0x73, addr), offset(0x74, rnglists)];
  }

  /** An entry; where it begins. */
  #entry(tag: number, hasChildren: boolean, attributes: readonly Attribute[]): number {
    const at = this.#at + (this.#is64 ? 12 : 4) + this.#head.length + this.#entries.length;
    this.#codes += 1;
    const forms = attributes.flatMap(({ name, form, constant = [] }) => [...leb(name), ...leb(form), ...constant]);
    this.#to.abbrev.push(...leb(this.#codes), ...leb(tag), hasChildren ? 1 : 0, ...forms, 0, 0);
    this.#entries.push(...leb(this.#codes), ...attributes.flatMap(({ bytes }) => bytes));
    return at;
  }

  /** One that is inlined elsewhere, with its whole name or with another entry that has it. */
  #function(name: string): { readonly name: string; readonly at: number } {
    const { below } = this.#random;
    const [short, whole] = [this.#text(0x03, name.slice(2)), this.#text(below(2) === 0 ? 0x6e : 0x2007, name)];
    const named = below(2) === 0 ? [short, whole] : [whole, short];
    if (below(3) > 0) return { name, at: this.#entry(kTag.function, false, named) };
    const declared = this.#entry(kTag.function, false, named);
    return { name, at: this.#entry(kTag.function, false, [this.#reference(0x47, declared)]) };
  }

  #calls(around: Range, names: readonly { readonly name: string; readonly at: number }[], deep: number): DrawnCall[] {
    const { below } = this.#random;
    const calls: DrawnCall[] = [];
    for (let at = around.from + below(20); deep > 0 && at + 4 < around.end; at += 1 + below(30)) {
      const first = { from: at, end: Math.min(around.end, at + 2 + below(80)) };
      const second = { from: first.end + 1 + below(5), end: Math.min(around.end, first.end + 20 + below(20)) };
      const ranges = below(2) === 0 && second.from < second.end ? [first, second] : [first];
      const called = names[below(names.length)] ?? { name: '', at: 0 };
      const [file, line] = [1 + below(2), 1 + below(400)];
      const inBlock = below(4) === 0;
      if (inBlock) this.#entry(kTag.block, true, this.#place([first]));
      const origin = this.#reference(0x31, called.at);
      const rest = [this.#number(0x58, file), this.#number(0x59, line), ...this.#place(ranges)];
      this.#entry(kTag.inlined, true, [origin, ...rest]);
      const inside = ranges.flatMap((range) => this.#calls(range, names, deep - 1));
      this.#entries.push(0, ...(inBlock ? [0] : []));
      calls.push({ name: called.name, file: filesOf(this.#nth)[file] ?? '', line, ranges, inside });
      at = ranges.at(-1)?.end ?? at;
    }
    return calls;
  }

  #reference(name: number, to: number): Attribute {
    const near = to - this.#at;
    const size = [0, 1, 2, 3, 4][this.#random.below(near < 256 ? 5 : 4)];
    if (size === 4) return { name, form: 0x11, bytes: [near] };
    if (size === 0) return { name, form: 0x10, bytes: little(to, this.#offsetSize) };
    if (size === 1) return { name, form: 0x13, bytes: little(near, 4) };
    if (size === 2) return { name, form: 0x14, bytes: little(near, 8) };
    return { name, form: 0x15, bytes: leb(near) };
  }

  #number(name: number, value: number): Attribute {
    const forms: Attribute[] = [
      { name, form: 0x05, bytes: little(value, 2) },
      { name, form: 0x06, bytes: little(value, 4) },
      { name, form: 0x07, bytes: little(value, 8) },
      { name, form: 0x0d, bytes: signed(value) },
      { name, form: 0x0f, bytes: leb(value) },
      { name, form: 0x16, bytes: [0x0f, ...leb(value)] },
      { name, form: 0x21, bytes: [], constant: signed(value) },
    ];
    return forms[this.#random.below(forms.length)] as Attribute;
  }

  /** An index in a form of fixed size, or of any. first: the form of one byte. */
  #index(name: number, value: number, first: number, any: number): Attribute {
    const size = this.#random.below(5);
    return size === 0
      ? { name, form: any, bytes: leb(value) }
      : { name, form: first + size - 1, bytes: little(value, size) };
  }

  #text(name: number, text: string): Attribute {
    const kind = this.#random.below(this.#isNew ? 4 : 2);
    const { str, lineStr, strOffsets } = this.#to;
    if (kind === 0) return { name, form: 0x08, bytes: zeroEnded(text) };
    const section = kind === 3 ? lineStr : str;
    const at = section.length;
    section.push(...zeroEnded(text));
    if (kind !== 2) return { name, form: kind === 1 ? 0x0e : 0x1f, bytes: little(at, this.#offsetSize) };
    const index = (strOffsets.length - this.#bases.strOffsets) / this.#offsetSize;
    strOffsets.push(...little(at, this.#offsetSize));
    return this.#index(name, index, 0x25, 0x1a);
  }

  #addressIndex(address: number): number {
    const { addr } = this.#to;
    addr.push(...little(address, 4));
    return (addr.length - this.#bases.addr) / 4 - 1;
  }

  #address(name: number, address: number): Attribute {
    if (!this.#isNew || this.#random.below(2) === 0) return { name, form: 0x01, bytes: little(address, 4) };
    return this.#index(name, this.#addressIndex(address), 0x29, 0x1b);
  }

  /** Where code lies: an address and an end, which is an address or a length, or a list. */
  #place(ranges: readonly Range[]): Attribute[] {
    const [range] = ranges;
    const kind = this.#random.below(3);
    if (ranges.length === 1 && range !== undefined && kind > 0) {
      const end = kind === 1 ? this.#address(0x12, range.end) : this.#number(0x12, range.end - range.from);
      return [this.#address(0x11, range.from), end];
    }
    const at = this.#isNew ? this.#newList(ranges) : this.#oldList(ranges);
    if (!this.#isNew || this.#lists >= kLists || this.#random.below(2) === 0)
      return [{ name: 0x55, form: 0x17, bytes: little(at, this.#offsetSize) }];
    const { rnglists } = this.#bases;
    const slot = rnglists + this.#lists * this.#offsetSize;
    little(at - rnglists, this.#offsetSize).forEach((byte, nth) => {
      this.#to.rnglists[slot + nth] = byte;
    });
    return [{ name: 0x55, form: 0x23, bytes: leb(this.#lists++) }];
  }

  #oldList(list: readonly Range[]): number {
    const { ranges } = this.#to;
    const at = ranges.length;
    let base = this.#from;
    for (const { from, end } of list) {
      if (this.#random.below(3) === 0) {
        base = from - this.#random.below(20);
        ranges.push(...little(0xffffffff, 4), ...little(base, 4));
      }
      ranges.push(...little(from - base, 4), ...little(end - base, 4));
    }
    ranges.push(...little(0, 8));
    return at;
  }

  #newList(list: readonly Range[]): number {
    const { rnglists } = this.#to;
    const at = rnglists.length;
    const { below } = this.#random;
    const index = (address: number) => leb(this.#addressIndex(address));
    let base = this.#from;
    for (const { from, end } of list) {
      if (below(3) === 0) {
        base = from - below(20);
        rnglists.push(...(below(2) === 0 ? [1, ...index(base)] : [5, ...little(base, 4)]));
      }
      const kinds = [
        () => [2, ...index(from), ...index(end)],
        () => [3, ...index(from), ...leb(end - from)],
        () => [4, ...leb(from - base), ...leb(end - base)],
        () => [6, ...little(from, 4), ...little(end, 4)],
        () => [7, ...little(from, 4), ...leb(end - from)],
      ];
      rnglists.push(...(kinds[below(kinds.length)]?.() ?? []));
    }
    rnglists.push(0);
    return at;
  }
}
