// What a program asked for, counted from its operations: the same for every allocator that carries them out.

import { idOfWord, kindOfWord, OperationKind } from './operation_list.ts';
import type { ProgramFacts } from './replay_types.ts';

export const kMostSamples = 400;

export interface Counted {
  readonly program: ProgramFacts;
  /** Operations made at each sample, ascending; the last is all of them. */
  readonly places: readonly number[];
  /** Live bytes there. */
  readonly live: readonly number[];
}

export function countOperations(words: Uint32Array): Counted {
  const count = words.length / 2;
  const step = Math.max(1, Math.ceil(count / kMostSamples));
  const kinds = new Float64Array(8);
  const sizes = new Map<number, number>();
  const places: number[] = [];
  const live: number[] = [];
  let liveBytes = 0;
  let peakBytes = 0;
  let peakBlocks = 0;
  for (let nth = 0; nth < count; ++nth) {
    const what = words[nth * 2] as number;
    const size = words[nth * 2 + 1] as number;
    const kind = kindOfWord(what);
    const id = idOfWord(what);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    if (kind !== OperationKind.copy) {
      liveBytes += size - (sizes.get(id) ?? 0);
      if (kind === OperationKind.free || kind === OperationKind.nodeFree) sizes.delete(id);
      else sizes.set(id, size);
    }
    if (liveBytes > peakBytes) peakBytes = liveBytes;
    if (sizes.size > peakBlocks) peakBlocks = sizes.size;
    if ((nth + 1) % step === 0 || nth + 1 === count) {
      places.push(nth + 1);
      live.push(liveBytes);
    }
  }
  const of = (kind: OperationKind) => kinds[kind] ?? 0;
  const program = {
    operations: count,
    mallocs: of(OperationKind.malloc) + of(OperationKind.calloc) + of(OperationKind.node),
    aligned: of(OperationKind.aligned),
    reallocs: of(OperationKind.realloc),
    frees: of(OperationKind.free) + of(OperationKind.nodeFree),
    peak_live_bytes: peakBytes,
    peak_live_blocks: peakBlocks,
    end_live_bytes: liveBytes,
  };
  return { program, places, live };
}
