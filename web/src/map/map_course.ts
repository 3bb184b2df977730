// Where the map is, and where it is on its way to (V2 of map_steering.ts): the layout of its rows, one transform, one journey.

import type { EmptyRuns } from '../protocol/map_frames.ts';
import { createMapFolds } from './map_folds.ts';
import { clamp, fitRange, type LayoutSize, layoutFor, type MapLayout, type MapTransform } from './map_geometry.ts';
import type { MapMotion } from './map_motion.ts';

/** Before the first frame nothing is known of the memory: some of it is shown. */
const kUnknownBytes = 4 * 1024 * 1024;

export interface CourseHost {
  /** The transform has changed or a journey began: draw. */
  changed(): void;
  /** The map is, or will soon be, at this zoom: gestures go on from there. */
  heading(bytesPerRow: number): void;
  memoryBytes(): number | undefined;
  /** No motion: the visitor's system says so. */
  still(): boolean;
}

export type MapCourse = ReturnType<typeof createMapCourse>;

export function createMapCourse(host: CourseHost, motion: MapMotion) {
  let layout: MapLayout = layoutFor({ width: 800, height: 500 });
  let transform: MapTransform = fitRange(layout, 0, kUnknownBytes);
  const memoryBytes = (): number => host.memoryBytes() ?? kUnknownBytes;
  const clamped = (to: MapTransform): MapTransform => clamp(layout, to, memoryBytes());
  const folds = createMapFolds((empty: EmptyRuns) => {
    layout = { ...layout, empty };
    host.changed();
  });
  return {
    folds,
    memoryBytes,
    clamped,
    layout: () => layout,
    transform: () => transform,
    isTravelling: () => motion.target() !== undefined,
    /** Where the map is going, else where it is. */
    goal: (): MapTransform => motion.target() ?? transform,
    stop: () => motion.stop(),
    /** Without a journey; one that is under way goes on. */
    put(to: MapTransform): void {
      transform = to;
    },
    go(to: MapTransform): void {
      const target = clamped(to);
      motion.travel(transform, target, performance.now(), host.still());
      host.heading(target.bytesPerRow);
      host.changed();
    },
    /** Goes on with a journey. Whether the map moved. */
    advance(now: number): boolean {
      const place = motion.place(now, layout);
      if (place === undefined) return false;
      transform = place;
      return true;
    },
    resize(size: LayoutSize): void {
      layout = layoutFor(size, layout.empty);
    },
    /** So many rows are all there is: high ones where they have room. undefined: rows of the usual height. */
    setRows(rows: number | undefined): void {
      layout = layoutFor(layout, layout.empty, rows);
    },
  };
}
