// What is under the mouse, or under a finger that rests: the outlined range and the words beside the pointer.

import { setText } from '../dom/dom.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
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

export function createMapPointer(parts: MapParts, steering: Steering, changed: () => void) {
  let hovered: MapRange | undefined;

  function hide(): void {
    parts.tip.hidden = true;
    if (hovered === undefined) return;
    hovered = undefined;
    changed();
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
    if (range?.address !== hovered?.address || range?.size !== hovered?.size) {
      hovered = range;
      changed();
    }
    const words = describe(frame, found, address, names);
    parts.tip.hidden = words === undefined;
    if (words === undefined) return;
    setText(parts.tipTitle, words.title);
    setText(parts.tipLines, words.lines.join('\n'));
    const { x, y } = placeOf(event);
    const { offsetWidth, offsetHeight } = parts.tip;
    const { width, height } = steering.layout();
    const left = Math.max(Math.min(x + kBeside, width - offsetWidth - 6), 6);
    const above = y - offsetHeight - (event.pointerType === 'touch' ? kFinger : kBeside);
    const below = y + (event.pointerType === 'touch' ? kFinger : kBelow);
    const fitsBelow = below + offsetHeight <= height;
    const top = event.pointerType === 'touch' ? (above >= 6 ? above : below) : fitsBelow ? below : above;
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
