// The smallest module with an allocator: what is freed is not used again.

import binaryen from 'binaryen';

/** `malloc` and `free`: what its functions are called. */
export function bumpAllocator(malloc: string, free: string): Uint8Array {
  const module = binaryen.parseText(`(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
    (func $take (param $bytes i32) (result i32) (local $at i32)
      (local.set $at (global.get $top))
      (global.set $top (i32.add (global.get $top) (local.get $bytes)))
      (local.get $at))
    (func $give (param i32))
    (export "${malloc}" (func $take)) (export "${free}" (func $give)))`);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}
