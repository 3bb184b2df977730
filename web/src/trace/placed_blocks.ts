// The live blocks of a foreign heap by address, to say which of them an address lies in: event.P10. The model has its own chunks for that.
//
//   sizes     a block: its address and its bytes
//   places    the same addresses in order, as a tree of words of 32 bits; made for the first free of an address that is none of them
//
//   levels    bit: an address     ... 32 ...  bit: a word below that is not 0  ...          7 levels for 32 bits
//
//   Q1  Where each address that is freed is a block's, this is one map. Else a step takes seven looks at most, wherever the blocks lie.

import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords, kindOf, kSegmentBits, kSegmentEvents, type Trace } from './trace.ts';

const kLevels = 7;

export class PlacedBlocks {
  readonly #sizes = new Map<number, number>();
  #places: Places | undefined;

  /** Whether it replaces one. */
  begin(address: number, size: number): boolean {
    const before = this.#sizes.size;
    this.#sizes.set(address, size);
    this.#places?.add(address);
    return this.#sizes.size === before;
  }

  /** Ends the block that an address lies in. Where it began; undefined: there is none. */
  free(address: number): number | undefined {
    const begin = this.#sizes.has(address) ? address : this.#around(address);
    if (begin === undefined) return undefined;
    this.#sizes.delete(begin);
    this.#places?.remove(begin);
    return begin;
  }

  clear(): void {
    this.#sizes.clear();
    this.#places = undefined;
  }

  #around(address: number): number | undefined {
    this.#places ??= new Places(this.#sizes.keys());
    const begin = this.#places.lastUpTo(address);
    return begin !== undefined && address - begin < (this.#sizes.get(begin) ?? 0) ? begin : undefined;
  }
}

/** block: where the block begins that the event frees; undefined: it frees none that is known. */
export type NoteFree = (address: number, event: number, block: number | undefined) => void;

/** Reads which blocks the frees of a foreign heap's trace are of. */
export class ForeignFrees {
  /** The last event that says that events were lost. */
  lostAt = -1;
  /** Blocks that begin where another still is by what was seen, and the first such event. */
  replaced = 0;
  firstReplaced = 0;
  readonly #trace: Trace;
  readonly #note: NoteFree;
  readonly #blocks = new PlacedBlocks();
  #read = 0;

  constructor(trace: Trace, note: NoteFree) {
    this.#trace = trace;
    this.#note = note;
  }

  /** The events that were not read yet, up to number `end`. */
  readTo(end: number): void {
    const blocks = this.#blocks;
    for (; this.#read < end; ++this.#read) {
      const words = this.#trace.segment(this.#read >>> kSegmentBits) as Uint32Array;
      const at = (this.#read & (kSegmentEvents - 1)) * kEventWords;
      const kind = kindOf(words[at] as number);
      const address = words[at + 1] as number;
      if (kind === EventKind.blockAllocated) {
        if (blocks.begin(address, words[at + 2] as number) && this.replaced++ === 0) this.firstReplaced = this.#read;
      } else if (kind === EventKind.blockFreed) this.#note(address, this.#read, blocks.free(address));
      else if (kind === EventKind.eventsLost) {
        blocks.clear(); // what lives is restated behind it
        this.lostAt = this.#read;
      }
    }
  }
}

/** Numbers of 32 bits, in order. */
class Places {
  readonly #levels = Array.from({ length: kLevels }, () => new Map<number, number>());

  constructor(numbers: Iterable<number>) {
    for (const number of numbers) this.add(number);
  }

  add(number: number): void {
    let at = number;
    for (const words of this.#levels) {
      const word = at >>> 5;
      const bits = words.get(word) ?? 0;
      words.set(word, bits | (1 << (at & 31)));
      if (bits !== 0) return;
      at = word;
    }
  }

  remove(number: number): void {
    let at = number;
    for (const words of this.#levels) {
      const word = at >>> 5;
      const bits = (words.get(word) ?? 0) & ~(1 << (at & 31));
      if (bits !== 0) {
        words.set(word, bits);
        return;
      }
      words.delete(word);
      at = word;
    }
  }

  lastUpTo(number: number): number | undefined {
    let at = number;
    for (const [level, words] of this.#levels.entries()) {
      const word = at >>> 5;
      const bits = (words.get(word) ?? 0) & ((2 << (at & 31)) - 1);
      if (bits !== 0) return this.#lastBelow(level, word, bits);
      if (word === 0) return undefined;
      at = word - 1;
    }
    return undefined;
  }

  /** The last number below a word of a level. */
  #lastBelow(level: number, word: number, bits: number): number {
    let last = word * 32 + 31 - Math.clz32(bits);
    for (let below = level - 1; below >= 0; --below) {
      last = last * 32 + 31 - Math.clz32(this.#levels[below]?.get(last) ?? 0);
    }
    return last;
  }
}
