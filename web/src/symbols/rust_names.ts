// Names of Rust, out of what rustc writes into a module.
//
//   legacy   _ZN5alloc7raw_vec19finish_grow17h0123456789abcdefE     lengths and parts; the last part is a hash, which is left out
//   v0       _RNvMs_NtCs1234_7mycrate3fooNtB4_3Bar4work             RFC 2603, "Rust Symbol Name Mangling v0"
//
//   R1  What cannot be read is given back as it came: undefined, and the caller keeps the raw name.
//   R3  A place may name an earlier one, so a short name can stand for an enormous one: with more than kMostBacks such places or
//       kMostBackLetters read at them, or nested deeper than the stack, it cannot be read.
//   R2  Left out, as rustc's own tools leave out: hashes of crates, lifetimes, the types of constants.
//
// LLVM's demangler for C++ (build/wasm/demangle.wasm) does not know names of Rust. The npm package gecko-profiler-demangle 0.4.0 does, and
// gives the same for every name of the tests but those that it cannot read (R1: _RNvC9999999999foo comes back without its underscore). It
// is 523 KB of wasm for what 4 KB do here.

const kLegacy = /^_ZN(?:\d.*)17h[0-9a-f]{16}E/;
const kMostBacks = 4096;
const kMostBackLetters = 65_536;
const kLastCharacter = 0x10_ffff;
const kEscapes: ReadonlyMap<string, string> = new Map([
  ['SP', '@'],
  ['BP', '*'],
  ['RF', '&'],
  ['LT', '<'],
  ['GT', '>'],
  ['LP', '('],
  ['RP', ')'],
  ['C', ','],
]);

/** Undefined when it is no name of Rust. */
export function rustName(mangled: string): string | undefined {
  if (kLegacy.test(mangled)) return legacyName(mangled);
  if (!/^_R[A-Z0-9]/.test(mangled)) return undefined;
  try {
    return new NameOfV0(mangled.slice(2)).read();
  } catch (error) {
    if (error instanceof NotAName || error instanceof RangeError) return undefined; // RangeError: no stack is left (R3)
    throw error;
  }
}

function legacyName(mangled: string): string {
  const parts: string[] = [];
  let rest = mangled.slice(3);
  for (let match = /^\d+/.exec(rest); match !== null; match = /^\d+/.exec(rest)) {
    const size = Number(match[0]);
    parts.push(rest.slice(match[0].length, match[0].length + size));
    rest = rest.slice(match[0].length + size);
  }
  return parts
    .slice(0, -1)
    .map((part) =>
      part
        .replace(/^_\$/, '$')
        .replace(/\$(\w+?)\$/g, (whole, code: string) => kEscapes.get(code) ?? unicodeEscape(code) ?? whole)
        .replace(/\.\./g, '::'),
    )
    .join('::');
}

function unicodeEscape(code: string): string | undefined {
  const hex = /^u([0-9a-f]+)$/.exec(code)?.[1];
  return hex === undefined ? undefined : character(Number.parseInt(hex, 16));
}

const character = (code: number): string | undefined =>
  code > kLastCharacter ? undefined : String.fromCodePoint(code);

class NotAName extends Error {}

const kBasic: Readonly<Record<string, string>> = {
  a: 'i8',
  b: 'bool',
  c: 'char',
  d: 'f64',
  e: 'str',
  f: 'f32',
  h: 'u8',
  i: 'isize',
  j: 'usize',
  l: 'i32',
  m: 'u32',
  n: 'i128',
  o: 'u128',
  p: '_',
  s: 'i16',
  t: 'u16',
  u: '()',
  v: '...',
  x: 'i64',
  y: 'u64',
  z: '!',
};

class NameOfV0 {
  private at = 0;
  private readonly text: string;
  private backs = 0;
  private backLetters = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): string {
    return this.path(true);
  }

  private next(): string {
    const letter = this.text[this.at++];
    if (letter === undefined) throw new NotAName();
    return letter;
  }

  private take(letter: string): boolean {
    if (this.text[this.at] !== letter) return false;
    ++this.at;
    return true;
  }

  /** What stands at an earlier place, read there. */
  private back(read: () => string): string {
    const begin = this.at - 1;
    const at = this.base62();
    const here = this.at;
    if (at >= begin || ++this.backs > kMostBacks) throw new NotAName();
    this.at = at;
    const name = read();
    this.at = here;
    this.backLetters += name.length;
    if (this.backLetters > kMostBackLetters) throw new NotAName();
    return name;
  }

  private base62(): number {
    if (this.take('_')) return 0;
    let value = 0;
    for (let letter = this.next(); letter !== '_'; letter = this.next()) {
      const digit = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(letter);
      if (digit < 0) throw new NotAName();
      value = value * 62 + digit;
    }
    return value + 1;
  }

  private identifier(): { readonly name: string; readonly number: number } {
    const number = this.take('s') ? this.base62() + 1 : 0;
    return { name: this.plainIdentifier(), number };
  }

  private plainIdentifier(): string {
    const isPunycode = this.take('u');
    const digits = /^(?:0|[1-9]\d*)/.exec(this.text.slice(this.at))?.[0]; // behind a name without letters stands the next size
    if (digits === undefined) throw new NotAName();
    this.at += digits.length;
    this.take('_');
    const name = this.text.slice(this.at, this.at + Number(digits));
    this.at += name.length;
    return isPunycode ? `punycode{${name}}` : name;
  }

  /** `inValue`: generic arguments are written ::<T>, as in an expression. */
  private path(inValue = false): string {
    switch (this.next()) {
      case 'C':
        return this.identifier().name;
      case 'M':
        this.implPath();
        return `<${this.type()}>`;
      case 'X':
        this.implPath();
        return `<${this.type()} as ${this.path()}>`;
      case 'Y':
        return `<${this.type()} as ${this.path()}>`;
      case 'N': {
        const space = this.next();
        const parent = this.path(inValue);
        const { name, number } = this.identifier();
        if (space === 'C') return `${parent}::{closure${name === '' ? '' : `:${name}`}#${number}}`;
        if (space === 'S') return `${parent}::{shim${name === '' ? '' : `:${name}`}#${number}}`;
        return name === '' ? parent : `${parent}::${name}`;
      }
      case 'I': {
        const parent = this.path(inValue);
        return `${parent}${inValue ? '::' : ''}<${this.list(() => this.argument()).join(', ')}>`;
      }
      case 'B':
        return this.back(() => this.path(inValue));
      default:
        throw new NotAName();
    }
  }

  private implPath(): void {
    if (this.take('s')) this.base62();
    this.path();
  }

  private list(read: () => string): string[] {
    const items: string[] = [];
    while (!this.take('E')) items.push(read());
    return items.filter((item) => item !== '');
  }

  private argument(): string {
    if (this.take('L')) {
      this.base62();
      return '';
    }
    return this.take('K') ? this.constant() : this.type();
  }

  private type(): string {
    const letter = this.next();
    const basic = kBasic[letter];
    if (basic !== undefined) return basic;
    switch (letter) {
      case 'A':
        return `[${this.type()}; ${this.constant()}]`;
      case 'S':
        return `[${this.type()}]`;
      case 'T': {
        const types = this.list(() => this.type());
        return types.length === 1 ? `(${types[0]},)` : `(${types.join(', ')})`;
      }
      case 'R':
      case 'Q':
        if (this.take('L')) this.base62();
        return `${letter === 'R' ? '&' : '&mut '}${this.type()}`;
      case 'P':
        return `*const ${this.type()}`;
      case 'O':
        return `*mut ${this.type()}`;
      case 'F':
        return this.functionType();
      case 'D':
        return this.dynType();
      case 'B':
        return this.back(() => this.type());
      default:
        --this.at;
        return this.path();
    }
  }

  private functionType(): string {
    if (this.take('G')) this.base62();
    const unsafe = this.take('U') ? 'unsafe ' : '';
    const abi = this.take('K') ? `extern "${this.take('C') ? 'C' : this.plainIdentifier().replaceAll('_', '-')}" ` : '';
    const given = this.list(() => this.type()).join(', ');
    const result = this.type();
    return `${unsafe}${abi}fn(${given})${result === '()' ? '' : ` -> ${result}`}`;
  }

  private dynType(): string {
    if (this.take('G')) this.base62();
    const traits = this.list(() => {
      const trait = this.path();
      const bound: string[] = [];
      while (this.take('p')) bound.push(`${this.plainIdentifier()} = ${this.type()}`);
      if (bound.length === 0) return trait;
      return trait.endsWith('>') ? `${trait.slice(0, -1)}, ${bound.join(', ')}>` : `${trait}<${bound.join(', ')}>`;
    });
    if (this.take('L')) this.base62();
    return `dyn ${traits.join(' + ')}`;
  }

  private constant(): string {
    if (this.take('B')) return this.back(() => this.constant());
    const type = this.next();
    if (type === 'p') return '_';
    const sign = this.take('n') ? '-' : '';
    const hex = /^[0-9a-f]*_/.exec(this.text.slice(this.at))?.[0];
    if (hex === undefined) throw new NotAName();
    this.at += hex.length;
    const value = BigInt(`0x0${hex.slice(0, -1)}`);
    if (type === 'b') return value === 0n ? 'false' : 'true';
    if (type === 'c') {
      const letter = character(Number(value));
      if (letter === undefined) throw new NotAName();
      return `'${letter}'`;
    }
    return `${sign}${value}`;
  }
}
