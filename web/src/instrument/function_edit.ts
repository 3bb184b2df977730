// What Binaryen does to a function that is there, and its types do not tell.

import type binaryen from 'binaryen';

interface Untold {
  _BinaryenFunctionAddVar(func: number, type: number): number;
  _BinaryenFunctionSetBody(func: number, body: number): void;
}

const untold = (lib: typeof binaryen): Untold => lib as unknown as Untold;

/** The number of a new local. */
export const addLocal = (lib: typeof binaryen, func: number, type: number): number =>
  untold(lib)._BinaryenFunctionAddVar(func, type);

export function setBody(lib: typeof binaryen, func: number, body: number): void {
  untold(lib)._BinaryenFunctionSetBody(func, body);
}
