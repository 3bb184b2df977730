// Python's pickles, as far as data goes: dictionaries, lists, tuples, text, numbers, true, false and none.
//
//   Q1  Nothing is ever looked up or called by name: an opcode that would (GLOBAL, REDUCE, BUILD, INST, EXT ...) is refused,
//       so a pickle cannot run code here.
//   Q2  Opcodes of protocols 2 to 5 that Python writes for such data; integers beyond 2^53 are bigint. Protocol 0 is text, and refused.
//   Q3  Work and memory are bounded by the bytes: every opcode takes one and makes one value at most.
//
// The npm package pickleparser 0.2.1 was tried in its place (November 2026). It reads some of this wrongly: the integer -1 as 255, 2^63 as
// a rounded number; and it refuses integers of nine bytes. It follows BUILD, which copies a dictionary each time: with dictionaries as
// objects, its default, 160 KB of hostile bytes were not read after ten minutes.

import { failure, type Result, success } from '../base/result.ts';

export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Pickled[]
  | ReadonlyMap<Pickled, Pickled>;

class Unreadable extends Error {}
const kMark = Symbol('mark');
type Item = Pickled | typeof kMark;

/** The value; a sentence when it is no pickle, or holds what Q1 refuses. */
export function unpickle(bytes: Uint8Array): Result<Pickled, string> {
  try {
    return success(new Machine(bytes).run());
  } catch (error) {
    if (error instanceof Unreadable) return failure(error.message);
    throw error;
  }
}

class Machine {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  readonly #stack: Item[] = [];
  readonly #memo = new Map<number, Pickled>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  run(): Pickled {
    for (;;) {
      const at = this.#at;
      const code = this.#byte();
      if (code === 0x2e) return this.#pop(); // STOP
      if (!this.#step(code)) {
        const name = code > 32 && code < 127 ? `"${String.fromCharCode(code)}"` : `0x${code.toString(16)}`;
        throw new Unreadable(
          `byte ${at}: the pickle uses opcode ${name}, which plain data does not need; it is not followed`,
        );
      }
    }
  }

  /** False for an opcode that is refused. */
  #step(code: number): boolean {
    return this.#scalar(code) || this.#container(code) || this.#remember(code);
  }

  /** Opcodes that make a value of their own bytes, and those that make none. */
  #scalar(code: number): boolean {
    switch (code) {
      case 0x80: // PROTO
        this.#byte();
        return true;
      case 0x95: // FRAME
        this.#take(8);
        return true;
      case 0x28: // MARK
        this.#stack.push(kMark);
        return true;
      case 0x30: // POP
        this.#stack.pop();
        return true;
      case 0x4e: // NONE
        return this.#push(null);
      case 0x88: // NEWTRUE
        return this.#push(true);
      case 0x89: // NEWFALSE
        return this.#push(false);
      case 0x4b: // BININT1
        return this.#push(this.#byte());
      case 0x4d: // BININT2
        return this.#push(this.#view.getUint16(this.#take(2), true));
      case 0x4a: // BININT
        return this.#push(this.#view.getInt32(this.#take(4), true));
      case 0x8a: // LONG1
        return this.#push(this.#long(this.#byte()));
      case 0x47: // BINFLOAT
        return this.#push(this.#view.getFloat64(this.#take(8), false));
      case 0x8c: // SHORT_BINUNICODE
        return this.#push(this.#text(this.#byte()));
      case 0x58: // BINUNICODE
        return this.#push(this.#text(this.#word()));
      case 0x8d: // BINUNICODE8
        return this.#push(this.#text(this.#wide()));
      case 0x43: // SHORT_BINBYTES
        return this.#push(this.#bytesOf(this.#byte()));
      case 0x42: // BINBYTES
        return this.#push(this.#bytesOf(this.#word()));
      default:
        return false;
    }
  }

  /** Opcodes that make and fill lists, tuples and dictionaries. */
  #container(code: number): boolean {
    switch (code) {
      case 0x5d: // EMPTY_LIST
        return this.#push([]);
      case 0x7d: // EMPTY_DICT
        return this.#push(new Map());
      case 0x29: // EMPTY_TUPLE
        return this.#push([]);
      case 0x85: // TUPLE1, 2, 3
      case 0x86:
      case 0x87: {
        const items = Array.from({ length: code - 0x84 }, () => this.#pop());
        return this.#push(items.reverse());
      }
      case 0x74: // TUPLE
        return this.#push(this.#sinceMark());
      case 0x61: // APPEND
        return this.#append([this.#pop()]);
      case 0x65: // APPENDS
        return this.#append(this.#sinceMark());
      case 0x73: {
        const value = this.#pop(); // SETITEM
        return this.#setItems([this.#pop(), value]);
      }
      case 0x75: // SETITEMS
        return this.#setItems(this.#sinceMark());
      default:
        return false;
    }
  }

  #remember(code: number): boolean {
    switch (code) {
      case 0x94: // MEMOIZE
        this.#memo.set(this.#memo.size, this.#top());
        return true;
      case 0x71: // BINPUT
        this.#memo.set(this.#byte(), this.#top());
        return true;
      case 0x72: // LONG_BINPUT
        this.#memo.set(this.#word(), this.#top());
        return true;
      case 0x68: // BINGET
        return this.#get(this.#byte());
      case 0x6a: // LONG_BINGET
        return this.#get(this.#word());
      default:
        return false;
    }
  }

  // ---- stack ----

  #push(value: Pickled): true {
    this.#stack.push(value);
    return true;
  }

  #pop(): Pickled {
    const item = this.#stack.pop();
    if (item === undefined || item === kMark)
      throw new Unreadable(`byte ${this.#at}: the pickle takes what it did not make`);
    return item as Pickled;
  }

  #top(): Pickled {
    const value = this.#pop();
    this.#stack.push(value);
    return value;
  }

  #sinceMark(): Pickled[] {
    const mark = this.#stack.lastIndexOf(kMark);
    if (mark < 0) throw new Unreadable(`byte ${this.#at}: the pickle lacks a mark`);
    const items = this.#stack.splice(mark) as Pickled[];
    items.shift();
    return items;
  }

  #append(items: readonly Pickled[]): true {
    const list = this.#top();
    if (!Array.isArray(list)) throw new Unreadable(`byte ${this.#at}: the pickle appends to what is no list`);
    for (const item of items) list.push(item);
    return true;
  }

  #setItems(items: readonly Pickled[]): true {
    const map = this.#top();
    if (!(map instanceof Map)) throw new Unreadable(`byte ${this.#at}: the pickle sets items of what is no dictionary`);
    if (items.length % 2 !== 0) throw new Unreadable(`byte ${this.#at}: a key of the pickle has no value`);
    for (let i = 0; i < items.length; i += 2) map.set(items[i] as Pickled, items[i + 1] as Pickled);
    return true;
  }

  #get(number: number): true {
    const value = this.#memo.get(number);
    if (value === undefined)
      throw new Unreadable(`byte ${this.#at}: the pickle reads memo ${number}, which it did not write`);
    return this.#push(value);
  }

  // ---- bytes ----

  #take(count: number): number {
    const at = this.#at;
    if (count > this.#bytes.length - at) throw new Unreadable(`the pickle was cut at byte ${this.#bytes.length}`);
    this.#at = at + count;
    return at;
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  #word(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  #wide(): number {
    return Number(this.#view.getBigUint64(this.#take(8), true));
  }

  #bytesOf(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.slice(at, at + count);
  }

  #text(count: number): string {
    return new TextDecoder().decode(this.#bytesOf(count));
  }

  /** Little-endian, two's complement. */
  #long(count: number): number | bigint {
    const at = this.#take(count);
    let value = 0n;
    for (let i = count - 1; i >= 0; --i) value = (value << 8n) | BigInt(this.#bytes[at + i] ?? 0);
    if (count > 0 && (this.#bytes[at + count - 1] ?? 0) >= 128) value -= 1n << BigInt(count * 8);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
}
