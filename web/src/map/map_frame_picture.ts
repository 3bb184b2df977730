// The map at another moment than the one on the screen, drawn on a canvas that nobody sees: same memory, zoom and colours. For
// animations; the map itself stays where it is.

import type { MapFrame } from '../protocol/map_frames.ts';
import { drawMap } from './draw_map.ts';
import { drawOverlay } from './draw_overlay.ts';
import type { MapOverlay } from './map_overlay.ts';
import { contextOf } from './map_picture.ts';
import type { MapPicture } from './map_svg.ts';

const kNothingOver: MapOverlay = {
  lit: undefined,
  memoryBytes: 0,
  letters: [],
  selected: undefined,
  hovered: undefined,
  focused: false,
  bytes: [],
  chain: undefined,
  changes: [],
  progress: 1,
};

/** `frame` undefined: the picture's own, with what lies over it. One CSS pixel is one pixel. */
export function drawMapPicture(picture: MapPicture, frame: MapFrame | undefined): HTMLCanvasElement {
  const { names, theme } = picture;
  const view = { ...picture.view, ratio: 1 };
  const [below, above] = [document.createElement('canvas'), document.createElement('canvas')];
  for (const canvas of [below, above]) Object.assign(canvas, sizeOf(view.layout));
  const context = contextOf(below);
  drawMap(context, frame ?? picture.frame, view, theme, names);
  drawOverlay(contextOf(above), frame === undefined ? picture.overlay : kNothingOver, view, theme);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(above, 0, 0);
  return below;
}

const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }) => ({
  width: Math.round(width),
  height: Math.round(height),
});
