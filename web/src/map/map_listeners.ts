// The map's surface: what mouse, finger and keys do on it. Wheel, drag and pinch are in map_gestures.ts.

import { mapKeyOf } from './map_keys.ts';
import { listenForLongPress } from './map_long_press.ts';
import type { createMapPointer } from './map_pointer.ts';
import type { MapPresses } from './map_presses.ts';
import type { MapSelection } from './map_selection.ts';
import type { MapShown } from './map_shown.ts';
import type { Steering } from './map_steering.ts';

const kDoubleClick = 1 / 8; // of the bytes in a row

export interface MapListeners {
  readonly shown: MapShown;
  readonly steering: Steering;
  readonly pointer: ReturnType<typeof createMapPointer>;
  readonly selection: MapSelection;
  readonly presses: MapPresses;
  /** The surface has got or lost the focus. */
  focused(): void;
}

export function listenOnMap(surface: HTMLElement, listeners: MapListeners, signal: AbortSignal): void {
  const { shown, steering, pointer, selection, presses, focused } = listeners;
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void => surface.addEventListener(name, listener, { signal });
  const showTip = (event: PointerEvent) =>
    shown.frame === undefined ? undefined : pointer.show(event, shown.frame, shown.detail.names);

  on('pointermove', (event) => {
    if (shown.frame !== undefined) pointer.move(event, shown.frame, shown.detail.names);
  });
  on('pointerleave', (event) => {
    if (event.pointerType !== 'touch') pointer.hide();
  });
  listenForLongPress(surface, { open: showTip, close: pointer.hide }, signal); // ahead of click: it may take one back
  on('click', selection.click);
  on('dblclick', (event) => {
    const { x, y } = pointer.placeOf(event);
    steering.zoomAt(x, y, kDoubleClick);
  });
  on('focus', focused);
  on('blur', focused);
  on('keydown', (event) => {
    const key = mapKeyOf(event);
    if (key === undefined || shown.frame === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    selection.forgetEnd();
    presses[key](shown.frame);
  });
}
