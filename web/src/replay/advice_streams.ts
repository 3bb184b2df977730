// The operations of a program as they would be if a piece of advice were followed, and those they are compared with.
//
//   pool       malloc and free of the blocks become node and nodeFree of one pool
//   reserve    the block is asked for with the reserve at once; resizes that the reserve covers fall away
//   in_place   malloc larger, copy, free smaller becomes a realloc of the smaller block. The copies are in what it is compared
//              with, since the program makes them and the trace does not show them
//
//   A1  Nothing else of the operations changes, so the difference of two replays is the advice's.

import type { AdviceCandidate } from './advice_candidates.ts';
import { type BlockLives, isNone } from './block_lives.ts';
import { bitsOfWord, idOfWord, kindOfWord, OperationKind, OperationList } from './operation_list.ts';

export interface AdviceStreams {
  readonly before: Uint32Array;
  readonly after: Uint32Array;
}

export function streamsFor(candidate: AdviceCandidate, words: Uint32Array, lives: BlockLives): AdviceStreams {
  if (candidate.kind === 'pool') return { before: words, after: withPool(candidate, words, lives) };
  if (candidate.kind === 'reserve') return { before: words, after: withReserve(candidate, words, lives) };
  return { before: withCopies(candidate, words, lives), after: inPlace(candidate, words, lives) };
}

/** Each operation by number, kind, id, size and bits, to a list. */
function rewritten(
  words: Uint32Array,
  each: (list: OperationList, nth: number, kind: OperationKind, id: number, size: number, bits: number) => void,
): Uint32Array {
  const list = new OperationList();
  for (let nth = 0; nth * 2 < words.length; ++nth) {
    const what = words[nth * 2] as number;
    each(list, nth, kindOfWord(what), idOfWord(what), words[nth * 2 + 1] as number, bitsOfWord(what));
  }
  return list.words();
}

function withPool({ chosen }: AdviceCandidate, words: Uint32Array, lives: BlockLives): Uint32Array {
  return rewritten(words, (list, nth, kind, id, size, bits) => {
    if (chosen[lives.ofOperation[nth] as number] === 0) list.addBits(kind, id, size, bits);
    else list.addBits(kind === OperationKind.free ? OperationKind.nodeFree : OperationKind.node, id, size, 0);
  });
}

function withReserve({ chosen, reserveBytes }: AdviceCandidate, words: Uint32Array, lives: BlockLives): Uint32Array {
  const capacity = new Map<number, number>(); // of a chosen life that has the reserve
  return rewritten(words, (list, nth, kind, id, size, bits) => {
    const life = lives.ofOperation[nth] as number;
    if (chosen[life] === 0 || kind === OperationKind.free) list.addBits(kind, id, size, bits);
    else if (kind !== OperationKind.realloc) {
      const asked = Math.max(size, reserveBytes);
      capacity.set(life, asked);
      list.addBits(kind, id, asked, bits);
    } else if (size > (capacity.get(life) ?? 0)) {
      capacity.set(life, size);
      list.addBits(kind, id, size, bits);
    }
  });
}

const isStep = (life: number, { chosen }: AdviceCandidate, lives: BlockLives): boolean =>
  chosen[life] === 1 && !isNone(lives.replaces[life] as number);

function withCopies(candidate: AdviceCandidate, words: Uint32Array, lives: BlockLives): Uint32Array {
  return rewritten(words, (list, nth, kind, id, size, bits) => {
    list.addBits(kind, id, size, bits);
    const life = lives.ofOperation[nth] as number;
    if (nth !== lives.born.at(life) || !isStep(life, candidate, lives)) return;
    const older = lives.replaces[life] as number;
    list.addBits(OperationKind.copy, id, idOfWord(words[lives.born.at(older) * 2] as number), 0);
  });
}

/** A chain has an id of its own, above all others, until its last block is freed. */
function inPlace(candidate: AdviceCandidate, words: Uint32Array, lives: BlockLives): Uint32Array {
  const chainIds = new Map<number, number>(); // life to the id of its chain
  const replaced = new Set<number>();
  const spare: number[] = [];
  let next = 0;
  for (let nth = 0; nth * 2 < words.length; ++nth) next = Math.max(next, idOfWord(words[nth * 2] as number) + 1);
  for (let life = 0; life < lives.count; ++life) {
    if (isStep(life, candidate, lives)) replaced.add(lives.replaces[life] as number);
  }
  return rewritten(words, (list, nth, kind, id, size, bits) => {
    const life = lives.ofOperation[nth] as number;
    if (candidate.chosen[life] === 0) {
      list.addBits(kind, id, size, bits);
      return;
    }
    if (nth === lives.born.at(life)) {
      const older = lives.replaces[life] as number;
      const chain = isNone(older) ? undefined : chainIds.get(older);
      const given = chain ?? spare.pop() ?? next++;
      chainIds.set(life, given);
      if (chain === undefined) list.addBits(kind, given, size, bits);
      else list.addBits(OperationKind.realloc, given, size, 0);
      return;
    }
    const chain = chainIds.get(life) as number;
    if (kind !== OperationKind.free) list.addBits(kind, chain, size, bits);
    else if (!replaced.has(life)) {
      list.addBits(kind, chain, size, bits);
      spare.push(chain);
    }
  });
}
