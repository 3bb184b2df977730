// What of an answer's evidence is lit on the map: only at the moment that it is of, since addresses mean nothing at another one.

import type { MapLit } from '../../map/map_overlay.ts';
import type { Answer } from '../../protocol/answers.ts';

/** The moment whose addresses the evidence has: a growth's is the one that the call found. */
export const momentOf = (answer: Answer): number => (answer.ask === 'grew' ? answer.evidence.event : answer.event);

/** The same object as long as the answer is: the map draws again only where it is another. */
export function createLit() {
  let of: Answer | undefined;
  let lit: MapLit | undefined;
  return (answer: Answer | undefined, shown: number): MapLit | undefined => {
    if (answer === undefined || momentOf(answer) !== shown) return undefined;
    if (answer !== of) {
      of = answer;
      lit = litOf(answer);
    }
    return lit;
  };
}

function litOf({ ask, evidence }: Answer): MapLit | undefined {
  const range = ({ address, size_bytes }: { readonly address: number; readonly size_bytes: number }) => ({
    address,
    size: size_bytes,
  });
  const [blocks, holes] = [evidence.blocks.map(range), evidence.holes.map(range)];
  if (blocks.length === 0 && holes.length === 0) return undefined;
  return { blocks, holes, outlined: ask !== 'holds' && ask !== 'leaked' };
}
