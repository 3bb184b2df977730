// Draws what the map shows, and asks for the frame of what is in view (M1, M2 of heap_map.ts).

import { formatBytes } from '../base/format.ts';
import { setText } from '../dom/dom.ts';
import type { MapFrame, MapViewport } from '../protocol/map_frames.ts';
import { drawMap } from './draw_map.ts';
import { drawOverlay } from './draw_overlay.ts';
import type { HeapMapOptions } from './heap_map_options.ts';
import { bytesOf } from './map_bytes.ts';
import { restingBytesPerRow, viewportOf } from './map_geometry.ts';
import type { MapMotion } from './map_motion.ts';
import type { MapOverlay, MapRange } from './map_overlay.ts';
import type { MapParts } from './map_parts.ts';
import { type MapShown, selectedRange } from './map_shown.ts';
import type { Steering } from './map_steering.ts';
import type { MapView } from './map_view.ts';

export interface MapPainterOptions {
  readonly shown: MapShown;
  readonly parts: MapParts;
  readonly steering: Steering;
  readonly motion: MapMotion;
  readonly owner: Pick<HeapMapOptions, 'onViewport' | 'onView'>;
  hovered(): MapRange | undefined;
}

export function createMapPainter({ shown, parts, steering, motion, owner, hovered }: MapPainterOptions) {
  let ratio = 1;
  let asked = '';
  let scheduled = 0;
  let pictureStale = true;

  /** `picture`: the lower canvas too, not only what lies over it. */
  function schedule(picture: boolean): void {
    pictureStale ||= picture;
    if (scheduled === 0) scheduled = requestAnimationFrame(draw);
  }

  const view = (): MapView => ({ layout: steering.layout(), transform: steering.transform(), ratio });
  const overlayOf = (frame: MapFrame, change: number | undefined): MapOverlay =>
    overlayNow(shown, frame, change, { hovered: hovered(), focused: parts.surface.matches(':focus-visible') });

  function draw(): void {
    cancelAnimationFrame(scheduled);
    scheduled = 0;
    const now = performance.now();
    const moved = steering.advance(now) || pictureStale;
    const change = motion.change(now);
    pictureStale = false;
    const { frame, theme, detail } = shown;
    const [picture, overlay] = [parts.picture.getContext('2d'), parts.overlay.getContext('2d')];
    if (frame !== undefined && picture !== null && overlay !== null) {
      if (moved) drawMap(picture, frame, view(), theme, detail.names);
      drawOverlay(overlay, overlayOf(frame, change), view(), theme);
    }
    if (moved) report();
    if (motion.target() !== undefined) schedule(true);
    else if (change !== undefined) schedule(false);
  }

  /** The zoom in words, and to the owner what is in view; a frame is asked for when it is another part than the last. */
  function report(): void {
    const { origin, bytesPerRow } = steering.transform();
    setText(parts.rowBytes, `${formatBytes(restingBytesPerRow(bytesPerRow, 0))} a row`);
    const before = asked;
    const wanted = viewport();
    if (asked !== before) owner.onViewport(wanted);
    owner.onView?.(origin, steering.end());
  }

  function viewport(): MapViewport {
    const wanted = viewportOf(steering.layout(), steering.transform());
    asked = JSON.stringify(wanted);
    return wanted;
  }

  return {
    schedule,
    view,
    viewport,
    overlayOf,
    /** The canvases take the size of the surface. */
    resize(): void {
      const { clientWidth: width, clientHeight: height, offsetTop, offsetLeft } = parts.surface;
      if (width === 0 || height === 0) return;
      ratio = Math.max(window.devicePixelRatio, 1);
      for (const canvas of [parts.picture, parts.overlay]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const below = Math.max(offsetTop + height - parts.bar.offsetTop, 0);
      steering.resize({ width, height, below, belowFrom: parts.bar.offsetLeft - offsetLeft });
      schedule(true);
      if (shown.frame !== undefined) draw(); // at once: a canvas that was resized is empty, and would be shown so
    },
    /** Another picture is due. */
    isDue: () => scheduled !== 0,
    dispose: () => cancelAnimationFrame(scheduled),
  };
}

function overlayNow(
  shown: MapShown,
  frame: MapFrame,
  change: number | undefined,
  pointed: Pick<MapOverlay, 'hovered' | 'focused'>,
): MapOverlay {
  const { lit, letters, detail, theme, changes } = shown;
  return {
    ...pointed,
    lit,
    memoryBytes: frame.memoryBytes,
    letters,
    selected: selectedRange(shown),
    bytes: bytesOf(frame, theme),
    chain: detail.binChain,
    changes: change === undefined ? [] : changes,
    progress: change ?? 1,
  };
}
