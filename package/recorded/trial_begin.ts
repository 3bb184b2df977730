// Where the heap begins in a module whose JavaScript says so: Emscripten up to 2.0 writes the end of its data and its stack into a word, which
// sbrk takes for the end of the heap. In a trial no JavaScript runs, so the word is zero, and malloc's first block lies on the program's own data.
//
//   begin.1  The word is one into which the first call of malloc writes a place behind its block. With the heap's beginning written to it before, the first block
//            lies behind that beginning.
//   begin.2  The heap begins behind the stack, whose pointer is the highest global that is a place in memory.

import type { TrialFunction } from '../../web/src/instrument/trial_module.ts';
import { attempt } from './attempt.ts';
import type { TrialInstance } from './trial_instance.ts';

export interface Begin {
  /** The word, by its address. */
  readonly word: number;
  readonly at: number;
}

const kFirst = 64; // bytes of the block
const kNear = 1 << 20; // of the beginning
const kMostWords = 64; // that may be it
const kList = 1024; // bytes: lists of free blocks begin as addresses of themselves
const kAlignment = 16;

/** undefined: the heap begins by itself, or nothing is known of it. The instance is put back before it is asked. */
export function beginOf(instance: () => TrialInstance, malloc: TrialFunction): Begin | undefined {
  const { memory, globals } = instance();
  const places = globals.filter((value) => value > kNear / 16 && value < memory.buffer.byteLength - kNear);
  const at = Math.ceil(Math.max(0, ...places) / kAlignment) * kAlignment;
  const first = firstBlock(instance(), malloc);
  if (at === 0 || first === 0 || first >= at) return undefined;
  const again = instance();
  const before = new Uint32Array(again.memory.buffer.slice(0));
  if (firstBlock(again, malloc) !== first) return undefined;
  const after = new Uint32Array(again.memory.buffer);
  const words: number[] = [];
  for (let nth = 0; nth < before.length && words.length < kMostWords; ++nth) {
    const end = after[nth] ?? 0;
    if (before[nth] === 0 && end > first && end < at && Math.abs(end - 4 * nth) > kList) words.push(4 * nth);
  }
  for (const word of words) {
    const fresh = instance();
    new DataView(fresh.memory.buffer).setUint32(word, at, true);
    const block = firstBlock(fresh, malloc);
    if (block >= at && block < at + kNear) return { word, at };
  }
  return undefined;
}

/** 0: none. */
function firstBlock(instance: TrialInstance, malloc: TrialFunction): number {
  let address = 0;
  attempt(() => {
    address = Number(instance.of(malloc)(kFirst)) >>> 0;
    return true;
  });
  return address;
}
