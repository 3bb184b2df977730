// Where a placed module's data, its stack and its heaps lie in a memory that is not its own (core/src/platform/placed_pages.cpp).
//
//   in a caller's memory, or a new one             | head | data | stack | boot | heaps ................ |
//                                            start ^                          begin ^                end ^   (none: it grows)
//
//   for a caller's buffer, a memory beside it      | heaps ....................... | data | stack |
//                                            begin ^ = start                   end ^
//
//  place.Q1  Nothing outside [start, end) of a caller's memory is read or written.
//  place.Q2  A heap over a buffer has the same addresses in its own memory as in the buffer: an address is an offset in both.
//            The pages of that memory that hold no header are never touched.
//  place.Q3  A region with an end is there from the beginning. Without one the heap begins with what it needs and grows.
//  place.Q4  Memory that is not empty is taken only from a `start` that was named.
//  place.Q5  head and boot are only in shared memory: shared_heap.ts.

import { badArgument } from './arguments.ts';
import { HeapError } from './heap_error.ts';
import type { HeapOptions } from './heap_types.ts';

export const kPageBytes = 65_536;
export const kStackBytes = 8192; // 1.1 KiB used, 2.2 KiB with events: tests/web/heap/stack.test.ts
export const kHeadBytes = 16;
const kFirstAddress = 16; // 0 is no address
const kLeastHeap = 8192; // a heap's first pages
const kMostPages = 65_535; // the last page of 4 GiB is left alone: its end would be address 0
const kSharedMaximum = 16_384; // pages: 1 GiB

/** What a placed module asks for. */
export interface Needs {
  readonly dataBytes: number;
  readonly tableSize: number;
}

export interface Place {
  readonly memory: WebAssembly.Memory;
  readonly data: number;
  readonly stackTop: number;
  /** Heaps may take bytes from begin up to end. */
  readonly begin: number;
  readonly end: number;
}

/** From the module's section `dylink.0`: kind 1, bytes; then bytes of data, their alignment, table entries, their alignment. */
export function needsOf(module: WebAssembly.Module): Needs {
  const [section] = WebAssembly.Module.customSections(module, 'dylink.0');
  if (section === undefined) {
    const hint =
      'a heap in memory that is not its own needs one (heapglass/heap-placed.wasm, heapglass/heap-shared.wasm)';
    throw new HeapError('no_module', `the wasm module cannot be placed: ${hint}`);
  }
  const bytes = new Uint8Array(section);
  let at = 2;
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const dataBytes = unsigned();
  unsigned();
  return { dataBytes, tableSize: unsigned() };
}

/** Whether the options ask for a placed module. */
export const isPlaced = ({ memory, buffer, initial, maximum, shared }: HeapOptions): boolean =>
  memory !== undefined ||
  buffer !== undefined ||
  initial !== undefined ||
  maximum !== undefined ||
  isShared({ memory, shared });

/** Whether several workers may use the memory. */
export const isShared = ({ memory, shared }: Pick<HeapOptions, 'memory' | 'shared'>): boolean =>
  (shared !== undefined && shared !== false) || (memory !== undefined && isSharedBuffer(memory.buffer));

const isSharedBuffer = (buffer: ArrayBufferLike): boolean =>
  typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;

/** Chooses the place, makes the memory or makes it large enough, and clears what the module takes for zero. */
export function findPlace(options: HeapOptions, { dataBytes }: Needs): Place {
  return options.buffer === undefined ? inMemory(options, dataBytes) : overBuffer(options, options.buffer, dataBytes);
}

function inMemory(options: HeapOptions, dataBytes: number): Place {
  const shared = isShared(options);
  const memory = options.memory ?? newMemory(options, shared);
  const { start, end } = region(options, kMostPages * kPageBytes);
  if (options.memory !== undefined && options.start === undefined) refuseContents(memory);
  const data = upTo16(Math.max(start, kFirstAddress)) + (shared ? kHeadBytes : 0);
  const stackTop = upTo16(data + dataBytes) + kStackBytes;
  const begin = stackTop + (shared ? kStackBytes : 0);
  if (begin + kLeastHeap > end) {
    const least = begin + kLeastHeap - start;
    throw badArgument(
      `from start to end there are ${end - start} bytes; the module and the smallest heap need ${least}`,
    );
  }
  growTo(memory, options.end === undefined ? begin : end);
  new Uint8Array(memory.buffer).fill(0, data - (shared ? kHeadBytes : 0), begin);
  return { memory, data, stackTop, begin, end };
}

/** Q2 */
function overBuffer(options: HeapOptions, buffer: ArrayBufferLike, dataBytes: number): Place {
  const { start, end } = region(options, buffer.byteLength);
  if (end > buffer.byteLength) {
    throw badArgument(`end is ${end}, and the buffer has ${buffer.byteLength} bytes`);
  }
  const begin = upTo16(Math.max(start, kFirstAddress));
  if (begin + kLeastHeap > end) {
    throw badArgument(`from start to end there are ${end - start} bytes; the smallest heap needs ${kLeastHeap + 16}`);
  }
  const data = upTo16(end);
  const stackTop = upTo16(data + dataBytes) + kStackBytes;
  return { memory: ofPages({ initial: pagesOf(stackTop) }), data, stackTop, begin, end };
}

function region({ start = 0, end }: HeapOptions, most: number): { readonly start: number; readonly end: number } {
  const last = end ?? most;
  if (last < start) throw badArgument(`end is ${last}, before start, which is ${start}`);
  if (last > kMostPages * kPageBytes)
    throw badArgument(`end is ${last}; a wasm memory ends at ${kMostPages * kPageBytes}`);
  return { start, end: last };
}

/** As the options ask for it. Throws a HeapError. */
export function newMemory({ initial, maximum }: HeapOptions, shared: boolean): WebAssembly.Memory {
  for (const [name, bytes] of Object.entries({ initial, maximum })) {
    if (bytes === undefined || (bytes >= kPageBytes && bytes <= (kMostPages + 1) * kPageBytes)) continue;
    const hint = `${name} is ${bytes}: it is in bytes, from one page (${kPageBytes}) to 4 GiB`;
    throw badArgument(hint);
  }
  const most = maximum === undefined ? (shared ? kSharedMaximum : undefined) : Math.floor(maximum / kPageBytes);
  const first = pagesOf(initial ?? kPageBytes);
  if (most !== undefined && first > most)
    throw badArgument(`initial is ${initial} bytes, more than maximum, which is ${maximum ?? most * kPageBytes}`);
  return ofPages({ initial: first, ...(most === undefined ? {} : { maximum: most }), ...(shared ? { shared } : {}) });
}

/** Q4 */
function refuseContents(memory: WebAssembly.Memory): void {
  const at = new Uint32Array(memory.buffer).findIndex((word) => word !== 0);
  if (at < 0) return;
  throw badArgument(
    `the memory is in use (byte ${at * 4} is not zero): name with start and end which part is the heap's`,
  );
}

function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = pagesOf(bytes) - memory.buffer.byteLength / kPageBytes;
  if (missing <= 0) return;
  try {
    memory.grow(missing);
  } catch (cause) {
    throw new HeapError('out_of_memory', `the memory cannot grow to ${bytes} bytes`, { cause });
  }
}

function ofPages(pages: WebAssembly.MemoryDescriptor): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory(pages);
  } catch (cause) {
    throw new HeapError(
      'out_of_memory',
      `no memory of ${pages.initial} to ${pages.maximum ?? kMostPages} pages can be had`,
      {
        cause,
      },
    );
  }
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / kPageBytes);
const upTo16 = (bytes: number): number => Math.ceil(bytes / 16) * 16;
