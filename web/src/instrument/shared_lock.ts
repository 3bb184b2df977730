// The lock of the memory that recorders share, from JavaScript. The recorder's text takes the same word in wasm (state.3).

import { kShared } from './shared_layout.ts';

const kLock = kShared.lock / 4;
const kPatience = 1000; // milliseconds
const kTaken = 2; // taken, and perhaps waited for

/** How one thread has it. */
export interface Lock {
  /** How often this thread has entered it and not left it. */
  readonly entered: { value: number };
  leave(): void;
}

/** Of a thread without a recorder, whose text would do it. */
export function lockOf(memory: WebAssembly.Memory): Lock {
  const entered = { value: 0 };
  const leave = () => {
    entered.value -= 1;
    if (entered.value > 0) return;
    const words = new Int32Array(memory.buffer);
    Atomics.store(words, kLock, 0);
    Atomics.notify(words, kLock, 1);
  };
  return { entered, leave };
}

/** share.2: whether the thread has it. */
export function enter({ entered }: Lock, memory: WebAssembly.Memory): boolean {
  if (entered.value === 0 && !takeLock(new Int32Array(memory.buffer))) return false;
  entered.value += 1;
  return true;
}

function takeLock(words: Int32Array): boolean {
  const end = Date.now() + kPatience;
  while (Atomics.compareExchange(words, kLock, 0, kTaken) !== 0) {
    if (Date.now() > end) return false;
    if (mayWait()) Atomics.wait(words, kLock, kTaken, 10);
  }
  return true;
}

/** Not on the main thread of a page, nor in an audio worklet. */
export function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
    return true;
  } catch {
    return false;
  }
}
