// What is under the mouse, or under a finger that rests: the outlined range and the words beside the pointer.

import { addr } from '../base/brand.ts';
import { ownFrames, rowOfFrame } from '../base/frames.ts';
import { setText } from '../dom/dom.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
import type { HeapMapOptions } from './heap_map_options.ts';
import { addressAt, onText } from './map_geometry.ts';
import { findAt } from './map_marks.ts';
import type { MapRange } from './map_overlay.ts';
import type { MapParts } from './map_parts.ts';
import type { Steering } from './map_steering.ts';
import { selectable } from './map_walk.ts';
import { describe } from './map_words.ts';
import type { BlockNames } from './pool_names.ts';

const kBeside = 14;
const kBelow = 20;
const kFinger = 28; // what a finger covers

/** The pointer rests so long before it is asked which calls made what is under it. */
const kRestMs = 120;
const kMostFrames = 4;

export function createMapPointer(
  parts: MapParts,
  steering: Steering,
  changed: () => void,
  stackAt?: HeapMapOptions['stackAt'],
) {
  let hovered: MapRange | undefined;
  let madeBy: readonly string[] = []; // the calls that made what is hovered, own first
  let rest: ReturnType<typeof setTimeout> | undefined;

  /** Another range is under the pointer. */
  function hover(range: MapRange | undefined, say: () => void): void {
    clearTimeout(rest);
    hovered = range;
    madeBy = [];
    changed();
    if (range === undefined || stackAt === undefined) return;
    rest = setTimeout(async () => {
      const stack = await stackAt(addr(range.address)).catch(() => []); // an engine that ends says so elsewhere
      if (hovered !== range) return;
      madeBy = ownFrames(stack).slice(0, kMostFrames);
      say();
    }, kRestMs);
  }

  function hide(): void {
    parts.tip.hidden = true;
    if (hovered !== undefined) hover(undefined, () => {});
  }

  function placeOf(event: MouseEvent): { x: number; y: number } {
    const box = parts.surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** The address under the mouse; undefined beside the text and where there is no memory. A finger in a gap means the row above. */
  function addressOf(event: MouseEvent, frame: MapFrame): number | undefined {
    const { x, y } = placeOf(event);
    const isFinger = event instanceof PointerEvent && event.pointerType === 'touch';
    if (!isFinger && !onText(steering.layout(), steering.transform(), x, y)) return undefined;
    const address = addressAt(steering.layout(), steering.transform(), x, y);
    return address >= 0 && address < frame.memoryBytes ? address : undefined;
  }

  function show(event: PointerEvent, frame: MapFrame, names: BlockNames): void {
    const address = addressOf(event, frame);
    if (address === undefined) {
      hide();
      return;
    }
    const found = findAt(frame, address);
    const range = selectable(found, address);
    if (range?.address !== hovered?.address || range?.size !== hovered?.size)
      hover(range, () => {
        if (!parts.tip.hidden) show(event, frame, names);
      });
    const words = describe(frame, found, address, names);
    parts.tip.hidden = words === undefined;
    if (words === undefined) return;
    setText(parts.tipTitle, words.title);
    setText(parts.tipLines, [...words.lines, ...madeBy.map(callLine)].join('\n'));
    const { x, y } = placeOf(event);
    const { offsetWidth, offsetHeight } = parts.tip;
    const { width, height } = steering.layout();
    const left = Math.max(Math.min(x + kBeside, width - offsetWidth - 6), 6);
    const above = y - offsetHeight - (event.pointerType === 'touch' ? kFinger : kBeside);
    const below = y + (event.pointerType === 'touch' ? kFinger : kBelow);
    const fitsBelow = below + offsetHeight <= height;
    const beside = fitsBelow ? below : Math.max(above, 6); // where it fits nowhere it covers the pointer, not its own first line
    const top = event.pointerType === 'touch' ? (above >= 6 ? above : below) : beside;
    parts.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  return {
    hovered: () => hovered,
    show,
    hide,
    placeOf,
    addressOf,
    move(event: PointerEvent, frame: MapFrame, names: BlockNames): void {
      if (event.pointerType !== 'touch' && event.buttons === 0) show(event, frame, names);
    },
  };
}

const callLine = (frame: string, nth: number): string => `${nth === 0 ? 'made by' : '←'} ${rowOfFrame(frame)}`;
