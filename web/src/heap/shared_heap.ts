// A heap in shared memory, used by several workers at once: each has an instance of the same module on that memory, with a stack
// and a scratch memory of its own. The heap's locks are the module's (core/src/platform/spin_lock.hpp).
//
//   head  | lock | service heap | 0 | 0 |        boot: a stack for whoever holds the lock
//
//  shared.W1  The worker that makes the heap has the stack beside the module's data, and the module's scratch memory.
//  shared.W2  Who joins begins on the boot stack, under the lock, and takes a block of the service heap for its own stack and
//             scratch memory. The service heap holds nothing else, so the heap itself shows no block that is not its user's.
//  shared.W3  Who leaves gives that block back, under the lock and from the boot stack: nobody runs on a stack that was freed.
//  shared.W4  Only the maker runs the module's initialization; the data that the others find are those it made.
//  shared.W5  A worker that is terminated in the middle of a call may hold a lock for ever: end it by a message.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
import { kHeadBytes, kStackBytes } from './place.ts';

const kScratchBytes = 1024;
const kWaitMs = 1;

/** The part of a shared place that all its workers know. */
export interface SharedPlace {
  readonly memory: WebAssembly.Memory;
  readonly data: number;
  readonly stackTop: number;
}

/** A worker's own part. */
export interface Seat {
  readonly scratch: number;
  readonly scratchBytes: number;
  leave(): void;
}

export const bootTopOf = ({ stackTop }: SharedPlace): number => stackTop + kStackBytes;

/** Whether this thread may wait: not a page's main thread. Asked with a wait that ends at once. */
export function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** The maker's part: the service heap. */
export function openShared(place: SharedPlace, functions: HeapglassFunctions): boolean {
  const service = functions.hg_heap_create() >>> 0;
  headOf(place)[1] = service;
  return service !== 0;
}

/** Takes a seat; undefined when memory is out. `stackPointer` stands at the boot stack's top (W2). */
export function takeSeat(
  place: SharedPlace,
  functions: HeapglassFunctions,
  stackPointer: WebAssembly.Global<'i32'>,
): Seat | undefined {
  return underLock(place, (service) => {
    const block = functions.hg_heap_allocate_aligned(service, 16, kStackBytes + kScratchBytes) >>> 0;
    if (block === 0) return undefined;
    stackPointer.value = block + kStackBytes;
    const leave = (): void =>
      underLock(place, () => {
        stackPointer.value = bootTopOf(place);
        functions.hg_heap_deallocate(service, block);
      });
    return { scratch: block + kStackBytes, scratchBytes: kScratchBytes, leave };
  });
}

function underLock<T>(place: SharedPlace, body: (service: number) => T): T {
  const head = headOf(place);
  const waits = mayWait();
  while (Atomics.compareExchange(head, 0, 0, 1) !== 0) if (waits) Atomics.wait(head, 0, 1, kWaitMs);
  try {
    return body((head[1] ?? 0) >>> 0);
  } finally {
    Atomics.store(head, 0, 0);
    Atomics.notify(head, 0);
  }
}

const headOf = ({ memory, data }: SharedPlace): Int32Array =>
  new Int32Array(memory.buffer, data - kHeadBytes, kHeadBytes / 4);
