// What the map shows: the last frame with its details, the selection, and what its owner wrote on it. The map's parts share one;
// heap_map.ts writes it when its owner says something, map_selection.ts when the visitor selects.

import type { Addr } from '../base/brand.ts';
import type { Theme } from '../dom/palette.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
import type { MapDetail } from './heap_map_options.ts';
import type { MapChange } from './map_changes.ts';
import type { MapLetter, MapLit, MapRange } from './map_overlay.ts';
import { rangeOf } from './map_walk.ts';
import { kNoNames } from './pool_names.ts';

export interface MapShown {
  theme: Theme;
  frame: MapFrame | undefined;
  detail: MapDetail;
  selected: Addr | undefined;
  lit: MapLit | undefined;
  letters: readonly MapLetter[];
  changes: readonly MapChange[]; // between the last two frames, when they are one step apart
}

const kNothing: MapDetail = {
  selected: undefined,
  inspect: undefined,
  binChain: undefined,
  names: kNoNames,
  animate: false,
  arrives: false,
};

export const nothingShown = (theme: Theme): MapShown => ({
  theme,
  frame: undefined,
  detail: kNothing,
  selected: undefined,
  lit: undefined,
  letters: [],
  changes: [],
});

/** Of a density the frame knows no chunk: what was asked about the address says it. */
export function selectedRange({ frame, selected, detail: { inspect } }: MapShown): MapRange | undefined {
  if (selected === undefined || frame === undefined) return undefined;
  const range = rangeOf(frame, selected);
  if (range !== undefined || inspect?.asked !== selected || inspect.what === 'outside') return range;
  return inspect.node ?? { address: inspect.chunk, size: inspect.size };
}
