// Whether a memory still holds what its copy holds, by the quickest that the engine has.
//
//  same.C1  A module with two memories, the program's and the copy's, compares 64 bytes at a time (same_bytes.wat). 100 MB take 5 ms in
//      Chromium, and 32 ms by words. Then the copy lies in a memory of its own.
//  same.C2  Node 20 has no such modules. Its Buffer compares as quickly.
//  same.C3  Elsewhere words are compared, and everywhere what is no multiple of 64 bytes.

const kModule =
  'AGFzbQEAAAABCAFgA39/fwF/AiICB3Byb2dyYW0GbWVtb3J5AgABBGtlcHQGbWVtb3J5AgABAwIBAAcIAQRzYW1lAAAKcwFxAQF/IAAgAmohAwNAIAD9AAQAIAH9AEQBAP1RIAD9AAQQIAH9AEQBEP1R/VAgAP0ABCAgAf0ARAEg/VEgAP0ABDAgAf0ARAEw/VH9UP1Q/VMEQEEADwsgAUHAAGohASAAQcAAaiEAIAAgA0cNAAtBAQs=';
const kStep = 64;
const kPageBytes = 65_536;

/** A place for a copy. */
export interface CopyPlace {
  readonly contents: Uint8Array<ArrayBuffer>;
  /** Where the contents lie, if that is a memory (C1). */
  readonly memory: WebAssembly.Memory | undefined;
}

/** Whether `bytes` bytes at an address are those at `at` of the copy. pre: both begin at a word */
export type SameBytes = (address: number, at: number, bytes: number) => boolean;

interface NodeBytes {
  compare(other: Uint8Array, from: number, end: number, ownFrom: number, ownEnd: number): number;
}
type NodeBuffer = { from(buffer: ArrayBufferLike): NodeBytes };

let compiled: WebAssembly.Module | null | undefined; // null: this engine cannot

function comparer(): WebAssembly.Module | null {
  if (compiled !== undefined) return compiled;
  try {
    compiled = new WebAssembly.Module(Uint8Array.from(atob(kModule), (each) => each.charCodeAt(0)));
  } catch {
    compiled = null;
  }
  return compiled;
}

/** Throws a RangeError where there is no such space. */
export function placeForCopy(bytes: number): CopyPlace {
  if (comparer() === null) return { contents: new Uint8Array(bytes), memory: undefined };
  const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / kPageBytes)) });
  return { contents: new Uint8Array(memory.buffer, 0, bytes), memory };
}

/** Valid until the memory grows. */
export function comparing(program: WebAssembly.Memory, { contents, memory }: CopyPlace): SameBytes {
  const byWords = wordComparer(program, contents);
  const quick = quickComparer(program, contents, memory);
  if (quick === undefined) return byWords;
  return (address, at, bytes) => (bytes % kStep === 0 ? quick : byWords)(address, at, bytes);
}

function quickComparer(
  program: WebAssembly.Memory,
  contents: Uint8Array,
  memory: WebAssembly.Memory | undefined,
): SameBytes | undefined {
  const module = comparer();
  if (module !== null && memory !== undefined) {
    const { exports } = new WebAssembly.Instance(module, { program: { memory: program }, kept: { memory } });
    const same = exports['same'] as (address: number, at: number, bytes: number) => number;
    return (address, at, bytes) => same(address, at, bytes) !== 0;
  }
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  if (Buffer === undefined) return undefined;
  const own = Buffer.from(program.buffer);
  return (address, at, bytes) => own.compare(contents, at, at + bytes, address, address + bytes) === 0;
}

function wordComparer(program: WebAssembly.Memory, contents: Uint8Array): SameBytes {
  const own = new Int32Array(program.buffer);
  const kept = new Int32Array(contents.buffer, contents.byteOffset, Math.floor(contents.length / 4));
  return (address, at, bytes) => {
    const first = address >>> 2;
    const from = at >>> 2;
    const count = Math.ceil(bytes / 4);
    for (let i = 0; i < count; ++i) if (own[first + i] !== kept[from + i]) return false;
    return true;
  };
}
