// How the series of a chart look: colours, textures and symbols, which tell twelve of them apart.

import type { Selection } from 'd3-selection';
import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import { makeSvg } from '../../dom/dom.ts';
import { kSeriesColours } from '../../dom/palette.ts';

export type Group<Datum = unknown> = Selection<SVGGElement, Datum, null, undefined>;

/** Six with four colours: twelve series before one looks like another. The diamond is the document's. */
const kSymbols: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolCross,
  symbolStar,
  symbolWye,
];
const kSymbolArea = 44;
/** The document's. */
export const kDiamond = symbol(symbolDiamond, 40)() ?? '';

/** Of a series: colours begin again after the last, with another texture. */
export const colourClass = (series: number): string =>
  kSeriesColours[series % kSeriesColours.length] ?? kSeriesColours[0];
export const striped = (series: number): boolean => series >= kSeriesColours.length;
export const dashOf = (series: number): string | undefined => (striped(series) ? '1 3' : undefined);
export const symbolOf = (series: number): string => symbol(kSymbols[series % kSymbols.length], kSymbolArea)() ?? '';

/** Stripes of each colour, for series after the fourth. */
export const patterns = (id: string): SVGPatternElement[] =>
  kSeriesColours.map((name) =>
    makeSvg(
      'pattern',
      { id: `${id}-${name}`, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      makeSvg('rect', { width: 3, height: 5, style: `fill: var(--hg-${name})` }),
    ),
  );
