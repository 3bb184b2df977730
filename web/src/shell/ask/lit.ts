// What of an answer's evidence is lit on the map: only at the moment that it is of, since addresses mean nothing at another one.

import type { HeapMap } from '../../map/heap_map_options.ts';
import type { MapLit } from '../../map/map_overlay.ts';
import type { Answer, AnswerBlock, BlockRanges, ShownAnswer } from '../../protocol/answers.ts';

/** The moment whose addresses the evidence has: a growth's is the one that the call found. */
export const momentOf = (answer: Pick<Answer, 'ask' | 'event' | 'evidence'>): number =>
  answer.ask === 'grew' ? answer.evidence.event : answer.event;

/** The same object as long as the answer is: the map draws again only where it is another. */
export function createLit() {
  let of: ShownAnswer | undefined;
  let lit: MapLit | undefined;
  return (answer: ShownAnswer | undefined, shown: number): MapLit | undefined => {
    if (answer === undefined || momentOf(answer) !== shown) return undefined;
    if (answer !== of) {
      of = answer;
      lit = litOf(answer);
    }
    return lit;
  };
}

function litOf({ ask, evidence, all, allHoles }: ShownAnswer): MapLit | undefined {
  const blocks = all ?? rangesOf(evidence.blocks);
  const holes = allHoles ?? rangesOf(evidence.holes);
  if (blocks.address.length === 0 && holes.address.length === 0) return undefined;
  return { blocks, holes, outlined: ask !== 'holds' && ask !== 'leaked' };
}

/** By address, as the map looks for those in view. */
function rangesOf(blocks: readonly Pick<AnswerBlock, 'address' | 'size_bytes'>[]): BlockRanges {
  const sorted = [...blocks].sort((one, two) => one.address - two.address);
  return {
    address: Uint32Array.from(sorted, ({ address }) => address),
    size: Uint32Array.from(sorted, ({ size_bytes }) => size_bytes),
  };
}

/** So much of the heap is shown on either side of the evidence, in its own sizes. */
const kBeside = 1;
/** Evidence that is nearer than this, in bytes, is shown with the rest of the heap around it. */
const kLeast = 32_768;

/** Brings all of the evidence into view, as near as it allows. */
export function showEvidence({ evidence, all, allHoles }: ShownAnswer, map: Pick<HeapMap, 'fit'>): void {
  const lit = [all ?? rangesOf(evidence.blocks), allHoles ?? rangesOf(evidence.holes)];
  const from = Math.min(...lit.map(({ address }) => address[0] ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...lit.map(({ address, size }) => (address.at(-1) ?? 0) + (size.at(-1) ?? 0)));
  if (from >= to) return;
  map.fit(from, to, Math.max(to - from, kLeast) * kBeside);
}
