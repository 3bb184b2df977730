// The smallest module with an allocator: what is freed is not used again.

import binaryen from 'binaryen';

const kAllocator = `(memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
    (func $take (param $bytes i32) (result i32) (local $at i32)
      (local.set $at (global.get $top))
      (global.set $top (i32.add (global.get $top) (local.get $bytes)))
      (local.get $at))
    (func $give (param i32))`;

/** `malloc` and `free`: what its functions are called. */
export function bumpAllocator(malloc: string, free: string): Uint8Array {
  const module = binaryen.parseText(`(module ${kAllocator}
    (export "${malloc}" (func $take)) (export "${free}" (func $give)))`);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

/** Of a module with threads: they share its memory. */
export function sharedAllocator(): Uint8Array {
  const text = kAllocator.replace('(memory (export "memory") 1)', '(memory (export "memory") 1 4 shared)');
  const module = binaryen.parseText(`(module ${text}
    (export "malloc" (func $take)) (export "free" (func $give)))`);
  module.setFeatures(binaryen.Features.Atomics);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

/** With a section of names: load_level calls read_file, which allocates. */
export function namedAllocator(): Uint8Array {
  const module = binaryen.parseText(`(module ${kAllocator}
    (func $read_file (drop (call $take (i32.const 24))))
    (func $load_level (call $read_file) (call $read_file))
    (export "malloc" (func $take)) (export "free" (func $give)) (export "load_level" (func $load_level)))`);
  binaryen.setDebugInfo(true);
  const bytes = module.emitBinary();
  binaryen.setDebugInfo(false);
  module.dispose();
  return bytes;
}

const kCustomSection = 0;
const kName = [4, ...Buffer.from('none')];

/** With so many bytes more in a section that nobody reads; fewer than 16 KiB. */
export function padded(module: Uint8Array, bytes: number): Uint8Array {
  const size = bytes + kName.length;
  return Uint8Array.from([
    ...module,
    kCustomSection,
    0x80 | (size & 0x7f),
    size >> 7,
    ...kName,
    ...new Uint8Array(bytes),
  ]);
}
