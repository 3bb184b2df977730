// What Binaryen does to a function that is there, and its types do not tell.

import type binaryen from 'binaryen';

interface Undeclared {
  _BinaryenFunctionAddVar(func: number, type: number): number;
  _BinaryenFunctionSetBody(func: number, body: number): void;
}

const undeclared = (lib: typeof binaryen): Undeclared => lib as unknown as Undeclared;

/** The number of a new local. */
export const addLocal = (lib: typeof binaryen, func: number, type: number): number =>
  undeclared(lib)._BinaryenFunctionAddVar(func, type);

export function setBody(lib: typeof binaryen, func: number, body: number): void {
  undeclared(lib)._BinaryenFunctionSetBody(func, body);
}
