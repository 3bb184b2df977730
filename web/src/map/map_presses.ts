// What each key of the map does (map_keys.ts says which keys there are).

import type { MapFrame } from '../protocol/map_frames.ts';
import { addressBeside } from './map_geometry.ts';
import type { MapKey } from './map_keys.ts';
import type { MapSelection } from './map_selection.ts';
import { type MapShown, selectedRange } from './map_shown.ts';
import type { Steering } from './map_steering.ts';
import { heapSpan, inside, nearest, neighbour } from './map_walk.ts';

export interface MapPressesOptions {
  readonly shown: MapShown;
  readonly steering: Steering;
  readonly selection: MapSelection;
  toggleFolds(): void;
}

export type MapPresses = Readonly<Record<MapKey, (frame: MapFrame) => void>>;

export function createMapPresses({ shown, steering, selection, toggleFolds }: MapPressesOptions): MapPresses {
  /** From the selection, or to the middle of the view when nothing is selected. */
  function stepTo(frame: MapFrame, step: (from: number) => number | undefined): void {
    selection.show(shown.selected === undefined ? nearest(frame, steering.middle()) : step(shown.selected));
  }

  function stepRow(frame: MapFrame, by: -1 | 1): void {
    if (frame.chunks === undefined) steering.scrollRows(by);
    else stepTo(frame, (at) => nearest(frame, besideRow(at, by)));
  }

  /** Of a chunk of many rows: beside its last one, or its first. */
  function besideRow(at: number, by: -1 | 1): number {
    const size = selectedRange(shown)?.size ?? 1;
    return addressBeside(steering.layout(), steering.goal(), by < 0 ? at : at + size - 1, by);
  }

  /** Opens the selection when it is folded, else nearer to it until it is half a row wide, then into its nodes. */
  function goNearer(frame: MapFrame): void {
    const range = selectedRange(shown);
    if (range === undefined) stepTo(frame, (at) => at);
    else if (steering.openFoldOf(range.address + range.size / 2)) return;
    else if (range.size < steering.goal().bytesPerRow / 2) steering.goNear(range.address, range.size);
    else selection.show(inside(frame, range.address));
  }

  return {
    previous: (frame) => stepTo(frame, (at) => neighbour(frame, at, -1)),
    next: (frame) => stepTo(frame, (at) => neighbour(frame, at, 1)),
    rowUp: (frame) => stepRow(frame, -1),
    rowDown: (frame) => stepRow(frame, 1),
    pageUp: () => steering.scrollPage(-1),
    pageDown: () => steering.scrollPage(1),
    zoomIn: () => steering.zoomBy(0.5, selectedRange(shown)?.address),
    zoomOut: () => steering.zoomBy(2, selectedRange(shown)?.address),
    start: (frame) => selection.goToEnd(frame, heapSpan(frame)?.from),
    end: (frame) => selection.goToEnd(frame, (heapSpan(frame)?.to ?? 0) - 1),
    fit: steering.showAll,
    enter: goNearer,
    fold: toggleFolds,
    nextFree: () => selection.show(shown.detail.inspect?.nextFree),
    previousFree: () => selection.show(shown.detail.inspect?.prevFree),
  };
}
