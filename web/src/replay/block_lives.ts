// Each block of a program from its birth to its end, as advice looks for it: which operations are about it, how it grew, and
// which older block its contents came from.
//
//   malloc 100 ── realloc 200 ── realloc 400 ── free           a life: born 100, greatest 400, grew twice
//
//   V1  A life is an index; the operation that bears it, all its resizes and its end are found by the operation's number.
//   V2  allocate a larger block, free the smaller one, no allocation between: how a vector grows without realloc. The larger
//       block then `replaces` the smaller one. It looks like that; the trace does not say what was copied.

import { GrowingUint32 } from '../base/growing.ts';
import { idOfWord, kindOfWord, OperationKind } from './operation_list.ts';

const kLeastRatio = 1.4;
const kGreatestRatio = 2.6;
const kNone = 0xffff_ffff;

export interface BlockLives {
  readonly count: number;
  /** The life that each operation is about. */
  readonly ofOperation: Uint32Array;
  /** Operation of each life's birth. */
  readonly born: GrowingUint32;
  readonly first: GrowingUint32; // bytes at birth
  readonly greatest: Uint32Array; // bytes
  readonly grew: Uint32Array; // resizes to more
  readonly copied: Float64Array; // bytes that these resizes copy when none is done in place
  readonly resized: Uint8Array; // 1: by any resize
  /** The life whose contents it took over by V2, or kNone. */
  readonly replaces: Uint32Array;
  /** Operation of the end; kNone: lives on. */
  readonly ended: Uint32Array;
}

export const isNone = (index: number): boolean => index === kNone;

export function livesOf(words: Uint32Array): BlockLives {
  const count = words.length / 2;
  const ofOperation = new Uint32Array(count);
  const born = new GrowingUint32();
  const first = new GrowingUint32();
  const live = new Map<number, number>(); // id to life
  const size = new Float64Array(count); // of each life now
  const greatest = new Uint32Array(count);
  const grew = new Uint32Array(count);
  const copied = new Float64Array(count);
  const resized = new Uint8Array(count);
  const replaces = new Uint32Array(count).fill(kNone);
  const ended = new Uint32Array(count).fill(kNone);
  let youngest = kNone; // born by the last allocation
  for (let nth = 0; nth < count; ++nth) {
    const what = words[nth * 2] as number;
    const bytes = words[nth * 2 + 1] as number;
    const kind = kindOfWord(what);
    const id = idOfWord(what);
    if (kind === OperationKind.free || kind === OperationKind.realloc) {
      const life = live.get(id) as number;
      ofOperation[nth] = life;
      const before = size[life] as number;
      if (kind === OperationKind.free) {
        live.delete(id);
        ended[life] = nth;
        const ratio = youngest === kNone || before === 0 ? 0 : (size[youngest] as number) / before;
        if (ratio >= kLeastRatio && ratio <= kGreatestRatio && replaces[youngest] === kNone) {
          replaces[youngest] = life; // V2
        }
        if (youngest === life) youngest = kNone;
        continue;
      }
      resized[life] = 1;
      if (bytes > before) {
        grew[life] = (grew[life] as number) + 1;
        copied[life] = (copied[life] as number) + before;
      }
      size[life] = bytes;
      greatest[life] = Math.max(greatest[life] as number, bytes);
      youngest = kNone;
      continue;
    }
    const life = born.count;
    ofOperation[nth] = life;
    live.set(id, life);
    born.push(nth);
    first.push(bytes);
    size[life] = bytes;
    greatest[life] = bytes;
    youngest = life;
  }
  return { count: born.count, ofOperation, born, first, greatest, grew, copied, resized, replaces, ended };
}
