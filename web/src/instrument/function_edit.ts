// What Binaryen does to a function that is there, and its types do not tell; and the bytes that it writes.

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

/** `named`: with a name section. Whether one is written is a setting of Binaryen's, which the module before may have left otherwise. */
export function bytesOf(lib: typeof binaryen, module: binaryen.Module, named: boolean): Uint8Array {
  lib.setDebugInfo(named);
  return module.emitBinary();
}
