// What is selected: by a click, a row of the table or a key, and said where a screen reader hears it.

import { type Addr, addr } from '../base/brand.ts';
import { setText } from '../dom/dom.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
import { endOfViewport } from '../protocol/viewport.ts';
import { findAt } from './map_marks.ts';
import type { MapParts } from './map_parts.ts';
import type { createMapPointer } from './map_pointer.ts';
import type { MapShown } from './map_shown.ts';
import type { Steering } from './map_steering.ts';
import { nearest, rangeOf, selectable } from './map_walk.ts';
import { spoken } from './map_words.ts';

export interface MapSelectionOptions {
  readonly shown: MapShown;
  readonly parts: MapParts;
  readonly steering: Steering;
  readonly pointer: ReturnType<typeof createMapPointer>;
  selected(address: Addr | undefined): void;
}

export type MapSelection = ReturnType<typeof createMapSelection>;

export function createMapSelection({ shown, parts, steering, pointer, selected }: MapSelectionOptions) {
  let end: number | undefined; // that Home or End is on its way to

  function select(address: Addr | undefined): void {
    shown.selected = address;
    selected(address);
    say();
  }

  function say(): void {
    const { frame, selected: address, detail } = shown;
    if (frame === undefined || address === undefined) return;
    setText(parts.live, spoken(frame, findAt(frame, address), address, detail.names));
  }

  /** The first or last chunk can be selected once a frame shows that end of the heap. */
  function selectEnd(frame: MapFrame): void {
    const { viewport } = frame;
    if (end === undefined || end < viewport.origin || end >= endOfViewport(viewport)) return;
    const at = nearest(frame, end);
    end = undefined;
    if (at !== undefined) select(addr(at));
  }

  return {
    say,
    selectEnd,
    /** Selects it and brings it into view. */
    show(address: number | undefined): void {
      if (address === undefined) return;
      select(addr(address));
      const size = shown.frame === undefined ? undefined : rangeOf(shown.frame, address)?.size;
      steering.scrollTo(address, address + (size ?? 1));
    },
    click(event: MouseEvent): void {
      const { frame } = shown;
      if (frame === undefined) return;
      const address = pointer.addressOf(event, frame);
      const range = address === undefined ? undefined : selectable(findAt(frame, address), address);
      const { x, y } = pointer.placeOf(event);
      if (address !== undefined) steering.openAt(x, y);
      // Of a density nothing is known but the address: the engine says which chunk it is.
      const inHeap = (at: number): boolean => frame.segments.some(({ base, size }) => at >= base && at < base + size);
      if (range !== undefined) select(addr(range.address));
      else select(address !== undefined && inHeap(address) ? addr(Math.floor(address)) : undefined);
    },
    /** To the first or last address of the heap; what lies there is selected when it is in a frame. */
    goToEnd(frame: MapFrame, address: number | undefined): void {
      if (address === undefined || address < 0) return;
      steering.scrollTo(address, address + 1);
      end = address;
      selectEnd(frame);
    },
    /** Another key was pressed: the end of the heap is not waited for. */
    forgetEnd(): void {
      end = undefined;
    },
  };
}
