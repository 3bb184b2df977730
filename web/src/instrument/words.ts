// Words of a module: what its addresses and sizes are, 32 bits or, where its memory has 64-bit addresses, 64.
//
//   words.1  A wide module's wrappers give the recorder words as they are; what fits into an event is asked there alone (wide_text.ts).

import type binaryen from 'binaryen';

type Expression = number;

export interface Words {
  readonly type: number;
  readonly isWide: boolean;
  zero(): Expression;
  multiply(one: Expression, other: Expression): Expression;
  /** What is stored at an address. */
  load(address: Expression): Expression;
  /** An i32: whether it is 0. */
  isZero(word: Expression): Expression;
  /** An i32: its lower half, of a wide one. */
  low(word: Expression): Expression;
  /** An i64. */
  long(word: Expression): Expression;
  /** The size of memory in pages, a word. */
  pages(): Expression;
}

export const isWide = (module: binaryen.Module): boolean => module.hasMemory() && module.getMemoryInfo().is64;

/** pre: it has a memory */
export function wordsOf(lib: typeof binaryen, module: binaryen.Module): Words {
  const { i32, i64, memory } = module;
  return isWide(module)
    ? {
        type: lib.i64,
        isWide: true,
        zero: () => i64.const(0n as unknown as number), // its types have a number, which it does not take
        multiply: i64.mul,
        load: (address) => i64.load(0, 8, address),
        isZero: i64.eqz,
        low: i32.wrap,
        long: (word) => word,
        pages: () => memory.size(undefined, true),
      }
    : {
        type: lib.i32,
        isWide: false,
        zero: () => i32.const(0),
        multiply: i32.mul,
        load: (address) => i32.load(0, 4, address),
        isZero: i32.eqz,
        low: (word) => word,
        long: i64.extend_u,
        pages: () => memory.size(),
      };
}
