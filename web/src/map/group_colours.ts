// Colours of the chunks in use when they are not coloured by age: eight for threads and call sites, a ramp for sizes.
//
//   group.1  The group's name is in the chunk's label and in the words beside the pointer: never colour alone.

import { interpolateLab, piecewise } from 'd3-interpolate';
import { type Colours, contrast, pixelOf, type Theme } from '../dom/palette.ts';
import type { Colouring } from '../protocol/map_frames.ts';

export interface GroupColours {
  /** By group; 0 is every chunk that is in none. */
  readonly pixels: Uint32Array;
  readonly colours: readonly string[];
  /** Of a label on a chunk of the group. */
  readonly labels: readonly string[];
}

const kGroups = [
  'group0',
  'group1',
  'group2',
  'group3',
  'group4',
  'group5',
  'group6',
  'group7',
] as const satisfies readonly (keyof Colours)[];

const kMade = new WeakMap<Theme, Map<boolean, GroupColours>>();

/** Made once for a theme. */
export function groupColours(theme: Theme, by: Colouring): GroupColours {
  const made = kMade.get(theme) ?? new Map<boolean, GroupColours>();
  kMade.set(theme, made);
  const ordered = by === 'size';
  const known = made.get(ordered) ?? makeColours(theme, ordered);
  made.set(ordered, known);
  return known;
}

/** `ordered`: the larger, the further along the ramp. */
function makeColours({ css }: Theme, ordered: boolean): GroupColours {
  const ramp = piecewise(interpolateLab, [css.inUseOld, css.inUse, css.series2]);
  const last = kGroups.length - 1;
  const colours = kGroups.map((name, nth) => (ordered && nth > 0 ? ramp((nth - 1) / (last - 1)) : css[name]));
  const dark = contrast(css.onInUse, css.bg) < contrast(css.onInUseOld, css.bg) ? css.onInUse : css.onInUseOld;
  const light = dark === css.onInUse ? css.onInUseOld : css.onInUse;
  return {
    pixels: Uint32Array.from(colours, pixelOf),
    colours,
    labels: colours.map((colour) => (contrast(dark, colour) >= contrast(light, colour) ? dark : light)),
  };
}
