// How an allocator is shown: a colour and a shape, never colour alone. Ours are amber, the page's one accent; the
// reference is the colour of text; a peer keeps its look whatever else was measured.

import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolDiamond2,
  symbolSquare,
  symbolSquare2,
  symbolStar,
  symbolTriangle,
  symbolTriangle2,
  symbolWye,
} from 'd3-shape';
import { kOurs } from './figures.ts';

export interface Look {
  readonly colour: string; // a custom property
  readonly path: string; // around the origin
  readonly hollow: boolean; // a line, not a ground
}

const kArea = 46;
const kOursArea = 84;

const look = (colour: string, shape: SymbolType, hollow = false, area = kArea): Look => ({
  colour: `var(--hg-${colour})`,
  path: symbol(shape, area)() ?? '',
  hollow,
});

const kLooks: ReadonlyMap<string, Look> = new Map([
  [kOurs, look('accent', symbolCircle, false, kOursArea)],
  ['heapglass-small', look('accent', symbolSquare2, true)],
  ['row-d', look('accent', symbolDiamond2, true)],
  ['dlmalloc', look('text', symbolSquare)],
  ['emmalloc', look('series1', symbolTriangle)],
  ['mimalloc', look('pool', symbolDiamond)],
  ['talc', look('series3', symbolCross)],
  ['rlsf', look('series4', symbolStar)],
  ['ltalloc', look('series2', symbolWye)],
]);

/** For allocators no one has met yet. */
const kOthers: readonly Look[] = [
  look('dim', symbolTriangle2, true),
  look('dim', symbolWye),
  look('dim', symbolStar),
  look('dim', symbolCross),
];

export function lookOf(allocator: string, allocators: readonly string[]): Look {
  const known = kLooks.get(allocator);
  if (known !== undefined) return known;
  const unknown = allocators.filter((name) => !kLooks.has(name)).indexOf(allocator);
  return kOthers[unknown % kOthers.length] ?? look('dim', symbolCircle, true);
}
